//! Forces, constraints and movements of a particle system. Names and defaults of parameters are from Valve's developer wiki
//! and files of others; what a force does at which distance, and to which side, is from memory of the games.

use ironlands_scene::{
    Affine, BirthPath, Birthplace, Constraint, Emitter, EmitterAt, EmitterState, Force, Motion,
    Stepped, Throw,
};

use super::points::ControlPoints;
use super::recipe::{Recipe, SHORTEST_LIFE_SECS, sorted, sum};
use crate::pcf::Parameters;

/// Games step particles once a frame; drag is theirs for steps of this length.
pub(super) const STEP_SECS: f32 = 1.0 / 30.0;
/// What steps of one emitter may cost for a frame: some milliseconds.
const MOST_STEPS: u64 = 1 << 20;
/// Most forces, and most constraints, of a system.
const MOST_OF_A_KIND: usize = 16;
/// What forces, speeds and lengths of a map can be.
const LARGEST: f32 = 1.0e6;
/// At this many ages particles are looked at for how far they get.
const N_AGES: u16 = 8;
/// How many times as far as that they may get before they are no longer shown, and how much farther.
const REACH_MARGIN: [f32; 2] = [2.0, 64.0];
/// Parts of a speed that are left along a surface, for those that say no more than that nothing passes it.
const SLIDING: [f32; 2] = [0.0, 1.0];

/// What moves particles of a system besides a throw, in the axes of the world.
#[derive(Debug, Default)]
pub(super) struct Flight {
    forces: Vec<Force>,
    constraints: Vec<Constraint>,
}

/// From the axes of the world to those of an emitter, which has no scale.
pub(super) struct Axes(Affine);

impl Axes {
    pub fn new(emitter: &Affine) -> Self {
        Self(emitter.inverse().unwrap_or_default())
    }

    pub fn place(&self, place: [f32; 3]) -> [f32; 3] {
        self.0.transform_point(place)
    }

    pub fn direction(&self, direction: [f32; 3]) -> [f32; 3] {
        self.0.transform_vector(direction)
    }
}

impl Flight {
    /// The motion of particles that are thrown like this by an emitter at a place.
    ///
    /// Without anything that moves them forces do nothing.
    fn motion(&self, throw: Throw, moves: bool, emitter: &Affine) -> Motion {
        let axes = Axes::new(emitter);
        let forces = self.forces.iter().filter(|_| moves);
        Motion::Stepped(Stepped {
            throw,
            step_secs: STEP_SECS,
            forces: forces.map(|it| axes.force(it)).collect(),
            constraints: (self.constraints.iter())
                .map(|it| axes.constraint(it))
                .collect(),
            reach: LARGEST,
        })
    }
}

/// Another control point that particles fly to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    control_point: i32,
    /// Least and greatest, above 0.
    speed: [f32; 2],
    /// How far beside it they come.
    spread: f32,
}

impl Target {
    pub fn new(p: &Parameters<'_>) -> Self {
        let speeds = ["minimum speed", "maximum speed"];
        Self {
            control_point: p.int("end control point", 1),
            speed: sorted(speeds.map(|key| p.number(key, 1.0).clamp(1e-2, LARGEST))),
            spread: p.number("end spread", 0.0).clamp(0.0, LARGEST),
        }
    }
}

impl Recipe {
    /// Forces that are not the same everywhere, and always, and all constraints, by their names in lower case.
    pub(super) fn fly(
        &mut self,
        name: &str,
        p: &Parameters<'_>,
        points: &ControlPoints<'_>,
    ) -> bool {
        let Flight {
            forces,
            constraints,
        } = &mut self.flight;
        if forces.len().max(constraints.len()) >= MOST_OF_A_KIND {
            return false;
        }
        if name == "random force" {
            let [least, greatest] =
                ["min force", "max force"].map(|key| bounded(p.vec3(key, [0.0; 3])));
            let mean = sum(least, greatest).map(|it| 0.5 * it);
            self.throw.gravity = sum(self.throw.gravity, mean);
            let from_mean = [least, greatest].map(|it| sum(it, mean.map(|it| -it)));
            let [least, greatest] = from_mean;
            if least != greatest {
                forces.push(Force::Random { least, greatest });
            }
        } else if name == "turbulent force" {
            forces.extend(turbulence(p));
            forces.truncate(MOST_OF_A_KIND);
        } else if let Some(force) = force(name, p, points) {
            forces.push(force);
        } else if let Some(constraint) = constraint(name, p, points) {
            constraints.push(constraint);
        } else {
            return false;
        }
        true
    }

