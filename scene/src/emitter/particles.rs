//! Which particles of an emitter are alive at a time, and where and what each of them is.

use glam::Vec3;

use super::modulation::Modulated;
use super::motion::{Drift, Motion, length};
use super::random::{Random, scattered};
use super::stepped::{Start, Stepper};
use super::{
    Anchor, BirthPath, Birthplace, Burst, Emission, Emitter, EmitterState, EmitterWindow,
    FramePlay, ParticleForm, Shell, curve::eased,
};
use crate::Affine;

/// Where and when the particles of an emitter are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmitterAt {
    /// Its own time.
    pub clock_secs: f64,
    /// Where it is; counts for nothing where the eye carries it.
    pub world_from_emitter: Affine,
    /// How it moves, world units per second.
    pub velocity: [f32; 3],
    /// The place in the world that it is seen from.
    pub eye: [f32; 3],
    /// Particles are born from and until these times.
    pub born_secs: [f32; 2],
}

/// A particle at a moment, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Its middle.
    pub position: [f32; 3],
    /// World units per second.
    pub velocity: [f32; 3],
    /// Since its birth.
    pub secs: f32,
    /// Width and height; a width below 0 is mirrored.
    pub size: [f32; 2],
    /// How much of its way a streak shows, as a factor.
    pub stretch: f32,
    /// Red, green, blue and alpha.
    pub color: [f32; 4],
    /// Counter-clockwise as it is seen.
    pub angle_rad: f32,
    /// Index into [`Emitter::frames`].
    pub frame: u32,
    /// A number of its own, for what else differs from particle to particle.
    pub random: u32,
}

/// A particle of which no more is known than that it is there.
#[derive(Clone, Copy)]
struct Alive {
    id: [u32; 2],
    /// Since its birth.
    secs: f32,
    life_secs: f32,
    /// Share of the life that it had behind it at its birth.
    start_age: f32,
}

impl Alive {
    fn age(&self) -> f32 {
        self.start_age + self.secs / self.life_secs
    }
}

/// Sets numbers of one kind apart from those of others.
const BIRTH_AGES: u32 = 0xA6E5;
const MODULATIONS: u32 = 0x30D5;
const STEPS: u32 = 0x57E9;

impl Emitter {
    /// Hands out all particles that are alive at a time and may be seen from the eye; those of a stream or a burst in the
    /// order of their births.
    ///
    /// Takes time by the number of particles that are alive or have died within the longest life, and by the steps that
    /// they take ([`Self::step_cost`]).
    pub fn for_each_particle(&self, at: &EmitterAt, mut take: impl FnMut(&Particle)) {
        let scale = match self.anchor {
            Anchor::Eye { .. } => 1.0,
            Anchor::Place(_) | Anchor::Node { .. } => at.world_from_emitter.max_scale(),
        };
        let stepper = match &self.motion {
            Motion::Stepped(stepped) => {
                let world_from_emitter = match self.anchor {
                    Anchor::Eye { .. } => Affine::IDENTITY,
                    Anchor::Place(_) | Anchor::Node { .. } => at.world_from_emitter,
                };
                let gravity = into_emitter(&world_from_emitter, stepped.throw.steady_pull());
                Some(stepped.stepper(gravity))
            }
            Motion::Thrown(_) | Motion::Eased { .. } => None,
        };
        self.for_each_alive(at, |alive| {
            if let Some(particle) = self.particle(alive, at, scale, stepper.as_ref()) {
                take(&particle);
            }
        });
    }

    /// Whether particles lie along a path in the order of their numbers.
    pub fn is_in_turn(&self) -> bool {
        matches!(
            self.birthplace,
            Birthplace::Path(BirthPath { count: 1.., .. })
        )
    }

