//! A zone of Evil Islands: its ground and liquids, and who stands on it.

mod tiles;

use crate::figure::{Actor, Crowd, Rig};
use crate::figure_world::figure_facts;
use glam::Vec3;
use ironlands_assets_evil_islands::land::Layer;
use ironlands_assets_evil_islands::level_scene::{
    animation_targets, place_on_ground, shown_objects,
};
use ironlands_assets_evil_islands::map_entities::MapEntity;
use ironlands_assets_evil_islands::mob::view::FactText;
use ironlands_assets_evil_islands::mp::{Mp, ground_type_name};
use ironlands_assets_evil_islands::zone::Zone;
use ironlands_scene::{Scene, TileShape};
use ironlands_sim_core::triangles::{TriangleError, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};
use ironlands_sim_world::{
    Clock, Fact, Poses, World, WorldEntity, WorldHit, ground_below, slide_on,
};
use std::collections::BTreeMap;
use tiles::{FACES_PER_TILE, LandTile, land_tiles};

/// Faces that are walked on.
const GROUND: u32 = 1;
/// Faces of liquids.
const LIQUID: u32 = 2;
/// Sees the ground alone: what walkers stand on, who go on the bed of liquids, and what hides things.
pub const SOLID: MaskFilter = MaskFilter {
    required: 0,
    forbidden: LIQUID,
};

/// Beginnings of idle animations are spread over this many seconds, by the numbers of objects, so that not all sway in
/// step.
const SPREAD_SECS: f64 = 7.0;
/// In this many steps.
const PHASES: u32 = 17;

/// A zone as camera, picking and HUD see it. An element is a face of the land, eight a tile: first those of the ground,
/// sector by sector and tile by tile, then those of liquids; or a node of a pose, counted on from there.
#[derive(Debug, Clone)]
pub struct EvilIslandsWorld {
    land: TriangleIndex,
    tiles: Vec<LandTile>,
    mp: Mp,
    crowd: Crowd,
    /// What is known of each actor of the crowd.
    object_facts: Vec<Vec<FactText>>,
    entities: Vec<WorldEntity>,
}

impl EvilIslandsWorld {
    /// A world of a zone and the scene that was made of it. Copies what it needs.
    ///
    /// # Errors
    /// A land of more faces than an index holds.
    ///
    /// # Panics
    /// If the scene is of another zone.
    pub fn new(zone: &Zone, scene: &Scene) -> Result<Self, TriangleError> {
        let land = zone.land();
        let (positions, faces, tiles) = land_tiles(&land);
        let (rigs, actors) = actors_of(zone);
        let object_facts = shown_objects(zone).map(|(_, object)| object.facts());
        Ok(Self {
            land: TriangleIndex::new(&positions, &faces)?,
            tiles,
            mp: zone.mp.clone(),
            crowd: Crowd::new(rigs, actors, scene),
            object_facts: object_facts.collect(),
            entities: zone.entities().into_iter().map(world_entity).collect(),
        })
    }

    /// The faces of ground and liquids, for queries that only this world has; [`SOLID`] sees the ground alone.
    pub fn land(&self) -> &TriangleIndex {
        &self.land
    }

    /// The element that stands for the first node of a pose; those before it are faces.
    fn first_node(&self) -> usize {
        self.tiles.len().saturating_mul(FACES_PER_TILE)
    }

    fn tile_facts(&self, tile: &LandTile) -> Vec<Fact> {
        let LandTile {
            sector: [x, y],
            place,
            tile,
            layer,
            material,
        } = *tile;
        let number = tile.number();
        let mut facts = vec![
            Fact::new("sector", format!("{x} {y}")),
            Fact::new("tile", format!("{} {}", place % 16, place / 16)),
            Fact::new(
                "texture",
                format!("tile {} of atlas {}", tile.index(), tile.texture()),
            ),
            Fact::new(
                "turned",
                format!("{} degrees", u32::from(tile.rotation()) * 90),
            ),
        ];
        match layer {
            Layer::Ground => {
                let ground_type = self.mp.ground_types.get(usize::from(number));
                let name = ground_type.map(|it| match ground_type_name(*it) {
                    Some(name) => name.to_owned(),
                    None => format!("unknown ({it})"),
                });
                facts.push(Fact::new(
                    "ground",
                    name.unwrap_or_else(|| "none".to_owned()),
                ));
            }
            Layer::Liquid => {
                let of_file = usize::try_from(material).ok();
                let kind = of_file.and_then(|it| self.mp.materials.get(it)?.kind_name());
                let kind = kind.map_or_else(String::new, |kind| format!(", {kind}"));
                facts.push(Fact::new("liquid", format!("material {material}{kind}")));
            }
        }
        facts
    }
}

