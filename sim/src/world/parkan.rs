//! A Parkan level: terrain faces, their materials, and areals.

use super::{Fact, World, WorldHit, model_facts};
use crate::Ray;
use crate::animation::{RowMatrix, SkeletonError};
use crate::areal::{ArealError, ArealIndex};
use crate::motion::{Clock, Motion};
use crate::terrain::{TerrainError, TerrainIndex};
use glam::{Vec2, Vec3};
use ironlands_assets_loader::parkan::face_mask::{FaceFilter, FaceFlags};
use ironlands_assets_loader::parkan::inhabitants::Inhabitants;
use ironlands_assets_loader::parkan::land_map::LandMap;
use ironlands_assets_loader::parkan::land_msh::{LandMsh, NO_OVERLAY};
use ironlands_assets_loader::parkan::text::decode_cp1251;
use ironlands_assets_loader::parkan::wear::Wear;

const ANY_FACE: FaceFilter = FaceFilter {
    required: 0,
    forbidden: 0,
};
/// Water is see-through to walkers.
const GROUND: FaceFilter = FaceFilter {
    required: 0,
    forbidden: FaceFlags::WATER.bits(),
};

/// A level of Parkan: Iron Strategy as camera, picking and HUD see it. An element is a face of `Land.msh`,
/// or a node of a pose, counted on from there.
#[derive(Debug, Clone)]
pub struct ParkanWorld {
    terrain: TerrainIndex,
    areals: Option<ArealIndex>,
    /// `class_id` of each areal.
    areal_classes: Vec<u32>,
    /// Base and overlay row of each face of the file.
    face_materials: Vec<[u8; 2]>,
    base_names: Vec<String>,
    overlay_names: Vec<String>,
    motion: Motion,
}

/// How far above a point of a way its ground may be.
const STEP_UP: f32 = 2.0;

