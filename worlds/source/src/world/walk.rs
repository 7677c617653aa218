//! A step of a walker: on the ground, in the air, in water, on ladders.

use super::body::{Body, MASK, STEP_HEIGHT};
use crate::brush_map::content_bits;
use crate::game::WalkRules;
use glam::Vec3;
use ironlands_assets_source::bsp::Contents;
use ironlands_sim_brush::{CastScratch, ContentBits, Obstacles};
use ironlands_sim_world::{Gait, WalkInput, Walker};

/// Slowest and fastest speed that a user may choose.
const SPEEDS: [f32; 2] = [20.0, 1000.0];
/// Time constant of the eye's height.
const EYE_EASE_SECS: f32 = 0.06;
/// Over steps the eye stays this far above the feet, and this far below the top of its box.
const LOWEST_EYE: f32 = 16.0;
const EYE_CLEARANCE: f32 = 1.0;

/// Who rises faster is not on the ground.
const LEAVING_SPEED: f32 = 140.0;
/// Beyond any fall.
const MAX_SPEED: f32 = 3500.0;
/// Share of the speed that the ground takes per second.
const FRICTION: f32 = 4.0;
/// Share of the wanted speed that is gained per second in the air.
const AIR_ACCELERATION: f32 = 10.0;
/// Most that is steered in the air.
const AIR_SPEED: f32 = 30.0;

/// How near a ladder is held on to, and how fast it is climbed.
const LADDER_REACH: f32 = 2.0;
const CLIMB_SPEED: f32 = 200.0;
/// How near to its line a ladder without brushes is climbed, beside half the width of a walker.
const LINE_REACH: f32 = 8.0;
/// Speed of a jump from a ladder.
const LADDER_JUMP_SPEED: f32 = 270.0;

/// Share of the speed while swimming.
const SWIM_SPEED: f32 = 0.8;
/// How fast who does nothing sinks.
const SINK_SPEED: f32 = 60.0;
/// Speed of a jump out of water, and how near its bank is then.
const WATER_JUMP_SPEED: f32 = 300.0;
const BANK_REACH: f32 = 8.0;
/// What is swum in.
pub(super) const LIQUID: ContentBits = content_bits(Contents::WATER.union(Contents::SLIME));
/// What is climbed.
const LADDER: ContentBits = content_bits(Contents::LADDER);

/// Where a walker is: what stops it and carries it, and the rules that it moves by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    pub obstacles: Obstacles<'a>,
    /// Lower and upper end of each ladder that has no brushes.
    pub ladders: &'a [[Vec3; 2]],
    pub rules: &'a WalkRules,
    /// Below this a walker stops falling.
    pub floor: f32,
    /// A velocity that pushes it beside its own.
    pub push: Vec3,
}

/// The gait of the rules of a game.
pub(super) fn gait_of(rules: &WalkRules) -> Gait {
    Gait {
        speed: rules.speed,
        speeds: SPEEDS,
        eye_height: rules.eye_heights[0],
    }
}

/// Moves a walker for a step of time; numbers that are not finite move nothing.
pub(super) fn walk(
    ground: &Ground<'_>,
    scratch: &mut CastScratch,
    walker: &mut Walker,
    wish: &WalkInput,
    secs: f32,
) {
    let numbers = [walker.feet, walker.velocity, wish.view, wish.right];
    let is_sound = numbers.into_iter().all(Vec3::is_finite)
        && [walker.eye_height, wish.ahead, wish.aside, wish.speed]
            .into_iter()
            .all(f32::is_finite)
        && secs.is_finite()
        && secs > 0.0;
    if !is_sound {
        return;
    }
    let mut step = Step {
        body: Body {
            brushes: ground.obstacles,
            scratch,
            feet: walker.feet,
            velocity: walker.velocity,
            bounds: bounds_of(ground.rules, walker.crouched),
        },
        ground,
        walker,
        wish,
        secs,
    };
    step.body.come_free();
    step.duck();
    let start = step.body.feet;
    step.body.velocity += ground.push;
    step.go();
    step.body.velocity -= ground.push;
    step.end(start);
}

