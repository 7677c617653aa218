//! What of a scene belongs to entities, and where it is drawn.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DAffine3, DMat3, DVec3, Mat4};
use ironlands_assets_source::level_scene::{
    Figure, Owner, Owners, PortalOwner, exposure_after, light_pattern,
};
use ironlands_assets_source::studio_motion::StudioMotion;
use ironlands_scene::{
    Affine, Anchor, AutoExposure, CullingState, Emitter, EmitterState, GradingState, LightStyle,
    Scene,
};
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
    figures: Vec<DrawnFigure>,
    /// Whose each emitter of the scene is; empty where that is not known.
    emitters: Vec<DrawnEmitter>,
    styles: Vec<LightStyle>,
    /// Whose each portal of the scene is.
    portals: Vec<PortalOwner>,
    /// Whose each occluder of the scene is.
    occluders: Vec<Option<usize>>,
    /// Entity of each color correction of the scene.
    corrections: Vec<usize>,
    /// What exposure is led to when the level begins.
    auto_exposure: Option<AutoExposure>,
}

/// An instance whose bones sequences move.
#[derive(Debug, Clone)]
struct DrawnFigure {
    /// Where the instance is, at its first bone.
    place: DrawnNode,
    n_bones: usize,
    motion: Arc<StudioMotion>,
    /// The sequence whose first frame it shows when the level begins.
    at_start: usize,
    /// Whether it is drawn then.
    is_drawn_at_start: bool,
}

/// An emitter that an entity turns on and carries.
#[derive(Debug, Clone)]
struct DrawnEmitter {
    entity: usize,
    /// `None` for what has no place in the world.
    placed: Option<PlacedEmitter>,
}