/// Why typed files cannot become a world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParkanWorldError {
    /// Of `Land.msh`.
    #[error("terrain")]
    Terrain(#[from] TerrainError),
    /// Of `Land.map`.
    #[error("areal map")]
    Areals(#[from] ArealError),
    /// Of a model.
    #[error("model")]
    Skeleton(#[from] SkeletonError),
}

impl ParkanWorld {
    /// A world of a level's terrain and, where there are such files, its areals and its two material tables:
    /// `land1` names overlays, `land2` base materials (dossier section 4.4). Copies what it needs.
    ///
    /// # Errors
    /// If an index in one of the files names what is not there. Material rows may: they are shown as missing.
    pub fn new(
        land: &LandMsh,
        map: Option<&LandMap>,
        land1: Option<&Wear>,
        land2: Option<&Wear>,
    ) -> Result<Self, ParkanWorldError> {
        let areals = map
            .map(|map| ArealIndex::new(map, header_bounds(land)))
            .transpose()?;
        Ok(Self {
            terrain: TerrainIndex::new(land)?,
            areals,
            areal_classes: map.map_or_else(Vec::new, |map| {
                map.areals.iter().map(|a| a.class_id).collect()
            }),
            face_materials: land
                .faces
                .iter()
                .map(|f| [f.base_material, f.overlay_material])
                .collect(),
            base_names: names(land2),
            overlay_names: names(land1),
            motion: Motion::default(),
        })
    }

    /// The same world with what stands in it.
    ///
    /// # Errors
    /// A model whose nodes make no skeleton.
    pub fn with_inhabitants(self, inhabitants: &Inhabitants) -> Result<Self, ParkanWorldError> {
        let motion = Motion::new(inhabitants)?;
        Ok(Self { motion, ..self })
    }

    /// The faces, for questions that only this world knows.
    pub fn terrain(&self) -> &TerrainIndex {
        &self.terrain
    }

    /// The areals, if the level has any.
    pub fn areals(&self) -> Option<&ArealIndex> {
        self.areals.as_ref()
    }

    /// The element that stands for the first node of a pose; those before it are faces.
    fn first_node(&self) -> usize {
        self.face_materials.len()
    }

    fn areal_facts(&self, areals: &ArealIndex, point: Vec2) -> Vec<Fact> {
        let Some(areal) = areals.areal_at(point) else {
            return vec![Fact::new("areal", "none")];
        };
        let neighbours: Vec<_> = areals
            .neighbours(areal)
            .iter()
            .map(u32::to_string)
            .collect();
        vec![
            Fact::new("areal", areal.to_string()),
            Fact::new(
                "areal class",
                self.areal_classes[areal as usize].to_string(),
            ),
            Fact::new("areal neighbours", or_none(neighbours.join(", "))),
        ]
    }
}

impl World for ParkanWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.terrain.bounds()
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, world_from_nodes: &[RowMatrix]) -> Option<WorldHit> {
        let ground = self.terrain.cast_ray(ray, t_max, ANY_FACE);
        // The ground wins where both are met at one distance.
        let t_max = ground.as_ref().map_or(t_max, |hit| hit.t.next_down());
        let model = self.motion.cast_ray(ray, t_max, world_from_nodes);
        if let Some(hit) = model {
            return Some(hit.in_world(self.first_node()));
        }
        let hit = ground?;
        let normal = if hit.front { hit.normal } else { -hit.normal };
        Some(WorldHit {
            element: hit.face,
            t: hit.t,
            position: hit.position,
            normal,
        })
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        let below = self.terrain.height_at_or_below(x, y, z, GROUND);
        below
            .or_else(|| self.terrain.height_at_or_above(x, y, z, GROUND))
            .map(|hit| hit.z)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Vec3 { x, y, z } = hit.position;
        let position = Fact::new("position", format!("{x:.2} {y:.2} {z:.2}"));
        if let Some(node) = (hit.element as usize).checked_sub(self.first_node()) {
            let facts = model_facts(&self.motion, node);
            let position = (!facts.is_empty()).then_some(position);
            return position.into_iter().chain(facts).collect();
        }
        let Some(flags) = self.terrain.face_flags(hit.element) else {
            return Vec::new();
        };
        let [base, overlay] = self.face_materials[hit.element as usize];
        let flag_names: Vec<_> = flags.names().collect();
        let compact = format!(
            "main {:#06x}, material {:#04x}",
            flags.to_main16().0,
            flags.to_material6().0
        );
        let overlay = if overlay == NO_OVERLAY {
            "none".to_owned()
        } else {
            row(overlay, &self.overlay_names)
        };
        let mut facts = vec![
            position,
            Fact::new("face", hit.element.to_string()),
            Fact::new("flags", or_none(flag_names.join(", "))),
            Fact::new("mask", format!("{:#010x}", flags.bits())),
            Fact::new("compact mask", compact),
            Fact::new("base material", row(base, &self.base_names)),
            Fact::new("overlay material", overlay),
        ];
        if let Some(areals) = &self.areals {
            facts.extend(self.areal_facts(areals, hit.position.truncate()));
        }
        facts
    }

    fn outline(&self, hit: &WorldHit, world_from_nodes: &[RowMatrix]) -> Vec<[Vec3; 3]> {
        if let Some(node) = (hit.element as usize).checked_sub(self.first_node()) {
            return self.motion.node_triangles(node, world_from_nodes);
        }
        self.terrain.face_corners(hit.element).into_iter().collect()
    }

    fn pose(&self, clock: &Clock, world_from_nodes: &mut Vec<RowMatrix>) {
        let ground_at = |[x, y, z]: [f32; 3]| self.ground_below(x, y, z + STEP_UP);
        self.motion.pose(clock, &ground_at, world_from_nodes);
    }

    fn last_frame(&self) -> f32 {
        self.motion.last_frame()
    }
}

/// Ground plane bounds of the terrain's header box, over which the areal grid lies (dossier section 5.4).
fn header_bounds(land: &LandMsh) -> Option<(Vec2, Vec2)> {
    let corners = || land.header.corners.iter().map(|&[x, y, _]| Vec2::new(x, y));
    Some((corners().reduce(Vec2::min)?, corners().reduce(Vec2::max)?))
}

fn names(table: Option<&Wear>) -> Vec<String> {
    let rows = table.map_or(&[][..], |table| table.materials.as_slice());
    rows.iter()
        .map(|row| decode_cp1251(&row.name).into_owned())
        .collect()
}

/// A row as text; a row that is not in the table is drawn with material DEFAULT (dossier section 4.4).
fn row(row: u8, names: &[String]) -> String {
    match names.get(usize::from(row)) {
        Some(name) => format!("{row}, {name}"),
        None => format!("{row}, not in the table"),
    }
}

fn or_none(text: String) -> String {
    if text.is_empty() {
        "none".to_owned()
    } else {
        text
    }
}
