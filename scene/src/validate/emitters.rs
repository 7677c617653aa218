//! Emitters: numbers that particles follow from, and what they name.

use super::{SceneError, broken, ensure, is_amount};
use crate::{
    Anchor, Beam, Birthplace, Constraint, Curve, Emission, Emitter, Force, FramePlay,
    HOURS_PER_DAY, MAX_LIVE_PARTICLES, MAX_STEP_COST, Modulation, ModulationSource, Motion,
    ParticleForm, Rope, Scene, SpriteFrame, Stepped, Throw,
};

type Rule = Result<(), &'static str>;

impl Scene {
    pub(super) fn validate_emitters(&self) -> Result<(), SceneError> {
        let (mut n_live, mut cost) = (0u64, 0u64);
        for (index, emitter) in self.emitters.iter().enumerate() {
            let checked = (emitter.check())
                .and_then(|()| check_anchor(self, &emitter.anchor))
                .and_then(|()| self.check_frames(&emitter.frames));
            checked.map_err(|rule| broken("emitters", index, rule))?;
            let exist = self.has_cells(&emitter.cells);
            ensure(exist, "emitters", index, "an emitter names a missing cell")?;
            n_live = n_live.saturating_add(emitter.n_rectangles());
            let fit = n_live <= MAX_LIVE_PARTICLES;
            ensure(fit, "emitters", index, "at most 2^20 particles are alive")?;
            cost = cost.saturating_add(emitter.step_cost());
            let fit = cost <= MAX_STEP_COST;
            ensure(
                fit,
                "emitters",
                index,
                "steps cost at most 2^22 for a frame",
            )?;
        }
        Ok(())
    }

    pub(super) fn check_frames(&self, frames: &[SpriteFrame]) -> Rule {
        rule(!frames.is_empty(), "at least one frame")?;
        for frame in frames {
            let n_layers = match frame.texture {
                None => 1,
                Some(texture) => match self.textures.get(texture.0 as usize) {
                    Some(texture) => texture.n_layers,
                    None => return Err("a frame names a missing texture"),
                },
            };
            rule(frame.layer < n_layers, "a frame names a missing layer")?;
            let corners = frame.min.iter().chain(&frame.max);
            let inside = corners.into_iter().all(|it| (0.0..=1.0).contains(it));
            rule(inside, "a frame lies inside its texture")?;
        }
        Ok(())
    }
}

impl Emitter {
    /// Checks its numbers, but not what it names of a scene.
    pub(crate) fn check(&self) -> Rule {
        check_times(self)?;
        check_steady(self)?;
        check_birthplace(&self.birthplace)?;
        check_motion(&self.motion)?;
        self.modulations.iter().try_for_each(check_modulation)?;
        check_looks(self)
    }
}

fn check_times(emitter: &Emitter) -> Rule {
    let is_hour = |hour: f32| (0.0..=HOURS_PER_DAY).contains(&hour);
    let are_hours = emitter
        .hours
        .is_none_or(|it| is_hour(it.from) && is_hour(it.to));
    rule(are_hours, "hours are from 0 to 24")?;
    let [shortest, longest] = emitter.life_secs;
    let lives = longest.is_finite() && shortest > 0.0 && shortest <= longest;
    rule(lives, "finite lives above 0, the shortest first")?;
    let [least, greatest] = emitter.start_age;
    let begins = least >= 0.0 && least <= greatest && greatest < 1.0;
    rule(
        begins,
        "ages at birth are from 0 to below 1, the least first",
    )?;
    if let Some(window) = emitter.window {
        let is_long = window.start_secs.is_finite() && is_amount(window.duration_secs);
        rule(is_long, "a window has a start and a length of at least 0")?;
        let repeats = window.period_secs.is_none_or(|period| {
            period.is_finite() && period > 0.0 && period >= window.duration_secs
        });
        rule(repeats, "a window is over before it begins again")?;
    }
    match &emitter.emission {
        Emission::Stream { per_sec } => rule(
            per_sec.is_finite() && *per_sec > 0.0,
            "a stream has a rate above 0",
        ),
        Emission::Bursts(bursts) => {
            let happen = |at_secs: f32, count: u32| at_secs.is_finite() && count > 0;
            let all_happen = bursts
                .iter()
                .all(|burst| happen(burst.at_secs, burst.count));
            rule(all_happen, "a burst has a time and particles")
        }
        Emission::Steady { count } => rule(*count > 0, "at least one particle"),
    }
}

pub(super) fn check_anchor(scene: &Scene, anchor: &Anchor) -> Rule {
    match anchor {
        Anchor::Place(world_from_emitter) => {
            rule(world_from_emitter.is_finite(), "a transform is finite")
        }
        Anchor::Node {
            instance,
            node,
            node_from_emitter,
        } => {
            rule(node_from_emitter.is_finite(), "a transform is finite")?;
            let Some(instance) = scene.instances.get(*instance as usize) else {
                return Err("an anchor names a missing instance");
            };
            let model = scene.models.get(instance.model.0 as usize);
            let exists = model.is_some_and(|model| (*node as usize) < model.nodes.len());
            rule(exists, "an anchor names a missing node")
        }
        Anchor::Eye {
            half_extent,
            within,
        } => {
            let has_sides = half_extent
                .iter()
                .all(|half| half.is_finite() && *half > 0.0);
            rule(has_sides, "a box around the eye has sides above 0")?;
            let is_box =
                within.is_none_or(|within| (0..3).all(|axis| within.min[axis] <= within.max[axis]));
            rule(is_box, "the part of the world is a box")
        }
    }
}