    fn for_each_alive(&self, at: &EmitterAt, mut take: impl FnMut(Alive)) {
        let now = at.clock_secs;
        let [from, until] = at.born_secs.map(f64::from);
        let longest = f64::from(self.life_secs[1]);
        let mut take_if_alive = |id: [u32; 2], born_at: f64, life_secs: f32, start_age: f32| {
            let secs = now - born_at;
            let is_alive = secs >= 0.0 && secs < f64::from(life_secs * (1.0 - start_age));
            let is_born = (from..=until).contains(&born_at);
            if is_alive && is_born && self.window.is_none_or(|window| window.is_open(born_at)) {
                take(Alive {
                    id,
                    secs: secs as f32,
                    life_secs,
                    start_age,
                });
            }
        };
        let life_of = |id: [u32; 2]| Random::new(self.seed, id).between(self.life_secs);
        match &self.emission {
            Emission::Stream { per_sec } => {
                let per_sec = f64::from(*per_sec);
                let [first, last] = [now - longest, now].map(|secs| (secs * per_sec).floor());
                for index in first as i64..=last as i64 {
                    let id = [0, index as u32];
                    let born_at = index as f64 / per_sec;
                    take_if_alive(id, born_at, life_of(id), self.start_age_of(id));
                }
            }
            Emission::Bursts(bursts) => {
                for (number, burst) in (0..).zip(bursts) {
                    self.for_each_repeat(burst, [now - longest, now], |repeat, born_at| {
                        let repeat = repeat.wrapping_mul(0x9E37).wrapping_add(number);
                        for index in 0..burst.count {
                            let id = [repeat, index];
                            take_if_alive(id, born_at, life_of(id), self.start_age_of(id));
                        }
                    });
                }
            }
            Emission::Steady { count } => {
                for index in 0..*count {
                    // Its lives are equally long, so that one ends where the next begins.
                    let slot = [u32::MAX, index];
                    let mut random = Random::new(self.seed, slot);
                    let life_secs = random.between(self.life_secs);
                    let phase = f64::from(random.unit());
                    let start_age = self.start_age_of(slot);
                    let lived_secs = f64::from(life_secs * (1.0 - start_age));
                    let life = (now / lived_secs + phase).floor();
                    let born_at = ((life - phase) * lived_secs).min(now);
                    take_if_alive([life as i64 as u32, index], born_at, life_secs, start_age);
                }
            }
        }
    }

    fn start_age_of(&self, id: [u32; 2]) -> f32 {
        match self.start_age {
            [0.0, 0.0] => 0.0,
            range => Random::new(self.seed ^ BIRTH_AGES, id).between(range),
        }
    }

    /// Hands out each time at which a burst may have left particles that are alive, with the number of the repeat.
    fn for_each_repeat(&self, burst: &Burst, [from, to]: [f64; 2], mut take: impl FnMut(u32, f64)) {
        let start = self
            .window
            .map_or(0.0, |window| f64::from(window.start_secs));
        let first_at = start + f64::from(burst.at_secs);
        let Some(period) = self.window.and_then(|window| window.period_secs) else {
            if (from..=to).contains(&first_at) {
                take(0, first_at);
            }
            return;
        };
        let period = f64::from(period);
        let [first, last] = [from, to].map(|secs| ((secs - first_at) / period).floor() as i64);
        for repeat in first.max(0)..=last {
            take(repeat as u32, first_at + repeat as f64 * period);
        }
    }

    /// None where it is not seen.
    fn particle(
        &self,
        alive: Alive,
        at: &EmitterAt,
        scale: f32,
        stepper: Option<&Stepper<'_>>,
    ) -> Option<Particle> {
        let mut random = Random::new(self.seed ^ 0x5EED, alive.id);
        let flown = match &self.anchor {
            Anchor::Eye {
                half_extent,
                within,
            } => {
                let start = half_extent.map(|half| random.signed() * half);
                let born = Born::at(start);
                let from = (&Affine::IDENTITY, born);
                let flown = self.moved(from, alive, at, stepper, &mut random)?;
                let position = wrapped(flown.position, at.eye, *half_extent);
                if within.is_some_and(|within| !within.contains(position)) {
                    return None;
                }
                Flown { position, ..flown }
            }
            Anchor::Place(_) | Anchor::Node { .. } => {
                let born = self.birthplace.choose(alive.id, &mut random);
                let from = (&at.world_from_emitter, born);
                self.moved(from, alive, at, stepper, &mut random)?
            }
        };
        let position = self.left_behind(flown.position, alive, at);
        let distance = length([0, 1, 2].map(|axis| position[axis] - at.eye[axis]));
        let seen = self.range.share_at(distance);
        if seen <= 0.0 {
            return None;
        }
        let mut age = alive.age();
        if distance < self.full_age_distance {
            age *= distance / self.full_age_distance;
        }
        let size = 1.0 + self.size_spread * random.signed();
        let angle = random.between(self.angle_rad);
        let spin = random.between(self.spin_rad_per_sec);
        let frame = self.frame_at(age, alive.secs, &mut random);
        let mut color = self.color.at(age);
        let [least, greatest] = &self.tints;
        if self.tints != Self::UNTINTED {
            let [of_color, of_alpha] = [random.unit(), random.unit()];
            let shares = [of_color, of_color, of_color, of_alpha];
            for (channel, value) in color.iter_mut().enumerate() {
                *value *= least[channel] + (greatest[channel] - least[channel]) * shares[channel];
            }
        }
        let mut particle = Particle {
            position,
            velocity: flown.velocity,
            secs: alive.secs,
            size: self.size.at(age).map(|side| side * size),
            stretch: 1.0,
            color,
            angle_rad: angle + spin * alive.secs,
            frame,
            random: random.bits(),
        };
        if !self.modulations.is_empty() {
            let birthplace = self.left_behind(flown.birthplace, alive, at);
            self.modulate(&mut particle, alive.id, age, birthplace, at);
        }
        particle.color[3] *= seen;
        particle.size = particle.size.map(|side| side * scale);
        particle.stretch = particle.stretch.min(self.most_stretch(&particle, scale));
        Some(particle)
    }