    /// Ways along which particles are born, and stay.
    pub(super) fn along_path(
        &mut self,
        name: &str,
        p: &Parameters<'_>,
        points: &ControlPoints<'_>,
    ) -> bool {
        let is_in_turn = match name {
            "position along path random" => false,
            "position along path sequential" | "movement maintain position along path" => true,
            _ => return false,
        };
        let ends = ["start control point number", "end control point number"];
        let [from, to] = ends.map(|key| points.place(p.int(key, 0)));
        let share = p.number("mid point position", 0.5).clamp(0.0, 1.0);
        let way = sum(to, from.map(|it| -it));
        let middle = sum(from, way.map(|it| it * share));
        let count = match is_in_turn {
            true => p
                .int("particles to map from start to end", 100)
                .clamp(2, 5000),
            false => 0,
        };
        self.path = Some(BirthPath {
            points: [from, middle, to],
            radius: p.number("maximum distance", 0.0).clamp(0.0, LARGEST),
            count: count.unsigned_abs(),
        });
        true
    }

    /// Particles fly from the control point where they are born to another one, and end there; once it is known which that is.
    pub(super) fn fly_to_target(&mut self, points: &ControlPoints<'_>) {
        let Some(target) = self.target else {
            return;
        };
        let from = points.place(self.control_point);
        let to = points.place(target.control_point);
        let way = sum(to, from.map(|it| -it));
        let length = length(way);
        let Some(direction) = unit(way) else {
            return;
        };
        let [slow, fast] = target.speed;
        self.throw.direction = direction;
        self.throw.spread_rad = target.spread.atan2(length);
        self.throw.speed = [slow, fast];
        let lives = [fast, slow].map(|speed| length / speed);
        self.life = lives.map(|it| it.max(SHORTEST_LIFE_SECS));
        (self.moves, self.dies) = (true, true);
    }

    /// Where particles are born, in the axes of their emitter.
    pub(super) fn birthplace(&self, axes: &Axes) -> Birthplace {
        match self.path {
            Some(path) => Birthplace::Path(BirthPath {
                points: path.points.map(|it| axes.place(it)),
                ..path
            }),
            None => Birthplace::Shell(self.shell),
        }
    }

    /// Whether forces that depend on the place or constraints act on its particles.
    pub(super) fn is_stepped(&self) -> bool {
        let Flight {
            forces,
            constraints,
        } = &self.flight;
        (self.moves && !forces.is_empty()) || !constraints.is_empty()
    }

    /// How particles of an emitter move that is complete but for forces; `None` where they would take more steps than are
    /// left, or than those of one emitter may.
    pub(super) fn motion(&self, like: &Emitter, place: &Affine, steps_left: u64) -> Option<Motion> {
        let Motion::Thrown(throw) = like.motion else {
            return None;
        };
        let mut emitter = Emitter {
            motion: self.flight.motion(throw, self.moves, place),
            ..like.clone()
        };
        if emitter.step_cost() > steps_left.min(MOST_STEPS) {
            return None;
        }
        let reach = reach_of(&emitter, place);
        if let Motion::Stepped(stepped) = &mut emitter.motion {
            stepped.reach = reach;
        }
        Some(emitter.motion)
    }
}

/// How far particles get from the place of their emitter, by those of one life, and of one when forces have become what they
/// stay.
fn reach_of(emitter: &Emitter, place: &Affine) -> f32 {
    let longest = emitter.life_secs.into_iter().fold(0.0, f32::max).min(60.0);
    let origin = place.transform_point([0.0; 3]);
    let mut farthest = 0.0f32;
    let begun = emitter.window.map_or(0.0, |window| window.start_secs);
    let Motion::Stepped(Stepped { forces, .. }) = &emitter.motion else {
        return 0.0;
    };
    let changes = forces.iter().map(|force| match force {
        Force::Timed { secs: [_, end], .. } => *end,
        _ => 0.0,
    });
    let latest = changes.fold(0.0, f32::max);
    let starts = if latest > 0.0 {
        &[0.0, latest][..]
    } else {
        &[0.0]
    };
    let ages = (0..=N_AGES).map(|age| f32::from(age) / f32::from(N_AGES));
    let moments = starts
        .iter()
        .flat_map(|start| ages.clone().map(move |share| start + longest * share));
    for secs in moments {
        let at = EmitterAt {
            clock_secs: (begun + secs).into(),
            world_from_emitter: *place,
            velocity: [0.0; 3],
            eye: origin,
            born_secs: EmitterState::EVER,
        };
        emitter.for_each_particle(&at, |particle| {
            let distance = length(sum(particle.position, origin.map(|it| -it)));
            farthest = farthest.max(distance.min(LARGEST));
        });
    }
    let [times, more] = REACH_MARGIN;
    (farthest * times + more).min(LARGEST)
}

