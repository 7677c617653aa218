//! How the human moves: bends of limbs in degrees, from key to key or along a round, turned into rotations about the
//! figure's axes.
//!
//! A part's rotation comes after its parent's. So what is thought of as the attitude of each part in the figure, and
//! that is how limbs are posed here, is stored as what it adds to the attitude of its parent.

use super::human::{CAPE, bones};
use super::{MotionPlan, PartMotion};
use crate::models::turn::{Angle, Turn};
use crate::noise::smoothstep;
use crate::vector::{Vec3, add};

/// Bends of a pose. Angles are degrees; those of limbs lift them forwards, of knees and elbows bend them.
#[derive(Debug, Clone, Copy, Default)]
struct Bends {
    /// The whole figure leans forwards; -90 lies on its back.
    fall: f64,
    /// Hips, chest and head turn to the figure's left.
    hip_turn: f64,
    chest_turn: f64,
    head_turn: f64,
    /// Chest and head lean forwards.
    chest: f64,
    head: f64,
    /// Left, then right.
    arms: [Arm; 2],
    legs: [Leg; 2],
    /// The sword turns down from where it points forwards.
    sword: f64,
    /// Meters to the figure's front.
    step: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    lift: f64,
    out: f64,
    elbow: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Leg {
    lift: f64,
    out: f64,
    knee: f64,
}

impl Bends {
    /// Standing at ease.
    fn standing() -> Self {
        let arm = Arm {
            lift: 2.0,
            out: 9.0,
            elbow: 14.0,
        };
        let leg = Leg {
            lift: 3.0,
            out: 3.0,
            knee: 6.0,
        };
        Self {
            arms: [arm, arm],
            legs: [leg, leg],
            sword: 38.0,
            ..Self::default()
        }
    }

    fn to_numbers(self) -> [f64; 20] {
        let Self {
            fall,
            hip_turn,
            chest_turn,
            head_turn,
            chest,
            head,
            arms: [l, r],
            legs: [ll, rl],
            sword,
            step,
        } = self;
        [
            fall, hip_turn, chest_turn, head_turn, chest, head, l.lift, l.out, l.elbow, r.lift,
            r.out, r.elbow, ll.lift, ll.out, ll.knee, rl.lift, rl.out, rl.knee, sword, step,
        ]
    }

    fn from_numbers(n: [f64; 20]) -> Self {
        let arm = |k: usize| Arm {
            lift: n[k],
            out: n[k + 1],
            elbow: n[k + 2],
        };
        let leg = |k: usize| Leg {
            lift: n[k],
            out: n[k + 1],
            knee: n[k + 2],
        };
        Self {
            fall: n[0],
            hip_turn: n[1],
            chest_turn: n[2],
            head_turn: n[3],
            chest: n[4],
            head: n[5],
            arms: [arm(6), arm(9)],
            legs: [leg(12), leg(15)],
            sword: n[18],
            step: n[19],
        }
    }

    fn mixed(self, other: Self, t: f64) -> Self {
        let (a, b) = (self.to_numbers(), other.to_numbers());
        Self::from_numbers(std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t))
    }
}

/// Swings hanging parts forward, and leans upright parts back.
fn lift(degrees: f64) -> Turn {
    Turn::degrees(0, -degrees)
}

/// Leans upright parts forward.
fn lean(degrees: f64) -> Turn {
    Turn::degrees(0, degrees)
}

/// Turns to the left of the figure, which looks along -Y: from there to +X.
fn turn(degrees: f64) -> Turn {
    Turn::degrees(2, degrees)
}