fn check_steady(emitter: &Emitter) -> Rule {
    let is_steady = matches!(emitter.emission, Emission::Steady { .. });
    let is_at_eye = matches!(emitter.anchor, Anchor::Eye { .. });
    rule(
        is_steady || !is_at_eye,
        "particles around the eye are always as many",
    )
}

fn check_birthplace(birthplace: &Birthplace) -> Rule {
    let is_place = match birthplace {
        Birthplace::Point => true,
        Birthplace::Ball { radius, .. } | Birthplace::Disc { radius, .. } => is_amount(*radius),
        Birthplace::Box { half_extent } => half_extent.iter().copied().all(is_amount),
        Birthplace::Shell(shell) => {
            let mut numbers = shell.offset.as_flattened().iter().chain(&shell.bias);
            shell.radii.into_iter().all(is_amount) && numbers.all(|it| it.is_finite())
        }
        Birthplace::Path(path) => are_finite(path.points.as_flattened()) && is_amount(path.radius),
    };
    rule(is_place, "a birthplace has finite sides of at least 0")
}

fn are_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|it| it.is_finite())
}

fn is_unit(vector: [f32; 3]) -> bool {
    let [x, y, z] = vector;
    (x * x + y * y + z * z - 1.0).abs() < 1e-3
}

fn is_range([from, to]: [f32; 2]) -> bool {
    from.is_finite() && to.is_finite() && from <= to
}

fn check_throw(throw: &Throw) -> Rule {
    let vectors = [throw.direction, throw.gravity, throw.wind, throw.sway];
    let speeds = [throw.speed, throw.outward_speed];
    let finite = are_finite(vectors.as_flattened())
        && are_finite(speeds.as_flattened())
        && are_finite(throw.extra_velocity.as_flattened());
    rule(finite, "a throw is finite")?;
    let is_direction = throw.direction == [0.0; 3] || is_unit(throw.direction);
    rule(is_direction, "a direction has unit length, or is zero")?;
    let is_angle = (0.0..=std::f32::consts::PI).contains(&throw.spread_rad);
    rule(is_angle, "0 <= spread <= pi")?;
    let slows = is_amount(throw.drag_per_sec) && is_amount(throw.sways_per_sec);
    rule(slows, "drag and swaying are finite, at least 0")
}

fn check_stepped(stepped: &Stepped) -> Rule {
    check_throw(&stepped.throw)?;
    let is_length = |length: f32| length.is_finite() && length > 0.0;
    let bounded = is_length(stepped.step_secs) && is_length(stepped.reach);
    rule(bounded, "steps and their reach are finite, above 0")?;
    let forces = stepped.forces.iter().all(is_force);
    rule(
        forces,
        "a force is finite, its axis of unit length, its ranges rise",
    )?;
    let constraints = stepped.constraints.iter().all(is_constraint);
    rule(
        constraints,
        "a constraint is finite, its axis of unit length, its ranges rise",
    )
}

fn is_force(force: &Force) -> bool {
    match force {
        Force::Pull {
            to,
            strength,
            falloff,
        } => are_finite(to) && strength.is_finite() && falloff.is_finite(),
        Force::Twist {
            center,
            axis,
            strength,
        } => are_finite(center) && is_unit(*axis) && strength.is_finite(),
        Force::Random { least, greatest } => are_finite(least) && are_finite(greatest),
        Force::Timed {
            secs,
            accelerations,
        } => is_range(*secs) && are_finite(accelerations.as_flattened()),
        Force::Layered {
            point,
            normal,
            distances,
            accelerations,
        } => {
            let is_plane = are_finite(point) && is_unit(*normal);
            is_plane && is_range(*distances) && are_finite(accelerations.as_flattened())
        }
        Force::Turbulence { scale, strength } => scale.is_finite() && are_finite(strength),
    }
}

fn is_constraint(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Speed { most } => is_amount(*most),
        Constraint::Turn {
            center,
            axis,
            rad_per_sec,
        } => are_finite(center) && is_unit(*axis) && rad_per_sec.is_finite(),
        Constraint::Slow { center, radius } => {
            are_finite(center) && radius.is_finite() && *radius > 0.0
        }
        Constraint::Distance { ends, range } => {
            are_finite(ends.as_flattened()) && is_range(*range) && range[0] >= 0.0
        }
        Constraint::Plane {
            point,
            normal,
            kept,
            ..
        } => are_finite(point) && is_unit(*normal) && are_finite(kept),
    }
}

