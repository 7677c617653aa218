//! A Parkan level: terrain faces, their materials, and areals.

use crate::areal_map::areal_map;
use crate::drives::Drives;
use crate::floors;
use crate::mission_entities::mission_entities;
use crate::motion::{Motion, model_facts};
use crate::skeleton::MshSkeletonError;
use crate::terrain::{self, FaceMaterials, GROUND, TerrainError};
use crate::walls;
use glam::{Vec2, Vec3};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_parkan::effect_scene::EmitterDrive;
use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::{LandMsh, NO_MATERIAL};
use ironlands_assets_parkan::level_objects::LevelObjects;
use ironlands_assets_parkan::mission::Mission;
use ironlands_assets_parkan::wear::Wear;
use ironlands_scene::{EmitterState, TileShape};
use ironlands_sim_areal::{ArealError, ArealIndex};
use ironlands_sim_core::triangles::{HeightHit, RayHit, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};
use ironlands_sim_world::{
    Clock, Fact, Poses, World, WorldEntity, WorldHit, ground_below, slide_on,
};
use ironlands_world_kind::EffectDrive;

/// A level of Parkan: Iron Strategy as camera, picking and HUD see it. An element is a face of `Land.msh`,
/// or a node of a pose, counted on from there.
#[derive(Debug, Clone)]
pub struct ParkanWorld {
    terrain: TriangleIndex,
    areals: Option<ArealIndex>,
    /// Faces of the file, of all levels of detail.
    n_faces: usize,
    /// Names of the rows of `Land1.wea` and `Land2.wea`.
    material_names: Vec<String>,
    microtexture_names: Vec<String>,
    motion: Motion,
    /// Floors of buildings that have cut the terrain: the ground where it has holes.
    floors: Option<TriangleIndex>,
    /// The terrain with the objects on it, for walkers; `None` without any.
    solid: Option<TriangleIndex>,
    /// For each face of the terrain the one of the file, where these differ.
    face_sources: Vec<Option<u16>>,
    /// What drives the emitters of the scene.
    drives: Drives,
    /// What the mission says of the level.
    entities: Vec<WorldEntity>,
}

/// What is known of a place on the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface<Hit> {
    /// Where it is on which face: a [`RayHit`] or a [`HeightHit`].
    pub hit: Hit,
    /// Rows of the face's two materials.
    pub materials: FaceMaterials,
    /// The areal around the place in the ground plane, if there is one.
    pub areal: Option<u32>,
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
    Skeleton(#[from] MshSkeletonError),
}

impl ParkanWorld {
    /// A world of a level's terrain and, where there are such files, its areals and its two material tables:
    /// `land1` names what faces are made of, `land2` where each row of it takes its microtexture from. Copies what it needs.
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
            .map(|map| ArealIndex::new(&areal_map(map), header_bounds(land)))
            .transpose()?;
        Ok(Self {
            terrain: terrain::index(land)?,
            areals,
            n_faces: land.faces.len(),
            material_names: names(land1),
            microtexture_names: names(land2),
            motion: Motion::default(),
            floors: None,
            solid: None,
            face_sources: Vec::new(),
            drives: Drives::default(),
            entities: Vec::new(),
        })
    }

    /// The same world with its objects.
    ///
    /// # Errors
    /// A model whose nodes make no skeleton.
    pub fn with_level_objects(
        self,
        level_objects: &LevelObjects,
    ) -> Result<Self, ParkanWorldError> {
        let motion = Motion::new(level_objects)?;
        let objects = level_objects.basements.iter().map(|(object, _)| *object);
        let floors = floors::of_objects(&motion, objects);
        let solid = walls::with_land(&self.terrain, level_objects, &motion);
        Ok(Self {
            motion,
            floors,
            solid,
            ..self
        })
    }

    /// The same world, of a terrain that buildings have cut: for each of its faces the one of the file that it is, or is
    /// a part of.
    #[must_use]
    pub fn with_face_sources(self, face_sources: Vec<Option<u16>>) -> Self {
        Self {
            face_sources,
            ..self
        }
    }

    /// The same world with its effects, in the order of the scene's emitters.
    #[must_use]
    pub fn with_effects(self, drives: Vec<EmitterDrive>) -> Self {
        let drives = Drives(drives);
        Self { drives, ..self }
    }

    /// The same world with what a mission says of it.
    #[must_use]
    pub fn with_mission(self, mission: &Mission) -> Self {
        let ground_at = |Vec2 { x, y }: Vec2| {
            let ground = self.terrain.height_at(x, y, GROUND);
            ground.map(|hit| hit.z)
        };
        let entities = mission_entities(mission, ground_at);
        Self { entities, ..self }
    }

    /// The faces, for queries that only this world has.
    pub fn terrain(&self) -> &TriangleIndex {
        &self.terrain
    }

    /// The areals, if the level has any.
    pub fn areals(&self) -> Option<&ArealIndex> {
        self.areals.as_ref()
    }

    /// [`TriangleIndex::cast_ray`] on the terrain alone, with what only this world knows of the place. One look-up of
    /// an areal more.
    pub fn cast_surface_ray(
        &self,
        ray: &Ray,
        t_max: f32,
        filter: MaskFilter,
    ) -> Option<Surface<RayHit>> {
        let hit = self.terrain.cast_ray(ray, t_max, filter)?;
        Some(self.surface(hit, hit.material, hit.position.truncate()))
    }

    /// [`TriangleIndex::height_at`] with what only this world knows of the place. One look-up of an areal more.
    pub fn surface_at(&self, x: f32, y: f32, filter: MaskFilter) -> Option<Surface<HeightHit>> {
        let hit = self.terrain.height_at(x, y, filter)?;
        Some(self.surface(hit, hit.material, Vec2::new(x, y)))
    }

    fn surface<Hit>(&self, hit: Hit, material: u16, place: Vec2) -> Surface<Hit> {
        Surface {
            hit,
            materials: FaceMaterials::from_word(material),
            areal: self.areals.as_ref().and_then(|it| it.areal_at(place)),
        }
    }

    /// The number of a face in the file.
    fn name_of_face(&self, face: u32) -> String {
        match self.face_sources.get(face as usize) {
            None => face.to_string(),
            Some(Some(source)) => source.to_string(),
            Some(None) => "made for a building".to_owned(),
        }
    }

    /// The element that stands for the first node of a pose; those before it are faces.
    fn first_node(&self) -> usize {
        self.n_faces
    }

    fn areal_facts(&self, areals: &ArealIndex, point: Vec2) -> Vec<Fact> {
        let Some(areal) = areals.areal_at(point) else {
            return vec![Fact::new("areal", "none")];
        };
        let neighbors: Vec<_> = areals.neighbors(areal).iter().map(u32::to_string).collect();
        let class_id = areals.class_id(areal).map(|class_id| class_id.to_string());
        vec![
            Fact::new("areal", areal.to_string()),
            Fact::new("areal class", class_id.unwrap_or_default()),
            Fact::new("areal neighbors", or_none(neighbors.join(", "))),
        ]
    }
}