/// Attitudes of all parts that move, by name, each after its parent.
fn attitudes(b: &Bends) -> Vec<(&'static str, Turn)> {
    let hip = lean(b.fall).times(turn(b.hip_turn));
    let chest = lean(b.fall).times(turn(b.chest_turn)).times(lean(b.chest));
    let head = chest
        .times(turn(b.head_turn - b.chest_turn))
        .times(lean(b.head));
    let mut all = vec![("hp", hip), ("bd", chest), ("hd", head)];
    for (k, [upper, lower, end]) in [["lh1", "lh2", "lh3"], ["rh1", "rh2", "rh3"]]
        .into_iter()
        .enumerate()
    {
        let arm = b.arms[k];
        let side = if k == 0 { -1.0 } else { 1.0 };
        let out = Turn::degrees(1, side * arm.out);
        let shoulder = chest.times(out).times(lift(arm.lift));
        let elbow = chest
            .times(Turn::degrees(1, 0.6 * side * arm.out))
            .times(lift(arm.lift + arm.elbow));
        all.extend([(upper, shoulder), (lower, elbow), (end, elbow)]);
        if k == 1 {
            all.push(("rh3.sword", elbow.times(lean(b.sword))));
        }
    }
    for (k, [upper, lower, end]) in [["ll1", "ll2", "ll3"], ["rl1", "rl2", "rl3"]]
        .into_iter()
        .enumerate()
    {
        let leg = b.legs[k];
        let side = if k == 0 { -1.0 } else { 1.0 };
        let out = Turn::degrees(1, side * leg.out);
        let thigh = hip.times(out).times(lift(leg.lift));
        let shin = hip.times(out).times(lift(leg.lift - leg.knee));
        // A foot stays level as long as the figure stands, half of the way.
        let foot = hip.times(lift(0.3 * (leg.lift - leg.knee)));
        all.extend([(upper, thigh), (lower, shin), (end, foot)]);
    }
    all
}

