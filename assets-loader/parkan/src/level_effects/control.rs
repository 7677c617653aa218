//! What control data creates when an object is loaded.

use ironlands_scene::Affine;

use super::FORMAT;
use crate::ctld::{Action, Ctld, ON_LOAD};
use crate::ctpt::{ControlPoint, Ctpt};
use crate::game_files;
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::vfs::Vfs;

/// Of an action: any of the masked conditions is enough.
const ANY: u32 = 0x4000_0000;

/// Control data and control points of a model.
pub(super) struct ControlFiles {
    /// Of the model.
    pub(super) name: String,
    top_speed: f32,
    points: Vec<ControlPoint>,
    created: Vec<CreatedEffect>,
}

/// An effect that is created with its object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CreatedEffect {
    /// What later actions call it.
    id: i32,
    pub(super) on: CreatedOn,
    pub(super) resource: ObjectRef,
    /// The time mode that an action started it in.
    pub(super) started: Option<u32>,
    is_on: bool,
}

/// What an effect is created on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CreatedOn {
    /// A node of the model.
    Node(i32),
    /// Control points: the axes of its frame.
    Points([i32; 3]),
}

impl ControlFiles {
    /// Opens what a model, as in `bases.rlb/WALKER.MSH`, has of them; `None` if nothing is created with it.
    pub(super) fn open(name: &str, vfs: &Vfs, findings: &mut Vec<Finding>) -> Option<Self> {
        let (archive, entry) = name.split_once('/')?;
        let (stem, _) = entry.rsplit_once('.').unwrap_or((entry, ""));
        let archive = game_files::nres(vfs, archive).ok()?;
        let read = |ending: &str| {
            let name = format!("{stem}.{ending}");
            let entry = archive.entries.get(archive.find(name.as_bytes())?)?;
            Some((name, &entry.data))
        };
        let (control_name, control) = read("ctl")?;
        let points = read("cpt");
        let mut broken = |name: &str, error: FormatError| {
            let message = format!("{name} is broken: {error}");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        };
        let control = Ctld::read(control)
            .map_err(|error| broken(&control_name, error))
            .ok()?;
        let points = points.and_then(|(name, data)| {
            let points = Ctpt::read(data);
            points.map_err(|error| broken(&name, error)).ok()
        });
        let created = created_by(control.hook(ON_LOAD));
        let speeds = control.parameters.top_speed.into_iter();
        (!created.is_empty()).then(|| Self {
            name: name.to_owned(),
            top_speed: speeds.fold(0.0, f32::max),
            points: points.unwrap_or_default().points,
            created,
        })
    }

    pub(super) fn created(&self) -> impl Iterator<Item = &CreatedEffect> {
        self.created.iter().filter(|it| it.is_on)
    }

    /// How much of its top speed a speed is; all of it where the data say none.
    pub(super) fn share_of_top_speed(&self, speed: f32) -> f32 {
        if self.top_speed > 0.0 {
            speed.abs() / self.top_speed
        } else {
            1.0
        }
    }

    /// The node that carries an effect, and where its frame is on that; `None` for control points that are not there.
    ///
    /// Three control points are the axes of a frame, each as long as it is stretched, around their middle. One that is
    /// named three times is its first axis. The first one's node carries all.
    pub(super) fn frame(&self, on: &CreatedOn) -> Option<(u32, Affine)> {
        let point = |index: i32| self.points.get(usize::try_from(index).ok()?);
        match on {
            CreatedOn::Node(node) => Some((u32::try_from(*node).ok()?, Affine::IDENTITY)),
            CreatedOn::Points([a, b, c]) => {
                let points = [point(*a)?.place, point(*b)?.place, point(*c)?.place];
                let [first, ..] = points;
                let axes = match a == b && b == c {
                    true => axes_along(first.direction),
                    false => points.map(|it| it.direction),
                };
                let middle = points.map(|it| it.position.map(|part| part / 3.0));
                Some((u32::try_from(first.node).ok()?, frame_of(axes, middle)))
            }
        }
    }
}

/// The effects that actions create, as the later ones of them leave them.
fn created_by(actions: &[Action]) -> Vec<CreatedEffect> {
    let mut created: Vec<CreatedEffect> = Vec::new();
    for action in actions.iter().filter(|it| runs_at_loading(it)) {
        let [first, second, third, id] = action.values;
        let create = |on| CreatedEffect {
            id,
            on,
            resource: action.resource,
            started: None,
            is_on: true,
        };
        let named = |it: &&mut CreatedEffect| it.id == first;
        match action.action {
            Action::EFFECT_ON_NODE => created.push(create(CreatedOn::Node(first))),
            Action::EFFECT_ON_POINTS => {
                created.push(create(CreatedOn::Points([first, second, third])));
            }
            Action::DELETE_EFFECT => created.retain(|it| it.id != first),
            Action::START_EFFECT => {
                let mode = u32::try_from(second).ok();
                created
                    .iter_mut()
                    .filter(named)
                    .for_each(|it| it.started = mode);
            }
            Action::EFFECT_ON | Action::EFFECT_OFF => {
                let is_on = action.action == Action::EFFECT_ON;
                created
                    .iter_mut()
                    .filter(named)
                    .for_each(|it| it.is_on = is_on);
            }
            _ => {}
        }
    }
    created
}