impl World for ParkanWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.terrain.bounds()
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        let ground = self.terrain.cast_ray(ray, t_max, MaskFilter::ALL);
        // The ground wins where both are met at one distance.
        let t_max = ground.as_ref().map_or(t_max, |hit| hit.t.next_down());
        let model = self.motion.cast_ray(ray, t_max, poses);
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

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        let is_finite = a.is_finite() && b.is_finite();
        is_finite
            && !self.terrain.cast_segment(a, b, GROUND)
            && !self.motion.cast_segment(a, b, poses)
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        let land = ground_below(&self.terrain, GROUND, [x, y, z]);
        let floors = self.floors.as_ref();
        let floor = floors.and_then(|it| ground_below(it, MaskFilter::ALL, [x, y, z]));
        match (land, floor) {
            // The higher of two below, else the lower one.
            (Some(a), Some(b)) if a.max(b) > z => Some(a.min(b)),
            (Some(a), Some(b)) => Some(a.max(b)),
            (land, floor) => land.or(floor),
        }
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        let solid = self.solid.as_ref().unwrap_or(&self.terrain);
        slide_on(solid, GROUND, [a, b], radius, motion)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Vec3 { x, y, z } = hit.position;
        let position = Fact::new("position", format!("{x:.2} {y:.2} {z:.2}"));
        if let Some(node) = (hit.element as usize).checked_sub(self.first_node()) {
            let facts = model_facts(&self.motion, node);
            let position = (!facts.is_empty()).then_some(position);
            return position.into_iter().chain(facts).collect();
        }
        let face = hit.element;
        let (Some(mask), Some(material)) = (
            self.terrain.face_mask(face),
            self.terrain.face_material(face),
        ) else {
            return Vec::new();
        };
        let flags = FaceFlags::from_bits_retain(mask);
        let FaceMaterials { first, second } = FaceMaterials::from_word(material);
        let flag_names: Vec<_> = flags.names().collect();
        let compact = format!(
            "main {:#06x}, material {:#04x}",
            flags.to_main16().0,
            flags.to_material6().0
        );
        let second = match second {
            NO_MATERIAL => "none".to_owned(),
            second => row(second, &self.material_names),
        };
        let microtexture = match flags.contains(FaceFlags::MICROTEXTURE) {
            true => row(first, &self.microtexture_names),
            false => "none".to_owned(),
        };
        let mut facts = vec![
            position,
            Fact::new("face", self.name_of_face(face)),
            Fact::new("flags", or_none(flag_names.join(", "))),
            Fact::new("mask", format!("{:#010x}", flags.bits())),
            Fact::new("compact mask", compact),
            Fact::new("first material", row(first, &self.material_names)),
            Fact::new("second material", second),
            Fact::new("microtexture", microtexture),
        ];
        if let Some(areals) = &self.areals {
            facts.extend(self.areal_facts(areals, hit.position.truncate()));
        }
        facts
    }

    fn outline(&self, hit: &WorldHit, poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        if let Some(node) = (hit.element as usize).checked_sub(self.first_node()) {
            return self.motion.node_triangles(node, poses);
        }
        self.terrain.face_corners(hit.element).into_iter().collect()
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        let ground_at = |[x, y, z]: [f32; 3]| self.ground_below(x, y, z + STEP_UP);
        self.motion.pose(clock, &ground_at, poses);
    }

    fn emit(&self, clock: &Clock, moments: &mut [EmitterState]) {
        self.drives.drive(clock.time_secs, moments);
    }

    fn last_frame(&self) -> f32 {
        self.motion.last_frame()
    }

    fn entities(&self) -> &[WorldEntity] {
        &self.entities
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