/// The box of a walker, relative to its feet.
pub(super) fn bounds_of(rules: &WalkRules, crouched: bool) -> [Vec3; 2] {
    let half = rules.half_width;
    [
        Vec3::new(-half, -half, 0.0),
        Vec3::new(half, half, height_of(rules, crouched)),
    ]
}

/// A step in progress.
struct Step<'a, 'b> {
    body: Body<'a>,
    ground: &'b Ground<'a>,
    walker: &'b mut Walker,
    wish: &'b WalkInput,
    secs: f32,
}

fn height_of(rules: &WalkRules, crouched: bool) -> f32 {
    let [standing, ducked] = rules.heights;
    if crouched { ducked } else { standing }
}

/// How deep a body is in water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    Dry,
    Feet,
    Waist,
    Eye,
}

impl Step<'_, '_> {
    fn go(&mut self) {
        self.walker.on_ground = self.body.velocity.z <= LEAVING_SPEED && self.body.is_on_floor();
        let depth = self.depth();
        self.walker.ladder = self.ladder();
        if let Some(normal) = self.walker.ladder {
            self.climb(normal);
        } else if depth >= Depth::Waist {
            self.swim(depth);
        } else {
            self.jump();
            if self.walker.on_ground {
                self.walk();
            } else {
                self.fly();
            }
        }
        self.walker.has_jumped = self.wish.jump;
    }

    /// What holds however it moved: never in solid, never faster than any fall, and no way out below the world.
    fn end(mut self, start: Vec3) {
        let (rules, floor) = (self.ground.rules, self.ground.floor);
        if self.body.is_stuck_at(self.body.feet) && !self.body.is_stuck_at(start) {
            self.body.feet = start;
            self.body.velocity = Vec3::ZERO;
        }
        if self.body.feet.z < floor {
            self.body.feet.z = floor;
            self.body.velocity.z = 0.0;
        }
        let Self {
            body, walker, secs, ..
        } = self;
        // The eye glides over steps; it falls and rises with the body.
        let rise = body.feet.z - start.z;
        if walker.on_ground && rise.abs() <= STEP_HEIGHT {
            walker.eye_height -= rise;
        }
        let [standing_eye, ducked_eye] = rules.eye_heights;
        let (goal, highest) = if walker.crouched {
            (ducked_eye, standing_eye)
        } else {
            // Some games have eyes above the box.
            (
                standing_eye,
                standing_eye.max(rules.heights[0] - EYE_CLEARANCE),
            )
        };
        walker.eye_height += (goal - walker.eye_height) * secs / (secs + EYE_EASE_SECS);
        walker.eye_height = walker.eye_height.clamp(LOWEST_EYE, highest);
        walker.feet = body.feet;
        walker.velocity = body.velocity.clamp_length_max(MAX_SPEED);
    }

    /// Ducks and rises as wished, as far as there is room. In the air the feet are drawn up instead of the head down.
    fn duck(&mut self) {
        let rules = self.ground.rules;
        let lift = rules.heights[0] - rules.heights[1];
        if self.wish.crouch == self.walker.crouched {
            return;
        }
        let is_in_air = !self.walker.on_ground && self.walker.ladder.is_none();
        let moved = match (self.wish.crouch, is_in_air) {
            (true, true) => lift,
            (false, true) => -lift,
            (_, false) => 0.0,
        };
        let before = self.body.bounds;
        self.body.bounds = bounds_of(rules, self.wish.crouch);
        for rise in [moved, 0.0] {
            let feet = self.body.feet + Vec3::Z * rise;
            if !self.body.is_stuck_at(feet) {
                self.body.feet = feet;
                self.walker.eye_height -= rise;
                self.walker.crouched = self.wish.crouch;
                return;
            }
        }
        self.body.bounds = before;
    }