/// Height of the hips over the ground that the lowest point of a pose touches, in the middle build.
fn hip_height(attitudes: &[(&'static str, Turn)]) -> f64 {
    let of = |name: &str| {
        let found = attitudes.iter().find(|(part, _)| *part == name);
        found.expect("all parts have an attitude").1
    };
    let down = |length: f64| [0.0, 0.0, -length];
    let mut lowest = f64::MAX;
    let mut touch = |at: Vec3| lowest = lowest.min(at[2]);
    for [upper, lower, end] in [["ll1", "ll2", "ll3"], ["rl1", "rl2", "rl3"]] {
        let knee = of(upper).apply(down(bones::THIGH));
        let ankle = add(knee, of(lower).apply(down(bones::SHIN)));
        for sole in [[0.0, 0.07, -bones::FOOT], [0.0, -0.17, -bones::FOOT]] {
            touch(add(ankle, of(end).apply(sole)));
        }
        touch(add(knee, of(upper).apply([0.0, 0.06, 0.0])));
    }
    let waist = of("hp").apply([0.0, 0.0, 0.1]);
    touch(of("hp").apply([0.0, 0.14, -0.1]));
    for back in [[0.0, 0.125, 0.31], [0.0, 0.1, 0.45]] {
        touch(add(waist, of("bd").apply(back)));
    }
    let neck = add(waist, of("bd").apply([0.0, 0.0, bones::CHEST]));
    touch(add(neck, of("hd").apply([0.0, 0.11, 0.18])));
    for (side, [upper, lower]) in [(1.0, ["lh1", "lh2"]), (-1.0, ["rh1", "rh2"])] {
        let shoulder = add(waist, of("bd").apply([side * 0.185, 0.0, 0.395]));
        let elbow = add(shoulder, of(upper).apply(down(bones::UPPER_ARM)));
        touch(add(elbow, of(upper).apply([0.0, 0.05, 0.0])));
        let wrist = add(elbow, of(lower).apply(down(bones::FOREARM)));
        touch(add(wrist, of(lower).apply([0.0, 0.03, -0.1])));
    }
    -lowest
}

/// How far the points of the cape swing, and how far back it is blown.
#[derive(Debug, Clone, Copy)]
struct Wind {
    swing: f64,
    back: f64,
    rounds: f64,
}

/// The rows of the cape further down swing more, one after the other.
fn cape(wind: Wind, t: f64) -> Vec<Vec3> {
    let [n_rows, n_columns] = CAPE;
    let point = |k: usize| {
        let down = (k / n_columns) as f64 / (n_rows - 1) as f64;
        let across = (k % n_columns) as f64 / (n_columns - 1) as f64 - 0.5;
        let reach = down * down.sqrt();
        let degrees = 360.0 * (wind.rounds * t - 0.55 * down + 0.22 * across);
        let y = reach * (wind.back + wind.swing * Angle::degrees(degrees).sin);
        [
            0.25 * wind.swing * reach * Angle::degrees(degrees + 70.0).cos,
            y,
            0.3 * y * down,
        ]
    };
    (0..n_rows * n_columns).map(point).collect()
}

/// A motion through poses, one a frame.
fn motion(name: &'static str, poses: &[Bends], wind: Wind, is_round: bool) -> MotionPlan {
    let n_frames = poses.len();
    let mut parts: Vec<PartMotion> = Vec::new();
    let mut still = |part: &'static str| match parts.iter().position(|known| known.part == part) {
        Some(at) => at,
        None => {
            parts.push(PartMotion {
                part,
                rotations: Vec::new(),
                translations: vec![[0.0; 3]; n_frames],
                morphs: Vec::new(),
            });
            parts.len() - 1
        }
    };
    let mut moved: Vec<(usize, Turn, Vec3)> = Vec::new();
    for pose in poses {
        let attitudes = attitudes(pose);
        let height = hip_height(&attitudes);
        for (part, attitude) in &attitudes {
            let parent = parent_of(part).map_or(Turn::NONE, |parent| {
                let found = attitudes.iter().find(|(name, _)| *name == parent);
                found.expect("parents come before their parts").1
            });
            let place = match *part {
                "hp" => [0.0, -pose.step, height],
                _ => [0.0; 3],
            };
            moved.push((still(part), attitude.times(inverse(parent)), place));
        }
    }
    for (at, rotation, place) in moved {
        let frame = parts[at].rotations.len();
        parts[at].translations[frame] = place;
        parts[at].rotations.push(rotation);
    }
    let last = if is_round { n_frames } else { n_frames - 1 };
    parts.push(PartMotion {
        part: "bd.cape",
        rotations: vec![Turn::NONE; n_frames],
        translations: vec![[0.0; 3]; n_frames],
        morphs: (0..n_frames)
            .map(|frame| cape(wind, frame as f64 / last as f64))
            .collect(),
    });
    MotionPlan {
        name,
        parts,
        n_frames,
    }
}

fn parent_of(part: &str) -> Option<&'static str> {
    match part {
        "hp" => None,
        "bd" | "ll1" | "rl1" => Some("hp"),
        "hd" | "lh1" | "rh1" => Some("bd"),
        "lh2" => Some("lh1"),
        "lh3" => Some("lh2"),
        "rh2" => Some("rh1"),
        "rh3" => Some("rh2"),
        "rh3.sword" => Some("rh3"),
        "ll2" => Some("ll1"),
        "ll3" => Some("ll2"),
        "rl2" => Some("rl1"),
        _ => Some("rl2"),
    }
}

fn inverse(turn: Turn) -> Turn {
    let [w, x, y, z] = turn.0;
    Turn([w, -x, -y, -z])
}

/// A pose for each frame of a round.
fn round(n_frames: usize, pose: impl Fn(f64) -> Bends) -> Vec<Bends> {
    (0..n_frames)
        .map(|frame| pose(frame as f64 / n_frames as f64))
        .collect()
}

/// A pose for each frame between keys, from the frame of the first to that of the last.
fn keyed(keys: &[(usize, Bends)]) -> Vec<Bends> {
    let mut poses = vec![keys[0].1];
    for ends in keys.windows(2) {
        let ((from, a), (to, b)) = (ends[0], ends[1]);
        let between = (from + 1..=to).map(|frame| {
            let t = (frame - from) as f64 / (to - from) as f64;
            a.mixed(b, smoothstep(0.0, 1.0, t))
        });
        poses.extend(between);
    }
    poses
}

