//! How particles move, in closed form: where they are after a time, without the way there.

use super::random::Random;
use super::stepped::Stepped;

/// How particles move from their birthplace.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// They are thrown, and then gravity, drag and wind act on them.
    Thrown(Throw),
    /// They are thrown, and then forces that depend on their place act on them as well.
    Stepped(Stepped),
    /// They go a way in a straight line in the course of their life.
    Eased {
        /// The way.
        travel: [f32; 3],
        /// How far the end of the way differs from particle to particle, along each axis, at most; at least 0.
        jitter: [f32; 3],
        /// They have come as far as their age to the power of this, as in [`super::Curve::ease`].
        ease: f32,
    },
}

/// A throw.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Throw {
    /// Turns the middle of all throws from +z to here; of unit length. Zero is +z.
    pub direction: [f32; 3],
    /// Greatest angle to that direction, `0.0..=pi`; within it all directions are alike.
    pub spread_rad: f32,
    /// Least and greatest speed in such a direction.
    pub speed: [f32; 2],
    /// Least and greatest speed away from the origin, which is added for those that are not born there.
    pub outward_speed: [f32; 2],
    /// Least and greatest velocity along each axis that is added to that.
    pub extra_velocity: [[f32; 3]; 2],
    /// Acceleration, in the axes of the world.
    pub gravity: [f32; 3],
    /// Share of the speed that the air takes per second: after a time `t` a share of `exp(-drag t)` of the speed through
    /// the air is left. At least 0.
    pub drag_per_sec: f32,
    /// Velocity of the air, in the axes of the world: what drag leads to.
    pub wind: [f32; 3],
    /// How far it sways along each axis of the world at most.
    pub sway: [f32; 3],
    /// Full cycles of the sway per second.
    pub sways_per_sec: f32,
}

impl Default for Motion {
    fn default() -> Self {
        Self::Thrown(Throw::default())
    }
}

impl Throw {
    /// The greatest speed with which particles leave.
    pub(super) fn fastest(&self) -> f32 {
        let largest = |range: [f32; 2]| range[0].abs().max(range[1].abs());
        let [least, greatest] = self.extra_velocity;
        let extra = [0, 1, 2].map(|axis: usize| largest([least[axis], greatest[axis]]));
        largest(self.speed) + largest(self.outward_speed) + length(extra)
    }
}

/// What a throw does to a particle apart from where it is thrown to.
pub(super) struct Drift {
    /// In the axes of the world.
    pub offset: [f32; 3],
    /// In the axes of the world.
    pub velocity: [f32; 3],
    /// How much of the speed of the throw is left.
    pub speed_left: f32,
    /// How far the throw alone leads for each unit of its speed.
    pub thrown: f32,
}

impl Throw {
    /// After a time since birth: of `x'' = gravity - drag (x' - wind)` the part that starts at rest, and the factors of
    /// the part that starts with the throw.
    pub(super) fn drift(&self, secs: f32, random: &mut Random) -> Drift {
        let [speed_left, thrown, fallen] = responses(self.drag_per_sec, secs);
        let mut drift = Drift {
            offset: [0.0; 3],
            velocity: [0.0; 3],
            speed_left,
            thrown,
        };
        let pull = self.steady_pull();
        let [offset, velocity] = self.swayed(secs, random);
        for axis in 0..3 {
            drift.offset[axis] = pull[axis] * fallen + offset[axis];
            drift.velocity[axis] = pull[axis] * thrown + velocity[axis];
        }
        drift
    }

    /// What accelerates particles at rest everywhere and always, in the axes of the world.
    pub(super) fn steady_pull(&self) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.gravity[axis] + self.drag_per_sec * self.wind[axis])
    }

    /// How far it has swayed after a time since birth, and how fast it sways then; in the axes of the world.
    pub(super) fn swayed(&self, secs: f32, random: &mut Random) -> [[f32; 3]; 2] {
        let mut swayed = [[0.0; 3]; 2];
        for (axis, sway) in self.sway.into_iter().enumerate().filter(|it| it.1 != 0.0) {
            let turns_per_sec = self.sways_per_sec * std::f32::consts::TAU;
            let phase = random.unit() * std::f32::consts::TAU;
            let angle = phase + turns_per_sec * secs;
            swayed[0][axis] = sway * (angle.sin() - phase.sin());
            swayed[1][axis] = sway * turns_per_sec * angle.cos();
        }
        swayed
    }

    /// The velocity of a throw, in the axes of the emitter; `outward` leads away from its middle.
    pub(super) fn velocity(&self, outward: [f32; 3], random: &mut Random) -> [f32; 3] {
        let mut velocity = [0.0; 3];
        if self.speed != [0.0; 2] {
            let direction = random.direction(self.spread_rad.cos());
            let speed = random.between(self.speed);
            velocity = turned(direction, self.direction).map(|part| part * speed);
        }
        let distance = length(outward);
        if self.outward_speed != [0.0; 2] && distance > 0.0 {
            let speed = random.between(self.outward_speed) / distance;
            velocity = std::array::from_fn(|axis| velocity[axis] + outward[axis] * speed);
        }
        let [least, greatest] = self.extra_velocity;
        if self.extra_velocity != [[0.0; 3]; 2] {
            velocity = std::array::from_fn(|axis| {
                velocity[axis] + random.between([least[axis], greatest[axis]])
            });
        }
        velocity
    }
}

/// What a unit speed at the start has become after a time, how far it has led, and how far a unit acceleration has led:
/// `exp(-k t)`, `(1 - exp(-k t)) / k` and `(t - (1 - exp(-k t)) / k) / k`.
pub(super) fn responses(drag_per_sec: f32, secs: f32) -> [f32; 3] {
    if drag_per_sec == 0.0 {
        return [1.0, secs, 0.5 * secs * secs];
    }
    let [k, t] = [drag_per_sec, secs].map(f64::from);
    let worn = -(-k * t).exp_m1();
    let thrown = worn / k;
    // The difference of two nearly equal numbers where there is hardly any drag.
    let fallen = if k * t < 1e-4 {
        t * t * (0.5 - k * t / 6.0)
    } else {
        (t - thrown) / k
    };
    [1.0 - worn, thrown, fallen].map(|it| it as f32)
}

/// A direction as the turn that takes +z to `to`, a unit vector, takes it; as it is where `to` is zero.
pub(super) fn turned([x, y, z]: [f32; 3], [to_x, to_y, to_z]: [f32; 3]) -> [f32; 3] {
    if to_x == 0.0 && to_y == 0.0 {
        // A half turn about x, or none.
        return if to_z < 0.0 { [x, -y, -z] } else { [x, y, z] };
    }
    // Rodrigues: about the axis (-to_y, to_x, 0), whose length is the sine; the cosine is to_z.
    let share = (to_x * y - to_y * x) / (1.0 + to_z).max(1e-6);
    [
        x * to_z + to_x * z - to_y * share,
        y * to_z + to_y * z + to_x * share,
        z * to_z - to_x * x - to_y * y,
    ]
}

pub(super) fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}