    fn jump(&mut self) {
        if self.walker.on_ground && self.wish.jump && !self.walker.has_jumped {
            self.body.velocity.z = self.ground.rules.jump_speed;
            self.walker.on_ground = false;
            self.gain_by_jump();
        }
    }

    /// A jump ahead adds to the speed, up to as much above the wanted one.
    fn gain_by_jump(&mut self) {
        let WalkInput {
            right,
            ahead,
            speed,
            ..
        } = *self.wish;
        let [standing, ducked] = self.ground.rules.jump_gain;
        let share = if self.walker.crouched {
            ducked
        } else {
            standing
        };
        if share == 0.0 || ahead == 0.0 {
            return;
        }
        let gain = (ahead * speed * share).abs();
        let now = self.body.velocity.truncate().length();
        let gain = gain.min(speed * (1.0 + share) - now);
        self.body.velocity += Vec3::Z.cross(right) * gain * ahead.signum();
    }

    fn walk(&mut self) {
        self.body.velocity.z = 0.0;
        self.slow_down(FRICTION, self.ground.rules.stop_speed);
        let (direction, speed) = self.wanted_on_ground();
        let gained = self.ground.rules.acceleration * speed;
        self.speed_up(direction, speed, gained);
        if self.body.velocity.length() < 1.0 {
            self.body.velocity = Vec3::ZERO;
        } else {
            self.body.slide_over_steps(self.secs);
        }
        self.body.stay_on_ground();
    }

    fn fly(&mut self) {
        let fall = Vec3::Z * (self.ground.rules.gravity * self.secs * 0.5);
        self.body.velocity -= fall;
        let (direction, speed) = self.wanted_on_ground();
        let direction = match self.body.steep_below() {
            // What is steered into a slope would lead up it, the more steps there are in a second.
            Some(normal) => {
                let level = normal.with_z(0.0).normalize_or_zero();
                direction - level * direction.dot(level).min(0.0)
            }
            None => direction,
        };
        self.speed_up(direction, speed.min(AIR_SPEED), AIR_ACCELERATION * speed);
        self.body.slide(self.secs);
        self.body.velocity -= fall;
        self.walker.on_ground = self.body.velocity.z <= LEAVING_SPEED && self.body.is_on_floor();
        if self.walker.on_ground {
            self.body.velocity.z = 0.0;
        }
    }

    fn swim(&mut self, depth: Depth) {
        let WalkInput {
            view,
            right,
            ahead,
            aside,
            speed,
            jump,
            crouch,
        } = *self.wish;
        let mut wanted = (view * ahead + right * aside) * speed;
        if crouch {
            wanted.z -= speed;
        }
        if jump {
            wanted.z += speed;
        } else if wanted == Vec3::ZERO {
            wanted.z -= SINK_SPEED;
        }
        let wanted = wanted.clamp_length_max(speed.max(SINK_SPEED)) * SWIM_SPEED;
        self.slow_down(FRICTION, 0.0);
        let speed = wanted.length();
        self.speed_up(wanted.normalize_or_zero(), speed, AIR_ACCELERATION * speed);
        if jump && depth == Depth::Waist && self.is_wall_ahead() {
            self.body.velocity.z = WATER_JUMP_SPEED;
        }
        self.body.slide_over_steps(self.secs);
    }

    /// Whether something stands in the way that is wanted.
    fn is_wall_ahead(&mut self) -> bool {
        let (direction, _) = self.wanted_on_ground();
        let feet = self.body.feet;
        let ahead = self.body.trace(feet, feet + direction * BANK_REACH, MASK);
        ahead.fraction < 1.0
    }

