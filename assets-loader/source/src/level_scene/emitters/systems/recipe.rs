//! One particle system, its functions read together. What they do is from Valve's developer wiki; angles of functions are in
//! degrees, colors in display space, times in seconds or shares of a life.

use std::collections::BTreeSet;

use ironlands_scene::{BirthPath, ParticleForm, Rope, Shell, Throw};

use super::flight::{Flight, STEP_SECS, Target};
use super::points::ControlPoints;
use super::ramp::{Ease, Ramp};
use super::scalars::Scalar;
use crate::pcf::{Function, FunctionList, Parameters, ParticleSystem};

/// Most particles of a system, whatever it says.
const MAX_PARTICLES: i32 = 5000;
/// From here on a distance is no limit.
const FARTHEST: f32 = 100_000.0;
/// The shortest life.
pub(super) const SHORTEST_LIFE_SECS: f32 = 1e-3;
/// In most ways particles of a system are born, and drawn, and most changes of one kind.
const MAX_PARTS: usize = 8;
const MAX_RAMPS: usize = 32;
/// What a function says that acts only when its system has been stopped.
const END_CAP: i32 = 1;
/// Number of the position among what functions can change.
const FIELD_POSITION: i32 = 0;

/// A system as far as emitters can follow it.
#[derive(Debug)]
pub(super) struct Recipe {
    /// In how many ways particles are born.
    pub births: Vec<Birth>,
    /// In how many ways they are drawn.
    pub pictures: Vec<Picture>,
    /// First and last number of the sequences that they show.
    pub sequences: [u32; 2],
    /// Where they are born, around the control point.
    pub shell: Shell,
    /// Where they are born instead, in the axes of the world.
    pub path: Option<BirthPath>,
    /// Ages at birth.
    pub start_age: [f32; 2],
    pub flight: Flight,
    /// Where they fly to.
    pub target: Option<Target>,
    pub scalars: Vec<Scalar>,
    /// Whether the light of the level falls on them.
    pub is_lit: bool,
    /// At which control point that is.
    pub control_point: i32,
    /// Whether it has the axes of the control point.
    pub is_local: bool,
    /// Whether particles move along with it.
    pub is_locked: bool,
    pub angle_rad: [f32; 2],
    /// From where on nothing is seen of it; 0 for no limit.
    pub draw_distance: f32,
    pub max_particles: u32,
    /// Whether anything ends particles, moves them and turns them.
    pub dies: bool,
    pub moves: bool,
    pub spins: bool,
    pub life: [f32; 2],
    /// A life is as long as a sequence at this speed, if it has one.
    pub life_frames_per_sec: Option<f32>,
    /// When nothing more is born, if ever.
    pub ends_secs: Option<f32>,
    pub radius: [f32; 2],
    pub colors: [[f32; 3]; 2],
    pub alpha: [f32; 2],
    pub spin: [f32; 2],
    pub trail_secs: [f32; 2],
    pub steady_spin: f32,
    pub throw: Throw,
    pub alpha_ramps: Vec<Ramp>,
    pub radius_ramps: Vec<Ramp>,
    pub color_fades: Vec<(Ramp, [f32; 3])>,
}

/// When particles are born.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Birth {
    Stream {
        from_secs: f32,
        /// `None` without an end.
        for_secs: Option<f32>,
        per_sec: f32,
    },
    Burst {
        at_secs: f32,
        count: u32,
    },
    /// Always as many.
    Count {
        from_secs: f32,
        /// `None` without an end.
        for_secs: Option<f32>,
        count: u32,
    },
}

/// How particles are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Picture {
    pub form: ParticleForm,
    /// Whether a sequence takes a life.
    pub fits_life: bool,
    /// Sequences a second, or frames.
    pub rate: f32,
    pub is_rate_of_frames: bool,
}

