//! Emitters: numbers that particles follow from, and what they name.

use super::{SceneError, broken, ensure, is_amount};
use crate::{
    Anchor, Beam, Birthplace, Curve, Emission, Emitter, FramePlay, HOURS_PER_DAY,
    MAX_LIVE_PARTICLES, Motion, ParticleForm, Scene, SpriteFrame,
};

type Rule = Result<(), &'static str>;

impl Scene {
    pub(super) fn validate_emitters(&self) -> Result<(), SceneError> {
        let mut n_live = 0u64;
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
        check_motion(self)?;
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

fn check_motion(emitter: &Emitter) -> Rule {
    let is_place = match emitter.birthplace {
        Birthplace::Point => true,
        Birthplace::Ball { radius, .. } | Birthplace::Disc { radius, .. } => is_amount(radius),
        Birthplace::Box { half_extent } => half_extent.into_iter().all(is_amount),
        Birthplace::Shell(shell) => {
            let mut numbers = shell.offset.as_flattened().iter().chain(&shell.bias);
            shell.radii.into_iter().all(is_amount) && numbers.all(|it| it.is_finite())
        }
    };
    rule(is_place, "a birthplace has finite sides of at least 0")?;
    let are_finite = |numbers: &[f32]| numbers.iter().all(|it| it.is_finite());
    match &emitter.motion {
        Motion::Thrown(throw) => {
            let vectors = [throw.direction, throw.gravity, throw.wind, throw.sway];
            let speeds = [throw.speed, throw.outward_speed];
            let finite = are_finite(vectors.as_flattened())
                && are_finite(speeds.as_flattened())
                && are_finite(throw.extra_velocity.as_flattened());
            rule(finite, "a throw is finite")?;
            let [x, y, z] = throw.direction;
            let length_sq = x * x + y * y + z * z;
            let is_direction = length_sq == 0.0 || (length_sq - 1.0).abs() < 1e-3;
            rule(is_direction, "a direction has unit length, or is zero")?;
            let is_angle = (0.0..=std::f32::consts::PI).contains(&throw.spread_rad);
            rule(is_angle, "0 <= spread <= pi")?;
            let slows = is_amount(throw.drag_per_sec) && is_amount(throw.sways_per_sec);
            rule(slows, "drag and swaying are finite, at least 0")
        }
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