    /// The factor that makes a streak as long as its motion reaches.
    fn most_stretch(&self, particle: &Particle, scale: f32) -> f32 {
        match (&self.form, &self.motion) {
            (ParticleForm::Streak { secs }, Motion::Stepped(stepped)) => {
                scale * stepped.reach / (length(particle.velocity) * secs).max(f32::MIN_POSITIVE)
            }
            _ => f32::INFINITY,
        }
    }

    fn modulate(
        &self,
        particle: &mut Particle,
        id: [u32; 2],
        age: f32,
        birthplace: [f32; 3],
        at: &EmitterAt,
    ) {
        let of = Modulated {
            age,
            birthplace,
            born_secs: self.born_secs(particle.secs, at),
            world_from_emitter: &at.world_from_emitter,
            clock_secs: at.clock_secs,
            n_frames: self.frames.len() as u32,
        };
        for (number, modulation) in (0u32..).zip(&self.modulations) {
            let seed = self.seed ^ MODULATIONS ^ scattered(number);
            modulation.apply(particle, &of, Random::new(seed, id));
        }
    }

    /// Where a particle that was born at a place of the emitter has come to; `None` for one that its motion has ended.
    fn moved(
        &self,
        (world_from_emitter, born): (&Affine, Born),
        alive: Alive,
        at: &EmitterAt,
        stepper: Option<&Stepper<'_>>,
        random: &mut Random,
    ) -> Option<Flown> {
        let Born {
            place: start,
            outward,
        } = born;
        let (position, velocity) = match &self.motion {
            Motion::Stepped(_) => {
                self.stepped(stepper?, (world_from_emitter, &born), alive, at, random)?
            }
            Motion::Thrown(throw) => {
                let thrown = throw.velocity(outward, random);
                let Drift {
                    offset,
                    velocity,
                    speed_left,
                    thrown: reach,
                } = throw.drift(alive.secs, random);
                let place = [0, 1, 2].map(|axis| start[axis] + thrown[axis] * reach);
                let position = world_from_emitter.transform_point(place);
                let thrown = world_from_emitter.transform_vector(thrown);
                (
                    [0, 1, 2].map(|axis| position[axis] + offset[axis]),
                    [0, 1, 2].map(|axis| thrown[axis] * speed_left + velocity[axis]),
                )
            }
            Motion::Eased {
                travel,
                jitter,
                ease,
            } => {
                let age = alive.age();
                let travel = [0, 1, 2].map(|axis| travel[axis] + jitter[axis] * random.signed());
                let share = eased(age, *ease);
                let place = [0, 1, 2].map(|axis| start[axis] + travel[axis] * share);
                let rise = if *ease == 1.0 {
                    1.0
                } else {
                    ease * age.max(1e-6).powf(ease - 1.0)
                };
                let velocity = travel.map(|way| way * rise / alive.life_secs);
                (
                    world_from_emitter.transform_point(place),
                    world_from_emitter.transform_vector(velocity),
                )
            }
        };
        Some(Flown {
            position,
            velocity,
            birthplace: world_from_emitter.transform_point(start),
        })
    }