impl Recipe {
    /// Reads a system; functions that no emitter can follow join those that are left out.
    pub fn new(
        system: &ParticleSystem<'_>,
        points: &ControlPoints<'_>,
        left_out: &mut BTreeSet<String>,
    ) -> Self {
        let own = system.parameters();
        let [r, g, b, alpha] = own.color("color", [1.0; 4]);
        let sequence = u32::try_from(own.int("sequence_number", 0)).unwrap_or(0);
        let turned = own.number("rotation", 0.0).to_radians();
        let initial = own.int("initial_particles", 0);
        let mut recipe = Self {
            births: Vec::new(),
            pictures: Vec::new(),
            sequences: [sequence; 2],
            shell: Shell {
                radii: [0.0; 2],
                bias: [1.0; 3],
                is_half: [false; 3],
                offset: [[0.0; 3]; 2],
            },
            path: None,
            start_age: [0.0; 2],
            flight: Flight::default(),
            target: None,
            scalars: Vec::new(),
            is_lit: false,
            control_point: 0,
            is_local: false,
            is_locked: false,
            angle_rad: [turned; 2],
            draw_distance: match own.number("maximum draw distance", 0.0) {
                distance if distance < FARTHEST => distance.max(0.0),
                _ => 0.0,
            },
            max_particles: own.int("max_particles", 1000).clamp(1, MAX_PARTICLES) as u32,
            dies: false,
            moves: false,
            spins: false,
            life: [1.0; 2],
            life_frames_per_sec: None,
            ends_secs: None,
            radius: [own.number("radius", 5.0); 2],
            colors: [[r, g, b]; 2],
            alpha: [alpha; 2],
            spin: [own.number("rotation_speed", 0.0).to_radians(); 2],
            trail_secs: [0.1; 2],
            steady_spin: 0.0,
            throw: Throw::default(),
            alpha_ramps: Vec::new(),
            radius_ramps: Vec::new(),
            color_fades: Vec::new(),
        };
        if initial > 0 {
            let count = initial.unsigned_abs();
            recipe.births.push(Birth::Burst {
                at_secs: 0.0,
                count,
            });
        }
        // Times of some operators are seconds of a life, which an initializer has.
        let is_first = |it: &Function<'_>| it.list == FunctionList::Initializers;
        let functions = system.functions().filter(acts_from_the_start);
        let (first, others): (Vec<_>, Vec<_>) = functions.partition(is_first);
        for function in first.into_iter().chain(others) {
            let name = function.name();
            let parameters = &function.parameters;
            let lower = name.to_lowercase();
            let is_drawn = match function.list {
                FunctionList::Renderers => recipe.render(&lower, parameters),
                FunctionList::Operators => {
                    recipe.operate(&lower, parameters)
                        || recipe.fly(&lower, parameters, points)
                        || recipe.follow(&lower, parameters, points)
                        || recipe.remap(&lower, parameters, points)
                        || recipe.along_path(&lower, parameters, points)
                }
                FunctionList::Initializers => {
                    recipe.initialize(&lower, parameters)
                        || recipe.begin(&lower, parameters, points)
                        || recipe.begin_with(&lower, parameters)
                        || recipe.along_path(&lower, parameters, points)
                }
                FunctionList::Emitters => recipe.emit(&lower, parameters),
                FunctionList::Forces | FunctionList::Constraints => {
                    recipe.fly(&lower, parameters, points)
                }
            };
            if !is_drawn {
                left_out.insert(name);
            }
        }
        recipe.fly_to_target(points);
        recipe.end_births();
        recipe
    }

    /// Nothing is born after the end.
    fn end_births(&mut self) {
        let Some(ends_secs) = self.ends_secs else {
            return;
        };
        self.births.retain_mut(|birth| match birth {
            Birth::Stream {
                from_secs,
                for_secs,
                ..
            }
            | Birth::Count {
                from_secs,
                for_secs,
                ..
            } => {
                let left = ends_secs - *from_secs;
                *for_secs = Some(for_secs.map_or(left, |secs| secs.min(left)));
                left > 0.0
            }
            Birth::Burst { at_secs, .. } => *at_secs <= ends_secs,
        });
    }

    fn render(&mut self, name: &str, p: &Parameters<'_>) -> bool {
        if self.pictures.len() >= MAX_PARTS {
            return false;
        }
        let form = match name {
            "render_animated_sprites" => match p.int("orientation_type", 0) {
                1 => ParticleForm::Upright,
                2 => ParticleForm::Flat,
                _ => ParticleForm::Sprite,
            },
            "render_sprite_trail" => ParticleForm::Streak {
                secs: mean(self.trail_secs).max(0.0),
            },
            "render_rope" => ParticleForm::Rope(Rope {
                segments: p
                    .int("subdivision_count", 3)
                    .clamp(1, Rope::MAX_SEGMENTS as i32)
                    .unsigned_abs(),
                // A texel; how many of them a frame has, its texture says.
                frame_length: p.number("texel_size", 4.0).clamp(1e-3, 1.0e3),
                frames_per_sec: p.number("texture_scroll_rate", 0.0).clamp(-1.0e4, 1.0e4),
            }),
            _ => return false,
        };
        self.pictures.push(Picture {
            form,
            fits_life: p.flag("animation_fit_lifetime", false),
            rate: p.number("animation rate", 0.1).max(0.0),
            is_rate_of_frames: p.flag("use animation rate as FPS", false),
        });
        true
    }

