//! What of a scene belongs to entities, and where it is drawn.

use glam::{DAffine3, DMat3, DVec3};
use ironlands_assets_source::level_scene::{Owner, Owners, light_pattern};
use ironlands_scene::{Affine, EmitterState, LightStyle, Scene};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_entities::{Kind, Simulation, SwitchedLight};

/// Nothing is drawn of a node that has no size.
const HIDDEN: RowMatrix = RowMatrix([0.0; 16]);

/// What counts as the same place, in units, and as the same axes.
const SAME_PLACE: f64 = 1e-4;

/// The scene of a map, as far as entities change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawn {
    /// All nodes of all instances when the level begins.
    at_start: Vec<RowMatrix>,
    nodes: Vec<DrawnNode>,
    /// Entity of each emitter of the scene; empty where that is not known.
    emitters: Vec<usize>,
    styles: Vec<LightStyle>,
}

/// A node that an entity moves or hides.
#[derive(Debug, Clone, Copy)]
struct DrawnNode {
    node: usize,
    entity: usize,
    /// Scale of the model along its axes.
    scale: DVec3,
    /// World from node in the file.
    in_file: RowMatrix,
    /// Where the entity is when it is where the file has it; `None` if its motion begins elsewhere.
    place_in_file: Option<DAffine3>,
}

impl Drawn {
    /// A scene, and whose its instances and emitters are.
    pub fn new(scene: &Scene, owners: &Owners, start: &Simulation) -> Self {
        let at_start: Vec<RowMatrix> = (scene.rest_poses().iter())
            .map(|Affine(rows)| RowMatrix::from_rows(*rows))
            .collect();
        let mut nodes = Vec::new();
        let mut first_node = 0_usize;
        for (instance, owner) in scene.instances.iter().zip(&owners.instances) {
            let model = scene.models.get(instance.model.0 as usize);
            let n_nodes = model.map_or(0, |model| model.nodes.len());
            let next = first_node.saturating_add(n_nodes);
            // Models of levels have one node each.
            if let (Some(owner), 1) = (owner, n_nodes) {
                nodes.push(DrawnNode::new(first_node, owner, start));
            }
            first_node = next;
        }
        Self {
            at_start,
            nodes,
            emitters: owners.emitters.clone(),
            styles: scene.light_styles.clone(),
        }
    }

    /// Whether there is anything that entities move or hide.
    pub fn changes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// World from node for every node of the scene.
    pub fn pose(&self, now: &Simulation, world_from_nodes: &mut Vec<RowMatrix>) {
        world_from_nodes.clone_from(&self.at_start);
        for drawn in &self.nodes {
            let Some(entity) = now.entities().get(drawn.entity) else {
                continue;
            };
            if let Some(node) = world_from_nodes.get_mut(drawn.node) {
                *node = match entity.is_drawn() {
                    false => HIDDEN,
                    true => drawn.world_from_node(&now.world_from_entity(drawn.entity)),
                };
            }
        }
    }

    /// Turns off the emitters of entities that are off or gone.
    pub fn emit(&self, now: &Simulation, moments: &mut [EmitterState]) {
        for (moment, &entity) in moments.iter_mut().zip(&self.emitters) {
            let entity = now.entities().get(entity);
            moment.is_on &= entity.is_none_or(|it| it.is_drawn());
        }
    }

    /// How lights change with time, with those that are switched.
    pub fn light_styles(&self, now: &Simulation, styles: &mut Vec<LightStyle>) {
        styles.clone_from(&self.styles);
        for entity in now.entities() {
            let Kind::Light(light) = &entity.kind else {
                continue;
            };
            if let Some(style) = styles.get_mut(light.style) {
                *style = style_of(light);
            }
        }
    }
}

impl DrawnNode {
    fn new(node: usize, owner: &Owner, start: &Simulation) -> Self {
        let Affine(rows) = owner.world_from_model;
        let [[xa, xb, xc, x], [ya, yb, yc, y], [za, zb, zc, z]] =
            rows.map(|row| row.map(f64::from));
        let columns = [[xa, ya, za], [xb, yb, zb], [xc, yc, zc]].map(DVec3::from_array);
        let origin = DVec3::new(x, y, z);
        let [a, b, c] = columns;
        let scale = DVec3::from_array(columns.map(DVec3::length));
        let drawn = Self {
            node,
            entity: owner.entity,
            scale,
            in_file: RowMatrix::from_rows(rows),
            place_in_file: None,
        };
        let place = start.world_from_entity(owner.entity);
        let turned = place.matrix3 * DMat3::from_diagonal(scale);
        let is_in_file = (place.translation - origin).abs().max_element() < SAME_PLACE
            && turned.abs_diff_eq(DMat3::from_cols(a, b, c), SAME_PLACE);
        Self {
            place_in_file: is_in_file.then_some(place),
            ..drawn
        }
    }

    fn world_from_node(&self, place: &DAffine3) -> RowMatrix {
        if self.place_in_file == Some(*place) {
            return self.in_file;
        }
        let columns = place.matrix3 * DMat3::from_diagonal(self.scale);
        let rows = columns.transpose().to_cols_array_2d();
        let [[a, b, c], [d, e, f], [g, h, i]] = rows.map(|row| row.map(|it| it as f32));
        let [x, y, z] = place.translation.as_vec3().to_array();
        RowMatrix::from_rows([[a, b, c, x], [d, e, f, y], [g, h, i, z]])
    }
}

/// A pattern of letters, dark while the lamp is off. A lamp that is removed stays as bright as it was.
fn style_of(light: &SwitchedLight) -> LightStyle {
    let style = light_pattern(&light.pattern);
    match light.is_on {
        false => LightStyle {
            factors: vec![0.0],
            ..style
        },
        true if style.factors.is_empty() => LightStyle {
            factors: vec![1.0],
            ..style
        },
        true => style,
    }
}