    /// When a particle of this age was born, since the emitter's window began.
    fn born_secs(&self, secs: f32, at: &EmitterAt) -> f32 {
        let begun = self.window.map_or(0.0, |window| window.start_secs);
        (at.clock_secs - f64::from(secs) - f64::from(begun)) as f32
    }

    /// Place and velocity in the world.
    fn stepped(
        &self,
        stepper: &Stepper<'_>,
        (world_from_emitter, born): (&Affine, &Born),
        alive: Alive,
        at: &EmitterAt,
        random: &mut Random,
    ) -> Option<([f32; 3], [f32; 3])> {
        let throw = &stepper.stepped.throw;
        let velocity = throw.velocity(born.outward, random);
        let start = Start {
            place: born.place.into(),
            velocity: velocity.into(),
            born_secs: self.born_secs(alive.secs, at),
            seed: Random::new(self.seed ^ STEPS, alive.id).bits(),
        };
        let [place, velocity] = stepper.after(&start, alive.secs)?.map(|it| it.to_array());
        let [offset, swaying] = throw.swayed(alive.secs, random);
        let position = world_from_emitter.transform_point(place);
        let velocity = world_from_emitter.transform_vector(velocity);
        Some((
            [0, 1, 2].map(|axis| position[axis] + offset[axis]),
            [0, 1, 2].map(|axis| velocity[axis] + swaying[axis]),
        ))
    }

    /// Where a particle is if its emitter has moved on since its birth.
    fn left_behind(&self, position: [f32; 3], alive: Alive, at: &EmitterAt) -> [f32; 3] {
        if !self.leaves_trail {
            return position;
        }
        [0, 1, 2].map(|axis| position[axis] - at.velocity[axis] * alive.secs)
    }

    fn frame_at(&self, age: f32, secs: f32, random: &mut Random) -> u32 {
        let n_frames = self.frames.len() as u32;
        let any = random.bits();
        match self.play {
            FramePlay::AtRandom => any % n_frames,
            FramePlay::OverLife { turns } => {
                // The end of the last turn is its last frame and not the first of another turn.
                let last = (n_frames as f32 * turns).ceil() as u32;
                let step = (age * turns * n_frames as f32) as u32;
                step.min(last.saturating_sub(1)) % n_frames
            }
            FramePlay::PerSecond { rate } => (secs * rate) as u32 % n_frames,
        }
    }

    /// Most particles that can be alive together.
    pub fn max_live(&self) -> u64 {
        let longest = f64::from(self.life_secs[1]);
        match &self.emission {
            // The casts saturate.
            Emission::Stream { per_sec } => {
                ((longest * f64::from(*per_sec)) as u64).saturating_add(1)
            }
            Emission::Bursts(bursts) => {
                let at_once: u64 = bursts.iter().map(|burst| u64::from(burst.count)).sum();
                let period = self.window.and_then(|window| window.period_secs);
                let repeats = period.map_or(1, |period| {
                    ((longest / f64::from(period)) as u64).saturating_add(1)
                });
                at_once.saturating_mul(repeats)
            }
            Emission::Steady { count } => (*count).into(),
        }
    }

    /// Where and when its particles are wanted at a moment, if any are shown then. `world_from_node` is where the node is
    /// that carries it, if one does.
    pub fn at(
        &self,
        moment: &EmitterState,
        world_from_node: impl FnOnce(u32, u32) -> Affine,
        eye: [f32; 3],
    ) -> Option<EmitterAt> {
        let world_from_emitter = moment
            .world_from_emitter
            .unwrap_or_else(|| match &self.anchor {
                Anchor::Place(world_from_emitter) => *world_from_emitter,
                Anchor::Node {
                    instance,
                    node,
                    node_from_emitter,
                } => world_from_node(*instance, *node).times(node_from_emitter),
                Anchor::Eye { .. } => Affine::IDENTITY,
            });
        let is_somewhere = moment.clock_secs.is_finite()
            && world_from_emitter.is_finite()
            && moment.velocity.iter().all(|it| it.is_finite());
        (moment.is_on && is_somewhere).then_some(EmitterAt {
            clock_secs: moment.clock_secs.into(),
            world_from_emitter,
            velocity: moment.velocity,
            eye,
            born_secs: moment.born_secs,
        })
    }
}