    fn emit(&mut self, name: &str, p: &Parameters<'_>) -> bool {
        if self.births.len() >= MAX_PARTS {
            return false;
        }
        let from_secs = p.number("emission_start_time", 0.0).max(0.0);
        let for_secs = Some(p.number("emission_duration", 0.0)).filter(|secs| *secs > 0.0);
        let stream = |per_sec: f32| Birth::Stream {
            from_secs,
            for_secs,
            per_sec,
        };
        let count = |key: &str, default: i32| u32::try_from(p.int(key, default)).unwrap_or(0);
        let birth = match name {
            "emit_continuously" => stream(p.number("emission_rate", 100.0)),
            "emit noise" => {
                let range = ["emission minimum", "emission maximum"];
                let [least, most] = [p.number(range[0], 0.0), p.number(range[1], 100.0)];
                stream(mean([least, most]))
            }
            "emit_instantaneously" => Birth::Burst {
                at_secs: from_secs,
                count: match count("num_to_emit_minimum", -1) {
                    0 => count("num_to_emit", 100),
                    least => least.midpoint(count("num_to_emit", 100)),
                },
            },
            "emit to maintain count" => Birth::Count {
                from_secs: p.number("emission start time", 0.0).max(0.0),
                for_secs: None,
                count: count("count to maintain", 100),
            },
            _ => return false,
        };
        self.births.extend(Some(birth).filter(|it| !it.is_none()));
        true
    }

    fn initialize(&mut self, name: &str, p: &Parameters<'_>) -> bool {
        let range = |keys: [&str; 2], default: f32| keys.map(|key| p.number(key, default));
        match name {
            "lifetime random" => {
                let lives = range(["lifetime_min", "lifetime_max"], 0.0);
                self.life = sorted(lives.map(|it| it.max(SHORTEST_LIFE_SECS)));
            }
            "radius random" => self.radius = range(["radius_min", "radius_max"], 1.0),
            "alpha random" => {
                let whole = range(["alpha_min", "alpha_max"], 255.0);
                self.alpha = whole.map(|it| (it / 255.0).clamp(0.0, 1.0));
            }
            "color random" => {
                let color = |key| {
                    let [rgb @ .., _] = p.color(key, [1.0; 4]);
                    rgb
                };
                self.colors = ["color1", "color2"].map(color);
            }
            "rotation random" => {
                let from = p.number("rotation_initial", 0.0);
                let most = p.number("rotation_offset_max", 360.0);
                let offsets = [p.number("rotation_offset_min", 0.0), most];
                self.angle_rad = offsets.map(|it| (from + it).to_radians());
            }
            "rotation speed random" => {
                let steady = p.number("rotation_speed_constant", 0.0);
                let least = p.number("rotation_speed_random_min", 0.0);
                let greatest = p.number("rotation_speed_random_max", 360.0);
                let speeds = [least, greatest].map(|it| (steady + it).to_radians());
                let fastest = speeds
                    .into_iter()
                    .fold(0.0, |it: f32, speed| it.max(speed.abs()));
                self.spin = match p.flag("randomly_flip_direction", true) {
                    true => [-fastest, fastest],
                    false => speeds,
                };
            }
            "sequence random" => {
                let numbers = ["sequence_min", "sequence_max"];
                let numbers = numbers.map(|key| u32::try_from(p.int(key, 0)).unwrap_or(0));
                self.sequences = [numbers[0].min(numbers[1]), numbers[0].max(numbers[1])];
            }
            "trail length random" => self.trail_secs = range(["length_min", "length_max"], 0.1),
            "position within sphere random" => self.in_sphere(p),
            "position within box random" => {
                self.control_point = p.int("control point number", 0);
                self.is_local |= p.flag("use local space", false);
                self.move_by(p.vec3("min", [0.0; 3]), p.vec3("max", [0.0; 3]));
            }
            "position modify offset random" => {
                self.is_local |= p.flag("offset in local space 0/1", false);
                self.move_by(
                    p.vec3("offset min", [0.0; 3]),
                    p.vec3("offset max", [0.0; 3]),
                );
            }
            "position along ring" => {
                let radius = p.number("initial radius", 0.0);
                let half = 0.5 * p.number("thickness", 0.0).abs();
                self.control_point = p.int("control point number", 0);
                self.shell.radii = [radius - half, radius + half].map(|it| it.max(0.0));
                self.shell.bias = [1.0, 1.0, 0.0];
                let speeds = range(["min initial speed", "max initial speed"], 0.0);
                self.throw.outward_speed = speeds;
            }
            "velocity random" => {
                self.throw.speed = range(["random_speed_min", "random_speed_max"], 0.0);
                self.throw.spread_rad = std::f32::consts::PI;
                self.speed_up_local(p);
            }
            "move particles between 2 control points" => self.target = Some(Target::new(p)),
            "color lit per particle" => self.is_lit = true,
            "lifetime pre-age noise" => {
                let ages = range(["start age minimum", "start age maximum"], 0.0);
                self.start_age = sorted(ages.map(|it| it.clamp(0.0, 0.99)));
            }
            "velocity noise" => {
                self.is_local |= p.flag("Apply Velocity in Local Space (0/1)", false);
                let least = p.vec3("output minimum", [0.0; 3]);
                self.speed_up(least, p.vec3("output maximum", [1.0; 3]));
            }
            _ => return false,
        }
        true
    }

