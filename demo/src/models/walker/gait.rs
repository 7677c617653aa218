//! How the walker walks and looks around: poses of its nodes for each frame.
//!
//! A foot on the ground moves back as fast as the walker moves on, so that it stays where it is; the joints above
//! it follow from where hip and toe are.

use crate::models::body::Pose;
use crate::models::turn::{Angle, Turn};
use crate::noise::{bump, mix, smoothstep, wave};
use crate::vector::Vec3;

/// Frames of the walk: 0 to here, which is the pose of frame 0 again.
pub const LAST_WALK_FRAME: u32 = 24;
/// First frame of looking around.
pub const FIRST_SCAN_FRAME: u32 = LAST_WALK_FRAME + 1;
/// Last frame of looking around, the pose of its first frame again.
pub const LAST_SCAN_FRAME: u32 = 48;

/// World units that the walker moves on in one round of its walk.
pub const STRIDE: f64 = 6.0;
/// Part of a round that a foot stands.
const STANCE: f64 = 0.6;
/// Highest lift of a foot.
const LIFT: f64 = 1.0;
/// How far ahead of the hip the middle of a step is.
const LEAD: f64 = 0.15;

/// Height of the pelvis.
pub const PELVIS_Z: f64 = 4.55;
/// From the middle of the pelvis to a hip.
pub const HIP: Vec3 = [0.0, 1.25, -0.1];
/// Lengths of thigh, shin and hock.
pub const THIGH: f64 = 1.9;
pub const SHIN: f64 = 2.1;
pub const HOCK: f64 = 1.45;
/// Height of the toe joint above the sole.
pub const TOE_Z: f64 = 0.42;

/// Poses of a leg's four joints.
pub struct LegPoses {
    pub thigh: Vec<Pose>,
    pub shin: Vec<Pose>,
    pub hock: Vec<Pose>,
    pub foot: Vec<Pose>,
}

/// Where the toe joint is, how far the hock leans back and how far the foot is tipped (degrees).
struct Step {
    x: f64,
    z: f64,
    lean: f64,
    tip: f64,
}

/// The joints of the leg on one side (1 left, -1 right) that is `phase` rounds ahead.
pub fn leg(side: f64, phase: f64) -> LegPoses {
    let mut poses = LegPoses {
        thigh: Vec::new(),
        shin: Vec::new(),
        hock: Vec::new(),
        foot: Vec::new(),
    };
    for frame in 0..=LAST_WALK_FRAME {
        let round = f64::from(frame % LAST_WALK_FRAME) / f64::from(LAST_WALK_FRAME);
        poses.add(frame, side, pelvis_z(round), &step(round + phase));
    }
    for frame in [FIRST_SCAN_FRAME, LAST_SCAN_FRAME] {
        poses.add(frame, side, PELVIS_Z, &standing(side));
    }
    poses
}

impl LegPoses {
    fn add(&mut self, frame: u32, side: f64, pelvis_z: f64, step: &Step) {
        let lean = Angle::degrees(step.lean);
        // The hock's upper end, seen from the hip.
        let x = step.x - HOCK * lean.sin - HIP[0];
        let z = step.z + HOCK * lean.cos - (pelvis_z + HIP[2]);
        let (thigh, shin) = knee(x, z);
        // The hock leads down and forward from its upper end.
        let hock = downward(lean.sin, -lean.cos);
        let foot = Angle::degrees(step.tip);
        let pose = |position, angle| Pose {
            frame,
            position,
            turn: Turn::about(1, angle),
        };
        let hip = [HIP[0], HIP[1] * side, HIP[2]];
        self.thigh.push(pose(hip, thigh));
        self.shin.push(pose([0.0, 0.0, -THIGH], shin.minus(thigh)));
        self.hock.push(pose([0.0, 0.0, -SHIN], hock.minus(shin)));
        self.foot.push(pose([0.0, 0.0, -HOCK], foot.minus(hock)));
    }
}

/// Height of the pelvis: highest when a leg is upright, twice a round.
pub fn pelvis_z(round: f64) -> f64 {
    PELVIS_Z + 0.11 * wave(2.0 * round - 0.35)
}

/// A foot at a phase of the walk: it stands first.
fn step(phase: f64) -> Step {
    let phase = phase - phase.floor();
    let reach = STRIDE * STANCE / 2.0;
    if phase < STANCE {
        let t = phase / STANCE;
        return Step {
            x: LEAD + reach - STRIDE * phase,
            z: TOE_Z,
            lean: mix(48.0, 12.0, t),
            tip: 0.0,
        };
    }
    let t = (phase - STANCE) / (1.0 - STANCE);
    // Leaves the ground and comes back to it with the speed that the ground has.
    let slope = -STRIDE * (1.0 - STANCE);
    let ease = t * t * (3.0 - 2.0 * t);
    let run = slope * t * (1.0 - t) * (1.0 - 2.0 * t);
    let height = bump(2.0 * t - 1.0);
    Step {
        x: LEAD + mix(-reach, reach, ease) + run,
        z: TOE_Z + LIFT * height,
        lean: mix(12.0, 48.0, smoothstep(0.0, 0.9, t)) + 34.0 * height,
        tip: 30.0 * bump((2.0 * t - 0.7) / 0.7) - 12.0 * bump((2.0 * t - 1.5) / 0.5),
    }
}

/// Both feet on the ground, the left one a little ahead.
fn standing(side: f64) -> Step {
    Step {
        x: 0.1 + 0.35 * side,
        z: TOE_Z,
        lean: 30.0 + 4.0 * side,
        tip: 0.0,
    }
}