impl World for EvilIslandsWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.land.bounds()
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        let land = self.land.cast_ray(ray, t_max, MaskFilter::ALL);
        // The land wins where both are met at one distance.
        let t_max = land.as_ref().map_or(t_max, |hit| hit.t.next_down());
        if let Some(hit) = self.crowd.cast_ray(ray, t_max, poses) {
            return Some(hit.in_world(self.first_node()));
        }
        let hit = land?;
        Some(WorldHit {
            element: hit.face,
            t: hit.t,
            position: hit.position,
            normal: if hit.front { hit.normal } else { -hit.normal },
        })
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        a.is_finite()
            && b.is_finite()
            && !self.land.cast_segment(a, b, SOLID)
            && !self.crowd.cast_segment(a, b, poses)
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        ground_below(&self.land, SOLID, [x, y, z])
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        slide_on(&self.land, SOLID, [a, b], radius, motion)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Vec3 { x, y, z } = hit.position;
        let position = Fact::new("position", format!("{x:.2} {y:.2} {z:.2}"));
        let element = hit.element as usize;
        let known = match element.checked_sub(self.first_node()) {
            Some(node) => {
                let of_object = self.crowd.actor_at(node);
                let of_object = of_object.and_then(|actor| self.object_facts.get(actor));
                let facts = of_object.into_iter().flatten().map(fact);
                let mut known = figure_facts(&self.crowd, node);
                known.extend(facts);
                known
            }
            None => {
                let tile = self.tiles.get(element / FACES_PER_TILE);
                tile.map_or_else(Vec::new, |tile| self.tile_facts(tile))
            }
        };
        let position = (!known.is_empty()).then_some(position);
        position.into_iter().chain(known).collect()
    }

    /// The whole tile of a face, or a part of a figure.
    fn outline(&self, hit: &WorldHit, poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        let element = hit.element as usize;
        if let Some(node) = element.checked_sub(self.first_node()) {
            return self.crowd.node_triangles(node, poses);
        }
        const IN_TILE: u32 = FACES_PER_TILE as u32 - 1;
        let first = hit.element & !IN_TILE;
        let faces = (first..=u32::MAX).take(FACES_PER_TILE);
        faces
            .filter_map(|face| self.land.face_corners(face))
            .collect()
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        self.crowd.pose(clock, poses);
    }

    fn last_frame(&self) -> f32 {
        self.crowd.last_frame()
    }

    fn has_own_rates(&self) -> bool {
        true
    }

    fn entities(&self) -> &[WorldEntity] {
        &self.entities
    }
}

/// A rig for each figure that is shown, and an actor for each object. All play what their figure does when nothing
/// happens; who has no such animation stands as it was placed.
fn actors_of(zone: &Zone) -> (Vec<Rig>, Vec<Actor>) {
    let mut rigs = Vec::new();
    let mut known = BTreeMap::new();
    let actors = shown_objects(zone).filter_map(|(_, object)| {
        let figure = zone.figure_of(object)?;
        let template = object.template.to_ascii_lowercase();
        let rig = *known.entry(template).or_insert_with(|| {
            rigs.push(Rig::from_figure(figure, &animation_targets(figure)));
            rigs.len().saturating_sub(1)
        });
        Some(Actor {
            rig,
            complection: object.complection,
            animation: figure.idle_animation(),
            playing_place: Some(place_on_ground(zone, object)),
            start_secs: f64::from(object.nid % PHASES) / f64::from(PHASES) * SPREAD_SECS,
        })
    });
    let actors = actors.collect();
    (rigs, actors)
}

fn world_entity(entity: MapEntity) -> WorldEntity {
    let MapEntity {
        class,
        name,
        position,
        facts,
    } = entity;
    WorldEntity {
        class: class.to_owned(),
        name,
        position: position.map(Vec3::from),
        facts: facts.iter().map(fact).collect(),
    }
}

fn fact((label, value): &FactText) -> Fact {
    Fact::new(label, value.clone())
}
