//! Which effects models have when they are loaded: control data and control points.

use ironlands_assets_parkan::ctld::{Action, Ctld, ON_LOAD, Parameters};
use ironlands_assets_parkan::ctpt::{ControlPoint, Ctpt};
use ironlands_assets_parkan::registry::ObjectRef;

use super::LOOP;

/// Where an effect is on a model.
enum On {
    /// In the axes of a node.
    Node(i32),
    /// At a place of a node, stretched alike, its axes those of the node.
    At(u32, [f32; 3], f32),
    /// At a place of a node, its first axis in a direction that is as long as it is stretched.
    Along(u32, [f32; 3], [f32; 3]),
}

/// An effect of a model.
struct Attached {
    effect: &'static str,
    on: On,
    /// Started in this time mode.
    mode: Option<u32>,
}

/// Top speed of walkers, units per second.
const WALKER_SPEED: f32 = 6.0;

/// Control data and control points of the model of that name, if it has effects.
pub fn control(stem: &str) -> Option<(Ctld, Ctpt)> {
    let attached = attached(stem);
    if attached.is_empty() {
        return None;
    }
    let mut points = Vec::new();
    let mut actions = Vec::new();
    for (id, it) in (0..).zip(&attached) {
        let (action, values) = match it.on {
            On::Node(node) => (Action::EFFECT_ON_NODE, [node, -1, -1]),
            On::At(node, at, size) => {
                let first = points.len() as i32;
                for (axis, name) in ["d", "w", "h"].into_iter().enumerate() {
                    let mut direction = [0.0; 3];
                    direction[axis] = size;
                    points.push(point(&format!("Fx{id}_{name}"), node, at, direction));
                }
                (Action::EFFECT_ON_POINTS, [first, first + 1, first + 2])
            }
            On::Along(node, at, direction) => {
                let place = points.len() as i32;
                points.push(point(&format!("Fx{id}"), node, at, direction));
                (Action::EFFECT_ON_POINTS, [place; 3])
            }
        };
        let [a, b, c] = values;
        actions.push(act(action, [a, b, c, id], it.effect));
        if let Some(mode) = it.mode {
            actions.push(act(Action::START_EFFECT, [id, mode as i32, 0, 0], ""));
        }
    }
    let mut control = Ctld {
        parameters: Parameters {
            top_speed: [WALKER_SPEED, 0.0, 0.0],
            ..Parameters::default()
        },
        groups: vec![actions],
        ..Ctld::default()
    };
    control.hooks[ON_LOAD] = 0;
    Some((control, Ctpt { points }))
}

fn point(name: &str, node: u32, at: [f32; 3], direction: [f32; 3]) -> ControlPoint {
    ControlPoint::new(name, node, at, direction).expect("names are short")
}

fn act(action: u32, values: [i32; 4], effect: &str) -> Action {
    let archive = if effect.is_empty() { "" } else { "effects.rlb" };
    Action {
        flags: 0,
        condition_mask: 0,
        condition_inversion: 0,
        action,
        values,
        unknown_20: 0,
        resource: ObjectRef::new(archive, effect).expect("names are short"),
    }
}

fn attached(stem: &str) -> Vec<Attached> {
    let plain = |effect, on| Attached {
        effect,
        on,
        mode: None,
    };
    let repeated = |effect, on| Attached {
        mode: Some(LOOP),
        ..plain(effect, on)
    };
    match stem {
        "FR_POST" => vec![
            plain("SMOKE", On::At(0, [2.6, -0.6, 8.6], 1.0)),
            plain("BEACON", On::At(0, [-5.6, 3.4, 19.7], 1.0)),
        ],
        "GN_TWIN" => vec![
            repeated("MUZZLE", On::Along(1, [4.3, 0.32, 0.05], [1.0, 0.0, 0.0])),
            repeated("MUZZLE", On::Along(1, [4.3, -0.32, 0.05], [1.0, 0.0, 0.0])),
        ],
        "WALKER" => vec![
            plain("ENGINE", On::Along(1, [-1.5, 0.0, 1.5], [-1.0, 0.0, -0.2])),
            plain("DUST", On::Node(0)),
        ],
        "BEACON" => vec![plain("BEACON", On::At(0, [0.0, 0.0, 3.8], 0.6))],
        "BRAZIER" => vec![plain("FIRE", On::At(0, [0.0, 0.0, 1.35], 1.0))],
        "FOUNTAIN" => vec![plain("SPRAY", On::At(0, [0.0, 0.0, 1.3], 1.0))],
        "PORTAL" => vec![plain("TELEPORT", On::At(0, [0.0, 0.0, 0.35], 1.0))],
        "SCRAP" => vec![
            repeated("EXPLODE", On::At(0, [0.0, 0.0, 0.4], 1.0)),
            plain("SPARKS", On::At(0, [0.9, 0.2, 1.5], 1.0)),
        ],
        _ => Vec::new(),
    }
}
