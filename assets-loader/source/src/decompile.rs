//! A compiled map back to what its editor can open. Dossier section 12.
//!
//! In: the typed content of a map. Out: a [`Vmf`] of the brushes, displacements, entities and props, in map axes, and
//! findings about what could not be brought back. What compilers throw away (section 12.5) is not guessed: groups,
//! hint and skip brushes, brushes outside, textures of invisible sides.

mod brushes;
mod displacements;
mod entities;
mod names;
mod polygon;
mod props;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

pub use self::names::original_material;
pub use self::polygon::{SidePolygon, side_polygons};
use super::bsp::game_lump::StaticProps;
use super::bsp::{Contents, Map};
use super::entities::Entities;
use super::vmf::{Cameras, Cordon, Solid, VersionInfo, ViewSettings, VisGroups, Vmf, VmfEntity};
use ironlands_assets_core::bytes::{Finding, Severity};

const FORMAT: &str = "decompile";
/// Most pairs of sides of one brush, of all solids together; a brush alone counts as one. A map may have an eighth.
const MAX_SIDE_WORK: usize = 1 << 23;
/// Most faces that are compared with sides on their plane, and sides that their corners are compared with.
const MAX_FACE_WORK: usize = 1 << 28;
/// Most sides that area portals are compared with, and corners of portals.
const MAX_PORTAL_WORK: usize = 1 << 24;

/// The map as its editor has it, and what could not be brought back.
///
/// Never fails: a brush, displacement or overlay that makes no sense is left out, with a finding.
pub fn to_vmf(map: &Map, entities: &Entities, props: &StaticProps) -> (Vmf, Vec<Finding>) {
    let mut decompiler = Decompiler::new(map, entities);
    let mut world = decompiler.world();
    let mut others = decompiler.world_brushes(&mut world);
    let displacements = decompiler.displacements();
    world.solids.extend(displacements);
    others.extend(decompiler.entities());
    others.extend(decompiler.static_props(props));
    others.extend(decompiler.cubemaps());
    others.extend(decompiler.overlays());
    let map_version = world
        .get("mapversion")
        .and_then(|version| version.parse().ok());
    let vmf = Vmf {
        version_info: Some(VersionInfo {
            editor_version: Some(400),
            editor_build: Some(6440),
            map_version,
            format_version: Some(100),
            prefab: Some(0),
            ..VersionInfo::default()
        }),
        visgroups: Some(VisGroups::default()),
        view_settings: Some(ViewSettings {
            snap_to_grid: Some(1),
            show_grid: Some(1),
            show_logical_grid: Some(0),
            grid_spacing: Some(64),
            show_3d_grid: Some(0),
            ..ViewSettings::default()
        }),
        world,
        entities: others,
        cameras: Some(Cameras {
            active: Some(-1),
            ..Cameras::default()
        }),
        cordon: Some(Cordon {
            mins: [-1024.0; 3],
            maxs: [1024.0; 3],
            active: Some(0),
            ..Cordon::default()
        }),
        ..Vmf::default()
    };
    (vmf, decompiler.findings)
}

/// Work that a valid map never comes near: what is beyond is left out, and reported.
struct Work {
    n_left: usize,
    reported: &'static str,
}

impl Work {
    fn new(n_most: usize, reported: &'static str) -> Self {
        Self {
            n_left: n_most,
            reported,
        }
    }

    /// Whether nothing more is done.
    fn is_spent(&self) -> bool {
        self.n_left == 0
    }
}

/// What the steps share.
struct Decompiler<'a> {
    map: &'a Map,
    entities: &'a Entities,
    findings: Vec<Finding>,
    /// Their messages.
    reported: HashSet<String>,
    /// Numbers of entities and solids.
    object_ids: Ids,
    side_ids: Ids,
    /// Faces of lump 7 on each plane.
    faces_on_plane: HashMap<u32, Vec<usize>>,
    /// For each face the numbers of the sides that it lies on: the compiler joins faces of several brushes.
    sides_of_face: HashMap<usize, Vec<u32>>,
    /// Sides whose material is bound to the cubemap at a place.
    sides_of_cubemap: HashMap<[i32; 3], Vec<u32>>,
    /// Brushes that close an area portal, by the number of the portal.
    portal_solids: HashMap<u32, Vec<Solid>>,
    /// Sides of solids, each times the others of its brush.
    side_work: Work,
    /// Faces that are compared with sides.
    face_work: Work,
    /// Portals that are compared with brushes.
    portal_work: Work,
}

/// Numbers that are given once.
#[derive(Default)]
struct Ids {
    used: HashSet<u32>,
    next: u32,
}

impl Ids {
    /// The number that is wanted, if it is above 0 and free, or another one.
    fn take(&mut self, wanted: Option<u32>) -> u32 {
        if let Some(wanted) = wanted.filter(|id| *id > 0)
            && self.used.insert(wanted)
        {
            return wanted;
        }
        loop {
            self.next = self.next.wrapping_add(1).max(1);
            if self.used.insert(self.next) {
                return self.next;
            }
        }
    }
}