fn check_modulation(modulation: &Modulation) -> Rule {
    let ranges = is_range(modulation.input) && is_range(modulation.ages);
    rule(ranges, "the ranges of a modulation rise")?;
    let mut numbers = modulation.output.iter().chain(&modulation.strength);
    let small = numbers.all(|it| it.abs() <= Modulation::LARGEST);
    rule(small, "the output of a modulation is within a million")?;
    let is_source = match modulation.source {
        ModulationSource::Age
        | ModulationSource::Secs
        | ModulationSource::BirthSecs
        | ModulationSource::Random
        | ModulationSource::Speed
        | ModulationSource::Heading
        | ModulationSource::Attribute(_) => true,
        ModulationSource::Distance { to: place, .. }
        | ModulationSource::Bearing { from: place } => are_finite(&place),
        ModulationSource::Noise { scale, per_sec, .. } => are_finite(&[scale, per_sec]),
        ModulationSource::Wave { cycles, phase, .. } => are_finite(&cycles) && phase.is_finite(),
    };
    rule(is_source, "the source of a modulation is finite")
}

fn check_motion(motion: &Motion) -> Rule {
    match motion {
        Motion::Thrown(throw) => check_throw(throw),
        Motion::Stepped(stepped) => check_stepped(stepped),
        Motion::Eased {
            travel,
            jitter,
            ease,
        } => {
            let finite = are_finite(travel) && jitter.iter().copied().all(is_amount);
            rule(finite, "a way is finite, its jitter at least 0")?;
            rule(is_amount(*ease), "an ease is finite, at least 0")
        }
    }
}

fn check_looks(emitter: &Emitter) -> Rule {
    check_curve(&emitter.size)?;
    check_curve(&emitter.color)?;
    let spread = (0.0..=1.0).contains(&emitter.size_spread);
    rule(spread, "0 <= spread of sizes <= 1")?;
    let are_tints = emitter.tints.as_flattened().iter().copied().all(is_amount);
    rule(are_tints, "tints are finite, at least 0")?;
    let turns = [emitter.angle_rad, emitter.spin_rad_per_sec];
    let finite = turns.as_flattened().iter().all(|it| it.is_finite());
    rule(finite, "angles are finite")?;
    let distances = is_amount(emitter.full_age_distance) && is_amount(emitter.softness);
    rule(distances, "distances are finite, at least 0")?;
    let plays = match emitter.play {
        FramePlay::AtRandom => true,
        FramePlay::OverLife { turns: speed } | FramePlay::PerSecond { rate: speed } => {
            is_amount(speed)
        }
    };
    rule(plays, "frames go on at a finite speed of at least 0")?;
    rule(emitter.range.rises(), "a range of view rises")?;
    check_form(&emitter.form)
}

fn check_form(form: &ParticleForm) -> Rule {
    match form {
        ParticleForm::Sprite | ParticleForm::Upright | ParticleForm::Flat => Ok(()),
        ParticleForm::Streak { secs } => rule(is_amount(*secs), "a streak is at least 0 long"),
        ParticleForm::Dome { segments, rings } => {
            let is_dome = (3..=64).contains(segments) && (1..=32).contains(rings);
            rule(is_dome, "a dome has 3 to 64 segments and 1 to 32 rings")
        }
        ParticleForm::Beam(beam) => {
            let finite = beam.to.iter().all(|it| it.is_finite());
            rule(finite, "a beam leads to a place")?;
            let is_cut = (1..=Beam::MAX_SEGMENTS).contains(&beam.segments);
            rule(is_cut, "a beam has 1 to 64 segments")?;
            let is_wide = (0.0..=1.0).contains(&beam.end_width);
            rule(is_wide, "0 <= width of the end <= 1")?;
            let jumps = is_amount(beam.noise) && is_amount(beam.jumps_per_sec);
            rule(jumps, "noise is finite, at least 0")
        }
        ParticleForm::Rope(rope) => {
            let is_cut = (1..=Rope::MAX_SEGMENTS).contains(&rope.segments);
            rule(is_cut, "a rope has 1 to 16 segments")?;
            let is_long = rope.frame_length.is_finite() && rope.frame_length > 0.0;
            rule(is_long, "the frame of a rope has a length above 0")?;
            rule(
                rope.frames_per_sec.is_finite(),
                "a rope scrolls at a finite speed",
            )
        }
    }
}

fn check_curve<const N: usize>(curve: &Curve<N>) -> Rule {
    rule(!curve.keys.is_empty(), "a curve has at least one key")?;
    let ages = curve.keys.iter().map(|key| key.age);
    let rises = curve.keys.is_sorted_by(|a, b| a.age < b.age);
    let inside = ages.into_iter().all(|age| (0.0..=1.0).contains(&age));
    rule(rises && inside, "ages rise from 0 to 1")?;
    let finite = |value: &[f32; N]| value.iter().all(|it| it.is_finite());
    let all_finite = curve.keys.iter().all(|key| finite(&key.value));
    rule(all_finite && is_amount(curve.ease), "a curve is finite")
}

fn rule(holds: bool, rule: &'static str) -> Rule {
    if holds { Ok(()) } else { Err(rule) }
}