impl EmitterWindow {
    /// Whether particles are born at a time.
    pub fn is_open(&self, secs: f64) -> bool {
        let since_start = secs - f64::from(self.start_secs);
        let since_start = match self.period_secs {
            Some(period) if since_start >= 0.0 => since_start % f64::from(period),
            _ => since_start,
        };
        (0.0..=f64::from(self.duration_secs)).contains(&since_start)
    }
}

/// A direction of the world in the axes of an emitter; zero in one that is flat.
fn into_emitter(world_from_emitter: &Affine, direction: [f32; 3]) -> Vec3 {
    let emitter_from_world = (direction != [0.0; 3]).then(|| world_from_emitter.inverse());
    let turned = emitter_from_world
        .flatten()
        .map(|it| it.transform_vector(direction));
    turned.map_or(Vec3::ZERO, Vec3::from)
}

/// Where a particle has come to, in the world.
struct Flown {
    position: [f32; 3],
    velocity: [f32; 3],
    birthplace: [f32; 3],
}

/// Where a particle is born, in the axes of the emitter.
struct Born {
    place: [f32; 3],
    /// Away from the middle, of any length.
    outward: [f32; 3],
}

impl Born {
    fn at(place: [f32; 3]) -> Self {
        let outward = place;
        Self { place, outward }
    }
}

impl Shell {
    fn choose(self, random: &mut Random) -> Born {
        let Self {
            radii: [inner, outer],
            bias,
            is_half,
            offset: [least, greatest],
        } = self;
        let direction = random.direction(-1.0);
        let biased = [0, 1, 2].map(|axis| {
            let along = direction[axis] * bias[axis];
            if is_half[axis] { along.abs() } else { along }
        });
        let outward = match length(biased) {
            0.0 => direction,
            length => biased.map(|part| part / length),
        };
        // The volume within a radius grows with its third power.
        let share = random.unit();
        let hole = if outer > 0.0 {
            (inner / outer).powi(3)
        } else {
            0.0
        };
        let radius = outer * (hole + (1.0 - hole) * share).cbrt();
        let place = [0, 1, 2].map(|axis| {
            let moved = random.between([least[axis], greatest[axis]]);
            outward[axis] * radius + moved
        });
        Born { place, outward }
    }
}

impl BirthPath {
    /// `number` counts the particles that are born.
    fn choose(self, number: u32, random: &mut Random) -> [f32; 3] {
        let share = match self.count {
            0 => random.unit(),
            1 => 0.0,
            count => (number % count) as f32 / (count - 1) as f32,
        };
        let [from, bend, to] = self.points.map(Vec3::from);
        let place = from.lerp(bend, share).lerp(bend.lerp(to, share), share);
        let beside = Vec3::from(random.direction(-1.0)) * (self.radius * random.unit().cbrt());
        (place + beside).to_array()
    }
}

impl Birthplace {
    fn choose(self, [_, number]: [u32; 2], random: &mut Random) -> Born {
        Born::at(match self {
            Self::Shell(shell) => return shell.choose(random),
            Self::Path(path) => path.choose(number, random),
            Self::Point => [0.0; 3],
            Self::Ball { radius, is_hollow } => {
                // The volume within a radius grows with its third power.
                let share = if is_hollow { 1.0 } else { random.unit().cbrt() };
                random.direction(-1.0).map(|part| part * radius * share)
            }
            Self::Box { half_extent } => half_extent.map(|half| random.signed() * half),
            Self::Disc { radius, is_hollow } => {
                let share = if is_hollow { 1.0 } else { random.unit().sqrt() };
                let (sin, cos) = (random.unit() * std::f32::consts::TAU).sin_cos();
                [radius * share * cos, radius * share * sin, 0.0]
            }
        })
    }
}

/// Into the box around a middle, by whole sides of it.
fn wrapped(place: [f32; 3], middle: [f32; 3], half: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| {
        let side = 2.0 * half[axis];
        let from_edge = place[axis] - middle[axis] + half[axis];
        middle[axis] - half[axis] + from_edge.rem_euclid(side)
    })
}