impl<'a> Decompiler<'a> {
    fn new(map: &'a Map, entities: &'a Entities) -> Self {
        let mut faces_on_plane = HashMap::<u32, Vec<usize>>::new();
        for (index, face) in map.faces.iter().enumerate() {
            faces_on_plane.entry(face.plane).or_default().push(index);
        }
        Self {
            map,
            entities,
            findings: Vec::new(),
            reported: HashSet::new(),
            object_ids: Ids::default(),
            side_ids: Ids::default(),
            faces_on_plane,
            sides_of_face: HashMap::new(),
            sides_of_cubemap: HashMap::new(),
            portal_solids: HashMap::new(),
            side_work: Work::new(MAX_SIDE_WORK, "brushes with too many sides are left out"),
            face_work: Work::new(
                MAX_FACE_WORK,
                "too many faces are on one plane; not all are found",
            ),
            portal_work: Work::new(
                MAX_PORTAL_WORK,
                "too many brushes close portals; not all are found",
            ),
        }
    }

    /// Adds a finding, once: many sides may have one material.
    fn warn(&mut self, message: String) {
        if self.reported.insert(message.clone()) {
            self.findings
                .push(Finding::new(Severity::Warning, FORMAT, message));
        }
    }

    /// Takes steps of some work; whether they may be done. If they are too many, none are from then on.
    fn may(&mut self, work: fn(&mut Self) -> &mut Work, n_steps: usize) -> bool {
        let work = work(self);
        let left = work.n_left.checked_sub(n_steps);
        work.n_left = left.unwrap_or(0);
        if left.is_none() {
            let reported = work.reported.to_owned();
            self.warn(reported);
        }
        left.is_some()
    }

    /// Sides of a brush.
    fn n_sides(&self, brush: usize) -> usize {
        let brush = self.map.brushes.get(brush);
        brush.map_or(0, |brush| usize::try_from(brush.n_sides).unwrap_or(0))
    }

    /// A text as an editor file can hold it, which knows no quotes within quotes and ends at a NUL.
    fn quotable(&mut self, text: &str) -> String {
        if text.contains('"') {
            self.warn(format!("quotes in {text:?} become apostrophes"));
        }
        if text.contains('\0') {
            self.warn(format!("NULs in {text:?} become spaces"));
        }
        text.replace('"', "'").replace('\0', " ")
    }

    /// Puts the brushes of the world where they belong; those that need an entity of their own come back.
    fn world_brushes(&mut self, world: &mut VmfEntity) -> Vec<VmfEntity> {
        let mut others = Vec::new();
        for brush in self.map.world_brushes(0) {
            let brush = brush as usize;
            let Some(solid) = self.solid(0, brush, [0.0; 3]) else {
                continue;
            };
            let contents = self
                .map
                .brushes
                .get(brush)
                .map_or(0, |brush| brush.contents);
            let contents = Contents::from_bits_retain(contents);
            let class = match contents {
                _ if contents.contains(Contents::AREA_PORTAL) => {
                    if let Some(key) = self.portal_of_brush(brush) {
                        self.portal_solids.entry(key).or_default().push(solid);
                        continue;
                    }
                    "func_areaportal"
                }
                _ if contents.contains(Contents::LADDER) => "func_ladder",
                _ if contents.contains(Contents::DETAIL) => "func_detail",
                _ => {
                    world.solids.push(solid);
                    continue;
                }
            };
            let mut entity = VmfEntity::new(class);
            entity.id = Some(self.object_ids.take(None));
            entity.solids.push(solid);
            others.push(entity);
        }
        others
    }

    /// The number of the area portal that a brush closes: it has the portal's plane and winding.
    fn portal_of_brush(&mut self, brush: usize) -> Option<u32> {
        let sides = side_polygons(self.map, brush);
        // Either side of the brush may be the portal's.
        let planes = sides
            .iter()
            .filter_map(|side| self.map.brush_sides.get(side.side));
        let planes: Vec<u32> = planes.map(|side| side.plane | 1).collect();
        for portal in self.map.area_portals.iter().skip(1) {
            if !self.may(|it| &mut it.portal_work, planes.len().saturating_add(1)) {
                return None;
            }
            let plane = u32::try_from(portal.plane).ok();
            if !plane.is_some_and(|plane| planes.contains(&(plane | 1))) {
                continue;
            }
            let n_corners = portal.n_clip_portal_vertices as usize;
            if !self.may(|it| &mut it.portal_work, n_corners) {
                return None;
            }
            let first = portal.first_clip_portal_vertex as usize;
            let corners = self
                .map
                .clip_portal_vertices
                .get(first..)
                .unwrap_or_default();
            let middle = polygon::middle(corners.iter().take(n_corners).copied());
            if middle.is_some_and(|middle| polygon::is_inside(self.map, brush, middle, 1.0)) {
                return Some(portal.portal_key);
            }
        }
        None
    }
}