/// The sine of a part of a round.
fn sine(t: f64) -> f64 {
    Angle::degrees(360.0 * t).sin
}

/// Breathing and looking about.
fn idle(t: f64) -> Bends {
    let mut pose = Bends::standing();
    let breath = sine(2.0 * t);
    pose.chest = 1.2 * breath;
    pose.head = -0.8 * breath;
    pose.head_turn = 12.0 * sine(t);
    pose.chest_turn = 3.0 * sine(t - 0.06);
    for (arm, side) in pose.arms.iter_mut().zip([1.0, -1.0]) {
        arm.out += 1.4 * breath;
        arm.lift += side * 1.5 * sine(t);
    }
    pose
}

/// A gait: `reach` is how far legs swing, `speed` 0 walks and 1 runs.
fn gait(t: f64, reach: f64, speed: f64) -> Bends {
    let mut pose = Bends::standing();
    let leg = |t: f64| Leg {
        lift: 2.0 + 6.0 * speed + reach * sine(t),
        out: 1.5,
        // A leg bends while it swings forwards.
        knee: 7.0 + 10.0 * speed + (42.0 + 42.0 * speed) * sine(t + 0.22).max(0.0),
    };
    let arm = |t: f64| Arm {
        lift: 2.0 + (0.8 + 0.35 * speed) * reach * sine(t),
        out: 8.0 + 4.0 * speed,
        elbow: 22.0 + 46.0 * speed + 8.0 * sine(t),
    };
    pose.legs = [leg(t), leg(t + 0.5)];
    pose.arms = [arm(t + 0.5), arm(t)];
    pose.hip_turn = 5.0 * sine(t + 0.5);
    pose.chest_turn = 7.0 * sine(t);
    pose.chest = 3.0 + 10.0 * speed + 1.2 * sine(2.0 * t);
    pose.head = -0.6 * pose.chest;
    pose
}

/// A blow with the sword: back over the shoulder, down to the front, and back.
fn attack() -> Vec<Bends> {
    let rest = Bends::standing();
    let mut back = rest;
    back.chest_turn = -34.0;
    back.head_turn = 4.0;
    back.hip_turn = -12.0;
    back.chest = -6.0;
    back.arms[1] = Arm {
        lift: 150.0,
        out: 24.0,
        elbow: 62.0,
    };
    back.arms[0] = Arm {
        lift: 38.0,
        out: 22.0,
        elbow: 58.0,
    };
    back.legs[0] = Leg {
        lift: 22.0,
        out: 4.0,
        knee: 16.0,
    };
    back.legs[1] = Leg {
        lift: -12.0,
        out: 5.0,
        knee: 14.0,
    };
    back.sword = -18.0;
    let mut blow = rest;
    blow.chest_turn = 30.0;
    blow.head_turn = 6.0;
    blow.hip_turn = 10.0;
    blow.chest = 20.0;
    blow.head = -12.0;
    blow.arms[1] = Arm {
        lift: 58.0,
        out: 2.0,
        elbow: 10.0,
    };
    blow.arms[0] = Arm {
        lift: -28.0,
        out: 26.0,
        elbow: 46.0,
    };
    blow.legs[0] = Leg {
        lift: 42.0,
        out: 4.0,
        knee: 44.0,
    };
    blow.legs[1] = Leg {
        lift: -24.0,
        out: 5.0,
        knee: 8.0,
    };
    blow.sword = 46.0;
    blow.step = 0.22;
    let mut through = blow;
    through.arms[1] = Arm {
        lift: 34.0,
        out: -6.0,
        elbow: 12.0,
    };
    through.sword = 62.0;
    through.chest = 24.0;
    keyed(&[(0, rest), (6, back), (9, blow), (11, through), (18, rest)])
}