/// Whether its conditions hold while nothing has happened yet: none does by itself, all do that are inverted.
fn runs_at_loading(action: &Action) -> bool {
    let mask = action.condition_mask;
    let holding = mask & action.condition_inversion;
    mask == 0 || holding == mask || (action.flags & ANY != 0 && holding != 0)
}

/// Axes of one length, the first of which is given, the second level.
fn axes_along([x, y, z]: [f32; 3]) -> [[f32; 3]; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    let across = x.hypot(y);
    let side = if across > 0.0 {
        [-y / across, x / across, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let [sx, sy, _] = side;
    // The cross product of the first axis and the second.
    let up = [-z * sy, z * sx, x * sy - y * sx];
    [[x, y, z], side.map(|part| part * length), up]
}

fn frame_of(axes: [[f32; 3]; 3], parts_of_origin: [[f32; 3]; 3]) -> Affine {
    let row = |of: fn([f32; 3]) -> f32| {
        let [x, y, z] = axes.map(of);
        let origin = parts_of_origin.map(of).iter().sum();
        [x, y, z, origin]
    };
    Affine([row(|[x, _, _]| x), row(|[_, y, _]| y), row(|[_, _, z]| z)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(action: u32, values: [i32; 4]) -> Action {
        Action {
            flags: 0,
            condition_mask: 0,
            condition_inversion: 0,
            action,
            values,
            unknown_20: 0,
            resource: ObjectRef::new("effects.rlb", "smoke").unwrap(),
        }
    }

    #[test]
    fn later_actions_start_delete_and_turn_off_what_earlier_ones_created() {
        let on_node = |id| action(Action::EFFECT_ON_NODE, [2, 0, 0, id]);
        let conditional = Action {
            condition_mask: 1,
            ..on_node(9)
        };
        let inverted = Action {
            condition_inversion: 1,
            ..conditional
        };
        let actions = [
            on_node(1),
            action(Action::EFFECT_ON_POINTS, [4, 5, 6, 2]),
            on_node(3),
            on_node(4),
            conditional,
            inverted,
            action(Action::START_EFFECT, [1, 2, 0, 0]),
            action(Action::EFFECT_OFF, [2, 0, 0, 0]),
            action(Action::DELETE_EFFECT, [3, 0, 0, 0]),
            action(17, [1, 0, 0, 0]),
        ];
        let created = created_by(&actions);
        let rows: Vec<_> = created
            .iter()
            .map(|it| (it.id, it.on, it.started, it.is_on))
            .collect();
        let node = CreatedOn::Node(2);
        let expected = [
            (1, node, Some(2), true),
            (2, CreatedOn::Points([4, 5, 6]), None, false),
            (4, node, None, true),
            (9, node, None, true),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn control_points_are_the_axes_of_a_frame() {
        let point = |at, direction| ControlPoint::new("", 3, at, direction).unwrap();
        let files = ControlFiles {
            name: String::new(),
            top_speed: 8.0,
            points: vec![
                point([3.0, 0.0, 0.0], [2.0, 0.0, 0.0]),
                point([0.0, 3.0, 0.0], [0.0, 4.0, 0.0]),
                point([0.0, 0.0, 3.0], [0.0, 0.0, 6.0]),
                point([1.0, 2.0, 3.0], [0.0, 0.0, 5.0]),
                point([0.0; 3], [0.0, 2.0, 0.0]),
            ],
            created: Vec::new(),
        };
        let frame = |points| files.frame(&CreatedOn::Points(points)).unwrap();
        let (node, three) = frame([0, 1, 2]);
        assert_eq!(node, 3);
        let expected = [
            [2.0, 0.0, 0.0, 1.0],
            [0.0, 4.0, 0.0, 1.0],
            [0.0, 0.0, 6.0, 1.0],
        ];
        assert_eq!(three, Affine(expected));
        let (_, up) = frame([3, 3, 3]);
        assert_eq!(up.transform_point([1.0, 0.0, 0.0]), [1.0, 2.0, 8.0]);
        assert_eq!(up.transform_vector([0.0, 1.0, 0.0]), [0.0, 5.0, 0.0]);
        let (_, along_y) = frame([4, 4, 4]);
        for (from, to) in [
            ([1.0, 0.0, 0.0], [0.0, 2.0, 0.0]),
            ([0.0, 1.0, 0.0], [-2.0, 0.0, 0.0]),
            ([0.0, 0.0, 1.0], [0.0, 0.0, 2.0]),
        ] {
            assert_eq!(along_y.transform_vector(from), to);
        }
        assert_eq!(files.frame(&CreatedOn::Points([0, 1, 9])), None);
        assert_eq!(files.frame(&CreatedOn::Node(-1)), None);
        assert_eq!(files.share_of_top_speed(-2.0), 0.25);
    }
}