fn force(name: &str, p: &Parameters<'_>, points: &ControlPoints<'_>) -> Option<Force> {
    let strength = p.number("amount of force", 0.0).clamp(-LARGEST, LARGEST);
    let vector = |key: &str| bounded(p.vec3(key, [0.0; 3]));
    Some(match name {
        // Spelled as in the games.
        concat!("pull toward", "s control point") => Force::Pull {
            to: points.place(p.int("control point number", 0)),
            strength,
            falloff: p.number("falloff power", 2.0).clamp(-4.0, 8.0),
        },
        "twist around axis" => {
            let axis = unit(p.vec3("twist axis", [0.0, 0.0, 1.0]))?;
            Force::Twist {
                center: points.place(0),
                axis: match p.flag("object local space axis 0/1", false) {
                    true => points.direction(0, axis),
                    false => axis,
                },
                strength,
            }
        }
        "time varying force" => {
            let times = [
                p.number("time to start transition", 0.0),
                p.number("time to end transition", 10.0),
            ];
            let [start, end] = times.map(|it| it.clamp(0.0, LARGEST));
            Force::Timed {
                secs: [start, end.max(start)],
                accelerations: [vector("starting force"), vector("ending force")],
            }
        }
        "force based on distance from plane" => {
            let distances = [
                p.number("min distance from plane", 0.0),
                p.number("max distance from plane", 1.0),
            ];
            let [near, far] = distances.map(|it| it.clamp(0.0, LARGEST));
            Force::Layered {
                point: points.place(p.int("control point number", 0)),
                normal: unit(p.vec3("plane normal", [0.0, 0.0, 1.0]))?,
                distances: [near, far.max(near)],
                accelerations: [
                    vector("force at min distance"),
                    vector("force at max distance"),
                ],
            }
        }
        _ => return None,
    })
}

/// Up to four noises.
fn turbulence(p: &Parameters<'_>) -> Vec<Force> {
    let defaults = [(1.0, 1.0), (0.0, 0.5), (0.0, 0.25), (0.0, 0.125)];
    let octaves = (0..).zip(defaults).map(|(number, (scale, strength))| {
        let scale = p.number(&format!("noise scale {number}"), scale);
        let strength = p.vec3(&format!("noise amount {number}"), [strength; 3]);
        Force::Turbulence {
            scale: scale.clamp(-1.0e3, 1.0e3),
            strength: bounded(strength),
        }
    });
    let is_noise = |it: &Force| matches!(it, Force::Turbulence { scale, .. } if *scale != 0.0);
    octaves.filter(is_noise).collect()
}

fn constraint(name: &str, p: &Parameters<'_>, points: &ControlPoints<'_>) -> Option<Constraint> {
    let range = |farthest: f32| {
        let least = p.number("minimum distance", 0.0).clamp(0.0, LARGEST);
        let greatest = p.number("maximum distance", farthest).clamp(0.0, LARGEST);
        [least, greatest.max(least)]
    };
    let number = |default: i32| p.int("control point number", default);
    Some(match name {
        "movement max velocity" => Constraint::Speed {
            most: p.number("maximum velocity", 0.0).clamp(0.0, LARGEST),
        },
        "movement set to control point" => Constraint::Distance {
            ends: [points.place(number(0)); 2],
            range: [0.0; 2],
        },
        "movement rotate particle around axis" => {
            let axis = unit(p.vec3("rotation axis", [0.0, 0.0, 1.0]))?;
            let point = p.int("control point", 0);
            Constraint::Turn {
                center: points.place(point),
                axis: match p.flag("use local space", false) {
                    true => points.direction(point, axis),
                    false => axis,
                },
                rad_per_sec: p
                    .number("rotation rate", 180.0)
                    .clamp(-LARGEST, LARGEST)
                    .to_radians(),
            }
        }
        "movement dampen relative to control point" => {
            let scale = p.number("dampen scale", 1.0).max(1e-3);
            Constraint::Slow {
                center: points.place(p.int("control_point_number", 0)),
                radius: (p.number("falloff range", 100.0) / scale).clamp(1e-3, LARGEST),
            }
        }
        "constrain distance to control point" => {
            let center = match p.flag("global center point", false) {
                true => [0.0; 3],
                false => points.place(number(0)),
            };
            let center = bounded(sum(center, p.vec3("offset of center", [0.0; 3])));
            Constraint::Distance {
                ends: [center; 2],
                range: range(100.0),
            }
        }
        "constrain distance to path between two control points" => {
            let ends = ["start control point number", "end control point number"];
            Constraint::Distance {
                ends: ends.map(|key| points.place(p.int(key, 0))),
                range: range(100.0),
            }
        }
        "prevent passing through a plane" => {
            let normal = unit(p.vec3("plane normal", [0.0, 0.0, 1.0]))?;
            let place = points.place(number(0));
            let point = p.vec3("plane point", [0.0; 3]);
            Constraint::Plane {
                point: bounded(match p.flag("global origin", false) {
                    true => point,
                    false => sum(place, point),
                }),
                normal: match p.flag("global normal", false) {
                    true => normal,
                    false => points.direction(number(0), normal),
                },
                kept: SLIDING,
                is_deadly: false,
            }
        }
        "cull when crossing plane" => {
            let normal = unit(p.vec3("plane normal", [0.0, 0.0, 1.0]))?;
            let [x, y, z] = normal.map(|it| it * p.number("cull plane offset", 0.0));
            let place = points.place(p.int("control point for point on plane", 0));
            Constraint::Plane {
                point: bounded(sum(place, [x, y, z])),
                normal,
                kept: SLIDING,
                is_deadly: true,
            }
        }
        "collision via traces"
        | "world collision"
        | "prevent passing through static part of world" => {
            let is_traced = name == "collision via traces";
            let kept = ["amount of bounce", "amount of slide"]
                .map(|key| p.number(key, 0.0).clamp(0.0, 1.0));
            Constraint::Plane {
                point: (points.floor)()?,
                normal: [0.0, 0.0, 1.0],
                kept: if is_traced { kept } else { SLIDING },
                is_deadly: is_traced && p.flag("kill particle on collision", false),
            }
        }
        _ => return None,
    })
}