/// A fall: knees give way, and the figure ends up on its back.
fn death() -> Vec<Bends> {
    let rest = Bends::standing();
    let mut struck = rest;
    struck.chest = -16.0;
    struck.head = -14.0;
    struck.arms = [Arm {
        lift: 40.0,
        out: 34.0,
        elbow: 50.0,
    }; 2];
    struck.legs = [Leg {
        lift: 26.0,
        out: 4.0,
        knee: 40.0,
    }; 2];
    struck.step = -0.1;
    let mut falling = struck;
    falling.fall = -42.0;
    falling.chest = 4.0;
    falling.legs = [Leg {
        lift: 58.0,
        out: 8.0,
        knee: 78.0,
    }; 2];
    falling.arms = [Arm {
        lift: 62.0,
        out: 46.0,
        elbow: 40.0,
    }; 2];
    falling.step = -0.35;
    let mut lying = rest;
    lying.fall = -88.0;
    lying.head = 4.0;
    lying.head_turn = 20.0;
    lying.arms = [
        Arm {
            lift: -2.0,
            out: 52.0,
            elbow: 12.0,
        },
        Arm {
            lift: 2.0,
            out: 74.0,
            elbow: 24.0,
        },
    ];
    lying.legs = [
        Leg {
            lift: 14.0,
            out: 9.0,
            knee: 22.0,
        },
        Leg {
            lift: 2.0,
            out: 12.0,
            knee: 4.0,
        },
    ];
    lying.sword = 80.0;
    lying.step = -0.55;
    keyed(&[
        (0, rest),
        (5, struck),
        (12, falling),
        (17, lying),
        (24, lying),
    ])
}

/// All motions of the human.
pub fn all() -> Vec<MotionPlan> {
    let wind = |swing, back, rounds| Wind {
        swing,
        back,
        rounds,
    };
    vec![
        motion("cidle", &round(45, idle), wind(0.035, 0.02, 2.0), true),
        motion(
            "cwalk01",
            &round(16, |t| gait(t, 25.0, 0.0)),
            wind(0.06, 0.10, 1.0),
            true,
        ),
        motion(
            "crun01",
            &round(11, |t| gait(t, 38.0, 1.0)),
            wind(0.08, 0.30, 1.0),
            true,
        ),
        motion("uattack01", &attack(), wind(0.07, 0.06, 1.0), false),
        motion("udeath06", &death(), wind(0.05, 0.0, 1.0), false),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_hips_are_where_the_bones_put_them() {
        let straight = attitudes(&Bends::default());
        let height = hip_height(&straight);
        let bones = bones::THIGH + bones::SHIN + bones::FOOT;
        assert!((height - bones).abs() < 1e-9, "{height}");
        assert!((bones - bones::HIP).abs() < 1e-9);
    }

    #[test]
    fn stored_rotations_lead_back_to_the_attitudes() {
        let pose = gait(0.3, 25.0, 0.0);
        let plan = motion(
            "x",
            &[pose],
            Wind {
                swing: 0.0,
                back: 0.0,
                rounds: 1.0,
            },
            true,
        );
        for (part, attitude) in attitudes(&pose) {
            // The format's rule: a part's own rotation after that of its parent.
            let mut whole = Turn::NONE;
            let mut at = Some(part);
            while let Some(name) = at {
                let own = plan.parts.iter().find(|moved| moved.part == name).unwrap();
                whole = whole.times(own.rotations[0]);
                at = parent_of(name);
            }
            for point in [[0.0, 0.0, 1.0], [0.3, -0.5, 0.1]] {
                let (a, b) = (whole.apply(point), attitude.apply(point));
                assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9), "{part}");
            }
        }
    }

    #[test]
    fn the_dead_lie_and_the_walking_stand() {
        let lying = death().pop().map(|pose| hip_height(&attitudes(&pose)));
        assert!(lying.is_some_and(|height| height < 0.3), "{lying:?}");
        for pose in round(16, |t| gait(t, 25.0, 0.0)) {
            let height = hip_height(&attitudes(&pose));
            // On its toes a leg is a little longer.
            assert!((0.82..0.97).contains(&height), "{height}");
        }
    }
}