#[derive(Debug, Clone, Copy)]
struct PlacedEmitter {
    /// Where the entity is when the level begins.
    at_start: DAffine3,
    /// World from emitter then.
    world_from_emitter: DAffine3,
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
        let mut figures = Vec::new();
        let motions: HashMap<usize, &Figure> =
            (owners.figures.iter().map(|it| (it.instance, it))).collect();
        let mut first_node = 0_usize;
        let pairs = scene.instances.iter().zip(&owners.instances);
        for (index, (instance, owner)) in pairs.enumerate() {
            let model = scene.models.get(instance.model.0 as usize);
            let n_nodes = model.map_or(0, |model| model.nodes.len());
            let next = first_node.saturating_add(n_nodes);
            // Other models of levels have one node each.
            match (owner, motions.get(&index)) {
                (Some(owner), Some(figure)) => figures.push(DrawnFigure {
                    place: DrawnNode::new(first_node, owner, start),
                    n_bones: n_nodes,
                    motion: figure.motion.clone(),
                    at_start: figure.first.sequence,
                    is_drawn_at_start: (start.entities().get(owner.entity))
                        .is_some_and(|it| it.is_drawn()),
                }),
                (Some(owner), None) if n_nodes == 1 => {
                    nodes.push(DrawnNode::new(first_node, owner, start));
                }
                _ => {}
            }
            first_node = next;
        }
        Self {
            at_start,
            nodes,
            figures,
            emitters: (owners.emitters.iter().zip(&scene.emitters))
                .map(|(&entity, emitter)| DrawnEmitter::new(entity, emitter, start))
                .collect(),
            styles: scene.light_styles.clone(),
            portals: owners.portals.clone(),
            occluders: owners.occluders.clone(),
            corrections: owners.corrections.clone(),
            auto_exposure: scene.auto_exposure,
        }
    }

    /// Whether there is anything that entities move or hide.
    pub fn changes(&self) -> bool {
        !self.nodes.is_empty() || !self.figures.is_empty()
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
        for figure in &self.figures {
            figure.pose(now, world_from_nodes);
        }
    }

    /// Turns emitters on and off as their entities are, and lets those move along that move.
    pub fn emit(&self, now: &Simulation, moments: &mut [EmitterState]) {
        for (moment, emitter) in moments.iter_mut().zip(&self.emitters) {
            let Some(entity) = now.entities().get(emitter.entity) else {
                continue;
            };
            moment.is_on = match &entity.kind {
                Kind::Effect(effect) => {
                    let effect = effect.moment(now.tick_secs());
                    if let Some(effect) = effect {
                        moment.clock_secs -= effect.since_secs as f32;
                        let until_secs = effect.until_secs - effect.since_secs;
                        // What begins with the level has been there for long.
                        let [ever, _] = EmitterState::EVER;
                        let from_secs = if effect.since_secs > 0.0 { 0.0 } else { ever };
                        moment.born_secs = [from_secs, until_secs as f32];
                    }
                    effect.is_some() && entity.is_drawn()
                }
                Kind::Switch(_) => entity.is_drawn(),
                _ => moment.is_on && entity.is_drawn(),
            };
            if let Some(placed) = &emitter.placed
                && moment.is_on
            {
                moment.world_from_emitter = placed.moved(&now.world_from_entity(emitter.entity));
            }
        }
    }

    /// What controllers make of the exposure, and entities of the corrections of colors.
    pub fn grade(&self, now: &Simulation, grading: &mut GradingState) {
        let settings = now.entities().iter().filter_map(|it| match &it.kind {
            Kind::Settings(settings) if !it.is_removed => Some(settings),
            _ => None,
        });
        let mut sent = settings.flat_map(|it| it.sent()).peekable();
        grading.auto_exposure = (self.auto_exposure.filter(|_| sent.peek().is_some()))
            .map(|of_scene| exposure_after(of_scene, sent));
        let amount = |&entity: &usize| match now.entities().get(entity).map(|it| (it, &it.kind)) {
            Some((entity, Kind::Fader(fader))) if !entity.is_removed => {
                fader.amount(now.tick_number(), now.tick_secs()) as f32
            }
            _ => 0.0,
        };
        grading.correction_weights.clear();
        let amounts = self.corrections.iter().map(amount);
        grading.correction_weights.extend(amounts);
    }

    /// Which portals are open and which occluders hide something.
    pub fn cull(&self, now: &Simulation, culling: &mut CullingState) {
        let present = |index: usize| now.entities().get(index).filter(|it| !it.is_removed);
        let gate = |entity: Option<usize>| match entity.and_then(present).map(|it| &it.kind) {
            Some(Kind::Gate(gate)) => Some(gate),
            _ => None,
        };
        let is_open = |entity| gate(entity).is_none_or(|gate| gate.is_open);
        let portals = self.portals.iter().map(|owner| {
            let doors = owner.doors.iter().filter_map(|door| present(*door));
            let mut doors = doors
                .filter(|it| matches!(it.kind, Kind::Door(_)))
                .peekable();
            let has_doors = doors.peek().is_some();
            let is_passed = doors.any(|it| !it.kind.is_closed());
            // An input opens it though its doors are closed.
            let is_told = gate(owner.entity).is_some_and(|gate| gate.is_told);
            is_passed || (is_open(owner.entity) && (is_told || !has_doors))
        });
        culling.open_portals.extend(portals);
        let occluders = self.occluders.iter().map(|entity| is_open(*entity));
        culling.active_occluders.extend(occluders);
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

impl DrawnFigure {
    fn pose(&self, now: &Simulation, world_from_nodes: &mut [RowMatrix]) {
        let Self { place, n_bones, .. } = self;
        let Some(entity) = now.entities().get(place.entity) else {
            return;
        };
        let end = place.node.saturating_add(*n_bones);
        let Some(nodes) = world_from_nodes.get_mut(place.node..end) else {
            return;
        };
        if !entity.is_drawn() {
            nodes.fill(HIDDEN);
            return;
        }
        let (sequence, secs) = match &entity.kind {
            Kind::Animator(animator) => animator.moment(now.tick_number(), now.tick_secs()),
            _ => (self.at_start, 0.0),
        };
        let world_from_entity = now.world_from_entity(place.entity);
        let is_at_start = self.is_drawn_at_start && (sequence, secs) == (self.at_start, 0.0);
        if is_at_start && place.place_in_file == Some(world_from_entity) {
            return;
        }
        let world_from_model = place.world_from_node(&world_from_entity);
        let frame = secs as f32 * self.motion.fps(sequence);
        // What cannot be decoded is a finding; its frames are as at rest.
        let bones = (self.motion.pose(sequence, frame)).unwrap_or_else(|_| self.motion.at_rest());
        for (node, (turn, origin)) in nodes.iter_mut().zip(bones) {
            let model_from_bone = RowMatrix::from(Mat4::from_rotation_translation(turn, origin));
            *node = world_from_model.times(&model_from_bone);
        }
    }
}

impl DrawnEmitter {
    fn new(entity: usize, emitter: &Emitter, start: &Simulation) -> Self {
        let placed = match &emitter.anchor {
            Anchor::Place(world_from_emitter) => Some(PlacedEmitter {
                at_start: start.world_from_entity(entity),
                world_from_emitter: affine_of(world_from_emitter),
            }),
            Anchor::Node { .. } | Anchor::Eye { .. } => None,
        };
        Self { entity, placed }
    }
}

impl PlacedEmitter {
    /// Where the emitter is when the entity is elsewhere than at the start; `None` while it is there.
    fn moved(&self, world_from_entity: &DAffine3) -> Option<Affine> {
        let Self {
            at_start,
            world_from_emitter,
        } = self;
        if at_start == world_from_entity {
            return None;
        }
        let moved = *world_from_entity * at_start.inverse() * *world_from_emitter;
        let rows = moved.matrix3.transpose().to_cols_array_2d();
        let [x, y, z] = moved.translation.to_array();
        let [[a, b, c], [d, e, f], [g, h, i]] = rows;
        let rows = [[a, b, c, x], [d, e, f, y], [g, h, i, z]];
        Some(Affine(rows.map(|row| row.map(|it| it as f32))))
    }
}

impl DrawnNode {
    fn new(node: usize, owner: &Owner, start: &Simulation) -> Self {
        let Affine(rows) = owner.world_from_model;
        let DAffine3 {
            matrix3: axes,
            translation: origin,
        } = affine_of(&owner.world_from_model);
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
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

fn affine_of(Affine(rows): &Affine) -> DAffine3 {
    let [[xa, xb, xc, x], [ya, yb, yc, y], [za, zb, zc, z]] = rows.map(|row| row.map(f64::from));
    let axes = DMat3::from_cols_array_2d(&[[xa, ya, za], [xb, yb, zb], [xc, yc, zc]]);
    DAffine3::from_mat3_translation(axes, DVec3::new(x, y, z))
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