    /// The ladder that is held on to: that of the step before, or the one that is walked into.
    fn ladder(&mut self) -> Option<Vec3> {
        let toward = match self.walker.ladder {
            Some(normal) => -normal,
            None => self.wanted_on_ground().0,
        };
        if toward == Vec3::ZERO {
            return None;
        }
        let feet = self.body.feet;
        let mask = MASK | LADDER;
        let near = self.body.trace(feet, feet + toward * LADDER_REACH, mask);
        let hit = near.hit.filter(|hit| hit.contents.contains(LADDER));
        let level = match hit {
            Some(hit) => hit.normal.with_z(0.0).try_normalize()?,
            None => self.line_ladder(toward)?,
        };
        let WalkInput {
            jump, ahead, aside, ..
        } = *self.wish;
        if jump && !self.walker.has_jumped && self.walker.on_ladder() {
            self.body.velocity = level * LADDER_JUMP_SPEED;
            return None;
        }
        // Who stands before it and walks away from it, or only along it, is not on it.
        let away = self.wanted_on_ground().0.dot(level);
        let leaves = self.walker.on_ground && (away > 0.0 || (ahead == 0.0 && aside == 0.0));
        (!leaves).then_some(level)
    }

    /// The side from which a ladder without brushes is climbed that is walked at, or held on to.
    fn line_ladder(&self, toward: Vec3) -> Option<Vec3> {
        let feet = self.body.feet;
        let reach = self.ground.rules.half_width + LINE_REACH;
        let is_near = |[low, high]: &&[Vec3; 2]| {
            let is_between = (low.z - STEP_HEIGHT..high.z).contains(&feet.z);
            let share = ((feet.z - low.z) / (high.z - low.z)).clamp(0.0, 1.0);
            let away = low.lerp(*high, share) - feet;
            let is_ahead = self.walker.on_ladder() || away.dot(toward) >= 0.0;
            is_between && is_ahead && away.truncate().length() <= reach
        };
        let level = toward.with_z(0.0).try_normalize()?;
        self.ground
            .ladders
            .iter()
            .any(|it| is_near(&it))
            .then_some(-level)
    }

    /// Along the line of sight; what would lead into the ladder leads up or down it.
    fn climb(&mut self, normal: Vec3) {
        let WalkInput {
            view,
            right,
            ahead,
            aside,
            speed,
            ..
        } = *self.wish;
        let wanted = (view * ahead + right * aside) * CLIMB_SPEED.min(speed);
        let into = wanted.dot(normal);
        let across = wanted - normal * into;
        self.body.velocity = across - Vec3::Z * into;
        self.body.slide(self.secs);
    }

    /// Direction on the ground and speed.
    fn wanted_on_ground(&self) -> (Vec3, f32) {
        let WalkInput {
            right,
            ahead,
            aside,
            speed,
            ..
        } = *self.wish;
        let wanted = Vec3::Z.cross(right) * ahead + right * aside;
        let share = wanted.length().min(1.0);
        let slower = if self.walker.crouched {
            self.ground.rules.ducked_speed
        } else {
            1.0
        };
        (
            wanted.normalize_or_zero().with_z(0.0),
            share * speed * slower,
        )
    }

    fn slow_down(&mut self, friction: f32, stop_speed: f32) {
        let speed = self.body.velocity.length();
        if speed > 0.0 {
            let loss = speed.max(stop_speed) * friction * self.secs;
            self.body.velocity *= (speed - loss).max(0.0) / speed;
        }
    }

    /// Up to `goal` along a direction, by `gained` per second.
    fn speed_up(&mut self, direction: Vec3, goal: f32, gained: f32) {
        let missing = goal - self.body.velocity.dot(direction);
        if missing > 0.0 {
            let won = (gained * self.secs).min(missing);
            self.body.velocity += direction * won;
        }
    }

    fn depth(&self) -> Depth {
        let feet = self.body.feet;
        let is_wet = |height: f32| {
            self.body
                .brushes
                .contents_at(feet + Vec3::Z * height)
                .intersects(LIQUID)
        };
        match () {
            () if !is_wet(1.0) => Depth::Dry,
            () if !is_wet(height_of(self.ground.rules, self.walker.crouched) * 0.5) => Depth::Feet,
            () if !is_wet(self.walker.eye_height) => Depth::Waist,
            () => Depth::Eye,
        }
    }
}