    fn in_sphere(&mut self, p: &Parameters<'_>) {
        self.control_point = p.int("control_point_number", 0);
        let radii = ["distance_min", "distance_max"].map(|key| p.number(key, 0.0).max(0.0));
        self.shell.radii = sorted(radii);
        self.shell.bias = p.vec3("distance_bias", [1.0; 3]);
        let half = p.vec3("distance_bias_absolute_value", [0.0; 3]);
        self.shell.is_half = half.map(|it| it != 0.0);
        self.is_local |= p.flag("bias in local system", false);
        self.throw.outward_speed = ["speed_min", "speed_max"].map(|key| p.number(key, 0.0));
        self.speed_up_local(p);
    }

    /// Speeds ahead, to the right and up, as the game has them.
    fn speed_up_local(&mut self, p: &Parameters<'_>) {
        let keys = [
            "speed_in_local_coordinate_system_min",
            "speed_in_local_coordinate_system_max",
        ];
        let to_left = |[x, y, z]: [f32; 3]| [x, -y, z];
        let [least, greatest] = keys.map(|key| to_left(p.vec3(key, [0.0; 3])));
        self.is_local |= least != [0.0; 3] || greatest != [0.0; 3];
        self.speed_up(least, greatest);
    }

    fn speed_up(&mut self, least: [f32; 3], greatest: [f32; 3]) {
        let [from, to] = &mut self.throw.extra_velocity;
        *from = sum(*from, least);
        *to = sum(*to, greatest);
    }

    fn move_by(&mut self, least: [f32; 3], greatest: [f32; 3]) {
        let [from, to] = &mut self.shell.offset;
        *from = sum(*from, least);
        *to = sum(*to, greatest);
    }