impl Axes {
    fn force(&self, force: &Force) -> Force {
        let vectors = |[from, to]: [[f32; 3]; 2]| [self.direction(from), self.direction(to)];
        match *force {
            Force::Pull {
                to,
                strength,
                falloff,
            } => Force::Pull {
                to: self.place(to),
                strength,
                falloff,
            },
            Force::Twist {
                center,
                axis,
                strength,
            } => Force::Twist {
                center: self.place(center),
                axis: self.direction(axis),
                strength,
            },
            Force::Random { least, greatest } => {
                let middle = self.direction(sum(least, greatest).map(|it| 0.5 * it));
                let half = sum(greatest, least.map(|it| -it)).map(|it| 0.5 * it.abs());
                let turned = self.spread(half);
                Force::Random {
                    least: sum(middle, turned.map(|it| -it)),
                    greatest: sum(middle, turned),
                }
            }
            Force::Timed {
                secs,
                accelerations,
            } => Force::Timed {
                secs,
                accelerations: vectors(accelerations),
            },
            Force::Layered {
                point,
                normal,
                distances,
                accelerations,
            } => Force::Layered {
                point: self.place(point),
                normal: self.direction(normal),
                distances,
                accelerations: vectors(accelerations),
            },
            Force::Turbulence { scale, strength } => Force::Turbulence {
                scale,
                strength: self.spread(strength),
            },
        }
    }

    /// Half the sides of a box of random vectors, which stays a box along other axes; along each they differ by as much as
    /// before.
    fn spread(&self, [half_x, half_y, half_z]: [f32; 3]) -> [f32; 3] {
        let rows = self.0.0;
        rows.map(|[x, y, z, _]| (x * half_x).hypot(y * half_y).hypot(z * half_z))
    }

    fn constraint(&self, constraint: &Constraint) -> Constraint {
        match *constraint {
            Constraint::Turn {
                center,
                axis,
                rad_per_sec,
            } => Constraint::Turn {
                center: self.place(center),
                axis: self.direction(axis),
                rad_per_sec,
            },
            Constraint::Slow { center, radius } => Constraint::Slow {
                center: self.place(center),
                radius,
            },
            Constraint::Distance {
                ends: [from, to],
                range,
            } => Constraint::Distance {
                ends: [self.place(from), self.place(to)],
                range,
            },
            Constraint::Plane {
                point,
                normal,
                kept,
                is_deadly,
            } => Constraint::Plane {
                point: self.place(point),
                normal: self.direction(normal),
                kept,
                is_deadly,
            },
            speed @ Constraint::Speed { .. } => speed,
        }
    }
}

pub(super) fn bounded(vector: [f32; 3]) -> [f32; 3] {
    vector.map(|it| it.clamp(-LARGEST, LARGEST))
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    x.hypot(y).hypot(z)
}

/// `None` for what has no direction.
fn unit(vector: [f32; 3]) -> Option<[f32; 3]> {
    let length = length(vector);
    (length > 0.0 && length.is_finite()).then(|| vector.map(|it| it / length))
}