/// The turns about the y axis that bring -Z of thigh and shin into line from the hip to a point, knee ahead.
fn knee(x: f64, z: f64) -> (Angle, Angle) {
    let far = (x * x + z * z).sqrt().min(0.999 * (THIGH + SHIN));
    let cos = (THIGH * THIGH + far * far - SHIN * SHIN) / (2.0 * THIGH * far);
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let length = (x * x + z * z).sqrt();
    let (dx, dz) = (x / length, z / length);
    // The thigh's direction is that to the point, turned forwards.
    let (tx, tz) = (dx * cos - dz * sin, dx * sin + dz * cos);
    let (sx, sz) = (
        (dx * far - THIGH * tx) / SHIN,
        (dz * far - THIGH * tz) / SHIN,
    );
    (downward(tx, tz), downward(sx, sz))
}

/// The turn about the y axis that takes -Z to this direction.
fn downward(x: f64, z: f64) -> Angle {
    Angle { cos: -z, sin: -x }
}

/// The pelvis through both clips.
pub fn pelvis() -> Vec<Pose> {
    let at = |frame: u32, z: f64, roll: f64| Pose {
        frame,
        position: [0.0, 0.0, z],
        turn: Turn::degrees(0, roll),
    };
    let walk = (0..=LAST_WALK_FRAME).map(|frame| {
        let round = f64::from(frame % LAST_WALK_FRAME) / f64::from(LAST_WALK_FRAME);
        at(frame, pelvis_z(round), 0.0)
    });
    let scan = [FIRST_SCAN_FRAME, LAST_SCAN_FRAME].map(|frame| at(frame, PELVIS_Z, 0.0));
    walk.chain(scan).collect()
}

/// A node above the pelvis that swings with the walk and follows a list of frames and degrees while scanning.
///
/// `walk` is the turn at a part of the round, `scan` goes about the z axis unless `axis` says otherwise.
pub fn upper(
    position: Vec3,
    walk: impl Fn(f64) -> Turn,
    axis: usize,
    scan: &[(u32, f64)],
) -> Vec<Pose> {
    let walk = (0..=LAST_WALK_FRAME).step_by(2).map(|frame| Pose {
        frame,
        position,
        turn: walk(f64::from(frame % LAST_WALK_FRAME) / f64::from(LAST_WALK_FRAME)),
    });
    let scan = scan.iter().map(|(frame, degrees)| Pose {
        frame: *frame,
        position,
        turn: Turn::degrees(axis, *degrees),
    });
    walk.chain(scan).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{add, sub};

    /// The toe joint of a leg at a frame with a key of its own, in the space of the walker.
    fn toe(poses: &LegPoses, frame: u32, pelvis_z: f64) -> Vec3 {
        let at = |poses: &[Pose]| *poses.iter().find(|pose| pose.frame == frame).unwrap();
        let joints = [
            at(&poses.foot),
            at(&poses.hock),
            at(&poses.shin),
            at(&poses.thigh),
        ];
        let mut place = [0.0; 3];
        for joint in joints {
            place = add(joint.position, joint.turn.apply(place));
        }
        add(place, [0.0, 0.0, pelvis_z])
    }

    #[test]
    fn a_standing_foot_stays_where_it_is_while_the_walker_moves_on() {
        for (side, phase) in [(1.0, 0.0), (-1.0, 0.5)] {
            let poses = leg(side, phase);
            let mut n_standing = 0;
            let mut before: Option<Vec3> = None;
            for frame in 0..LAST_WALK_FRAME {
                let round = f64::from(frame) / f64::from(LAST_WALK_FRAME);
                let place = toe(&poses, frame, pelvis_z(round));
                let on_ground = add(place, [STRIDE * round, 0.0, 0.0]);
                let stands = (round + phase).fract() < STANCE;
                if stands {
                    n_standing += 1;
                    assert!((place[2] - TOE_Z).abs() < 1e-9, "{frame}: {place:?}");
                    if let Some(before) = before {
                        let slip = sub(on_ground, before);
                        assert!(slip.iter().all(|c| c.abs() < 1e-9), "{frame}: {slip:?}");
                    }
                } else {
                    assert!(place[2] > TOE_Z - 1e-9, "{frame}: {place:?}");
                }
                before = stands.then_some(on_ground);
            }
            assert_eq!(n_standing, 15, "of 24 frames");
        }
    }

    #[test]
    fn clips_close() {
        let poses = leg(1.0, 0.0);
        for (first, last) in [(0, LAST_WALK_FRAME), (FIRST_SCAN_FRAME, LAST_SCAN_FRAME)] {
            for joint in [
                &poses.thigh,
                &poses.shin,
                &poses.hock,
                &poses.foot,
                &pelvis(),
            ] {
                let turn = |frame| joint.iter().find(|pose| pose.frame == frame).unwrap().turn;
                assert_eq!(turn(first), turn(last));
            }
        }
    }

    #[test]
    fn legs_reach_their_feet_everywhere() {
        for k in 0..240 {
            let round = f64::from(k) / 240.0;
            let step = step(round);
            let lean = Angle::degrees(step.lean);
            let x = step.x - HOCK * lean.sin - HIP[0];
            let z = step.z + HOCK * lean.cos - (pelvis_z(round) + HIP[2]);
            let far = (x * x + z * z).sqrt();
            assert!(far < 0.97 * (THIGH + SHIN), "{round}: {far}");
            assert!(far > 1.2, "{round}: {far}");
        }
    }
}