    fn operate(&mut self, name: &str, p: &Parameters<'_>) -> bool {
        let n_fades = self.alpha_ramps.len().max(self.color_fades.len());
        if n_fades.max(self.radius_ramps.len()) >= MAX_RAMPS {
            return false;
        }
        let life = mean(self.life);
        // The mean of two times, as a share of a life.
        let share = |keys: [&str; 2], default: f32| {
            let time = mean(keys.map(|key| p.number(key, default)));
            match p.flag("proportional 0/1", true) {
                true => time,
                false => time / life,
            }
        };
        match name {
            "lifespan decay" => self.dies = true,
            "movement basic" => {
                self.moves = true;
                self.throw.gravity = sum(self.throw.gravity, p.vec3("gravity", [0.0; 3]));
                let kept = 1.0 - p.number("drag", 0.0).clamp(0.0, 0.999);
                self.throw.drag_per_sec = -kept.ln() / STEP_SECS;
            }
            "rotation basic" => self.spins = true,
            "rotation spin roll" => {
                self.steady_spin += p.number("spin_rate_degrees", 0.0).to_radians();
            }
            "movement lock to control point" => self.is_locked = true,
            "alpha fade in random" => {
                let end = share(["fade in time min", "fade in time max"], 0.25);
                self.alpha_ramps.push(Ramp::up([0.0, end]));
            }
            "alpha fade in simple" => {
                let end = p.number("proportional fade in time", 0.25);
                self.alpha_ramps.push(Ramp::up([0.0, end]));
            }
            "alpha fade out random" => {
                let start = share(["fade out time min", "fade out time max"], 0.25);
                self.alpha_ramps.push(Ramp::down([start, 1.0]));
            }
            "alpha fade out simple" => {
                let start = 1.0 - p.number("proportional fade out time", 0.25);
                self.alpha_ramps.push(Ramp::down([start, 1.0]));
            }
            "alpha fade and decay" | "alpha fade and decay for tracers" => {
                self.dies = true;
                let at = |key, default| p.number(key, default);
                let [rise_from, rise_to] =
                    [at("start_fade_in_time", 0.0), at("end_fade_in_time", 0.5)];
                let [fall_from, fall_to] =
                    [at("start_fade_out_time", 0.5), at("end_fade_out_time", 1.0)];
                self.alpha_ramps.push(Ramp {
                    values: [at("start_alpha", 1.0), 1.0],
                    ..Ramp::up([rise_from, rise_to])
                });
                self.alpha_ramps.push(Ramp {
                    values: [1.0, at("end_alpha", 0.0)],
                    ..Ramp::down([fall_from, fall_to])
                });
            }
            "radius scale" => self.radius_ramps.push(Ramp {
                ages: ["start_time", "end_time"].map(|key| {
                    let default = if key == "end_time" { 1.0 } else { 0.0 };
                    p.number(key, default)
                }),
                values: ["radius_start_scale", "radius_end_scale"].map(|key| p.number(key, 1.0)),
                ease: match p.flag("ease_in_and_out", false) {
                    true => Ease::Smooth,
                    false => Ease::Bias(p.number("scale_bias", 0.5)),
                },
            }),
            "color fade" => {
                let [rgb @ .., _] = p.color("color_fade", [1.0; 4]);
                let ages = [
                    p.number("fade_start_time", 0.0),
                    p.number("fade_end_time", 1.0),
                ];
                let ease = match p.flag("ease_in_and_out", true) {
                    true => Ease::Smooth,
                    false => Ease::Bias(0.5),
                };
                let ramp = Ramp {
                    ease,
                    ..Ramp::up(ages)
                };
                self.color_fades.push((ramp, rgb));
            }
            "oscillate vector" | "oscillate vector simple"
                if p.int("oscillation field", FIELD_POSITION) == FIELD_POSITION =>
            {
                self.sway(p);
            }
            _ => return false,
        }
        true
    }

    /// A place that swings is off by the integral of its speed.
    fn sway(&mut self, p: &Parameters<'_>) {
        // The simple kind has one vector for each range.
        let means = |key: &str, default: [f32; 3]| {
            let one = p.vec3(key, default);
            let [least, most] = ["min", "max"].map(|end| p.vec3(&format!("{key} {end}"), one));
            [0, 1, 2].map(|axis: usize| match (least.get(axis), most.get(axis)) {
                (Some(least), Some(most)) => mean([*least, *most]),
                _ => 0.0,
            })
        };
        let rates = means("oscillation rate", [0.0; 3]);
        let [x, y, z] = means("oscillation frequency", [1.0; 3]);
        let half_turns = p.number("oscillation multiplier", 2.0) * (x + y + z) / 3.0;
        if half_turns > 0.0 {
            let angle_per_sec = half_turns * std::f32::consts::PI;
            self.throw.sway = rates.map(|rate| rate / angle_per_sec);
            self.throw.sways_per_sec = 0.5 * half_turns;
        }
    }
}

/// Whether a function does not wait for its system to be stopped.
pub(super) fn acts_from_the_start(function: &Function<'_>) -> bool {
    function.parameters.int("operator end cap state", -1) != END_CAP
}

pub(super) fn mean([a, b]: [f32; 2]) -> f32 {
    0.5 * a + 0.5 * b
}

pub(super) fn sorted([a, b]: [f32; 2]) -> [f32; 2] {
    [a.min(b), a.max(b)]
}

pub(super) fn sum([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a + x, b + y, c + z]
}
