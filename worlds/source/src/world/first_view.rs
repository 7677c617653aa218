//! Where to look from first: places that the author of the map chose are taken only if something is seen from there.

use std::collections::HashMap;

use super::SourceWorld;
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Map, SurfaceFlags};
use ironlands_assets_source::entities::Entities;
use ironlands_scene::Spawn;
use ironlands_sim_brush::ContentBits;
use ironlands_sim_core::Ray;
use ironlands_sim_world::Poses;
use ironlands_sim_world::{World, WorldEntity, WorldHit};

/// Rays through a view, from left to right and from top to bottom.
const COLUMNS: usize = 12;
const ROWS: usize = 7;
/// Tangents of half the angles that a view covers.
const HALF_WIDTH: f32 = 0.76;
const HALF_HEIGHT: f32 = 0.43;
/// Directions that are tried at one place.
const N_TURNS: usize = 8;
/// A little down, so that the floor is seen.
const SEARCH_PITCH: f32 = -0.08;
/// Larger than a box that players are kept in until the game begins: some wall is further away than this, in units.
const OPEN: f32 = 160.0;
/// Of one surface, or of what is not drawn, a view that shows something has less than these shares.
const MOST_OF_ONE: f32 = 0.95;
const MOST_HIDDEN: f32 = 0.75;
/// Half of what a view shows is at least this far away, in units.
const NEAR: f32 = 24.0;
/// What is further away than this makes no view better.
const FAR: f32 = 1024.0;
/// Beyond any map.
const REACH: f32 = 100_000.0;
/// Most chosen places that are looked at, and as many that are searched.
const MAX_PLACES: usize = 48;
/// What all rays of a search may come to, in steps that one of them takes at worst: some seconds on no map.
const MAX_STEPS: usize = 1_000_000_000;
/// Rooms smaller than this along an axis are not searched, in units.
const SMALLEST_ROOM: f32 = 32.0;
/// Height of an eye above the floor, in units.
const EYE_HEIGHT: f32 = 64.0;
/// Cameras that take over what a player sees.
const CAMERA_CLASS: &str = "point_viewcontrol";
/// Materials for tools: of one color, where they are drawn at all.
const TOOLS: &str = "tools/";

/// What a ray through a view meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Seen {
    /// A surface by its material and the side that it looks to.
    Surface(Option<u32>, [i8; 3]),
    Sky,
    /// Nothing that is drawn, or something without light.
    Hidden,
}

/// A sample of what a view shows.
struct View {
    n_rays: f32,
    counts: HashMap<Seen, f32>,
    /// How far away half of it is.
    median: f32,
}

impl View {
    fn share(&self, seen: Seen) -> f32 {
        self.counts.get(&seen).copied().unwrap_or(0.0) / self.n_rays
    }

    fn shows_something(&self) -> bool {
        let most = self.counts.values().copied().fold(0.0, f32::max) / self.n_rays;
        most < MOST_OF_ONE && self.share(Seen::Hidden) < MOST_HIDDEN && self.median > NEAR
    }

    /// More for many surfaces, and for distance; less for what is not drawn.
    fn score(&self) -> f32 {
        let shares = self.counts.values().map(|count| count / self.n_rays);
        let variety: f32 = shares.map(|share| -share * share.log2()).sum();
        let distance = (self.median.clamp(NEAR, FAR) / NEAR).log2();
        variety + 0.35 * distance - 4.0 * self.share(Seen::Hidden)
    }
}

impl SourceWorld {
    /// See [`World::first_view`].
    pub(super) fn choose_view(&self, chosen: &[Spawn]) -> Option<Spawn> {
        let mut tried = chosen.iter().take(self.n_places);
        tried
            .find_map(|spawn| self.view_from(spawn))
            .or_else(|| self.searched_view())
            .or_else(|| chosen.first().cloned())
    }

    /// A chosen place, turned if it looks at a wall; `None` if it is sealed in. A camera is where it should be and
    /// looks where it should: it may stand in a closet, but not show nothing.
    fn view_from(&self, spawn: &Spawn) -> Option<Spawn> {
        let eye = Vec3::from(spawn.position);
        let is_camera = self.is_camera(eye);
        if !is_camera && !self.is_open(eye) {
            return None;
        }
        if self
            .view(eye, spawn.yaw_rad, spawn.pitch_rad)
            .shows_something()
        {
            return Some(spawn.clone());
        }
        let (yaw_rad, _) = self.best_turn(eye).filter(|_| !is_camera)?;
        Some(Spawn {
            yaw_rad,
            pitch_rad: SEARCH_PITCH,
            ..spawn.clone()
        })
    }

    fn searched_view(&self) -> Option<Spawn> {
        let mut best: Option<(Spawn, f32)> = None;
        for room in &self.rooms {
            let floor = self.floor_below(*room).0.unwrap_or(room.z - EYE_HEIGHT);
            let eye = room.with_z(room.z.min(floor + EYE_HEIGHT));
            if !self.is_open(eye) {
                continue;
            }
            let Some((yaw_rad, score)) = self.best_turn(eye) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, known)| score > *known) {
                let spawn = Spawn {
                    name: "searched".to_owned(),
                    position: eye.to_array(),
                    yaw_rad,
                    pitch_rad: SEARCH_PITCH,
                };
                best = Some((spawn, score));
            }
        }
        best.map(|(spawn, _)| spawn)
    }

    /// The direction from a place in which there is most to see, and its score; `None` if there is nothing.
    fn best_turn(&self, eye: Vec3) -> Option<(f32, f32)> {
        let turns = turns().map(|yaw| (yaw, self.view(eye, yaw, SEARCH_PITCH)));
        let scores = turns.filter(|(_, view)| view.shows_something());
        scores
            .map(|(yaw, view)| (yaw, view.score()))
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    fn is_camera(&self, eye: Vec3) -> bool {
        let is_there = |entity: &WorldEntity| {
            entity.position == Some(eye) && entity.class.starts_with(CAMERA_CLASS)
        };
        self.entities.iter().any(is_there)
    }

    /// Whether a place is inside of the level and larger than a box to wait in. Boxes of props do not count: some are as
    /// large as their map.
    fn is_open(&self, eye: Vec3) -> bool {
        let place = self.brushes.place_at(eye);
        if place.is_none_or(|place| place.contents.intersects(ContentBits::SOLID)) {
            return false;
        }
        let mut directions = turns().map(|yaw| Vec3::new(yaw.cos(), yaw.sin(), 0.0));
        directions.any(|direction| {
            let hit = self.look(eye, direction);
            hit.is_some_and(|hit| hit.t > OPEN)
        })
    }

    fn view(&self, eye: Vec3, yaw: f32, pitch: f32) -> View {
        let (yaw_sin, yaw_cos) = yaw.sin_cos();
        let (pitch_sin, pitch_cos) = pitch.sin_cos();
        let ahead = Vec3::new(yaw_cos * pitch_cos, yaw_sin * pitch_cos, pitch_sin);
        let right = Vec3::new(yaw_sin, -yaw_cos, 0.0);
        let up = right.cross(ahead);
        let mut counts = HashMap::new();
        let mut distances = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let x = (2.0 * column as f32 + 1.0) / COLUMNS as f32 - 1.0;
                let y = (2.0 * row as f32 + 1.0) / ROWS as f32 - 1.0;
                let direction = ahead + right * (x * HALF_WIDTH) + up * (y * HALF_HEIGHT);
                let hit = self.look(eye, direction.normalize());
                let seen = hit.as_ref().map_or(Seen::Hidden, |hit| self.seen(hit));
                *counts.entry(seen).or_insert(0.0) += 1.0;
                distances.push(hit.map_or(0.0, |hit| hit.t));
            }
        }
        distances.sort_unstable_by(f32::total_cmp);
        View {
            n_rays: distances.len() as f32,
            counts,
            median: distances.get(distances.len() / 2).copied().unwrap_or(0.0),
        }
    }

    /// `direction` is of unit length.
    fn look(&self, eye: Vec3, direction: Vec3) -> Option<WorldHit> {
        let ray = Ray {
            origin: eye,
            direction,
        };
        self.cast_ray(&ray, REACH, &Poses::default())
    }

    fn seen(&self, hit: &WorldHit) -> Seen {
        let Some(surface) = self.brushes.surface(hit.element) else {
            return Seen::Hidden;
        };
        let texinfo = match (surface.brush_side, self.face_of(&surface, hit)) {
            (Some(_), None) => return Seen::Hidden,
            (_, Some(face)) if face.is_dark => return Seen::Hidden,
            (_, Some(face)) => u32::try_from(face.texinfo).ok(),
            (None, None) => surface.texinfo,
        };
        let side = (hit.normal * 4.0).round().to_array().map(|it| it as i8);
        let Some(of_texinfo) = texinfo.and_then(|it| self.surfaces.get(it as usize)) else {
            return Seen::Surface(None, side);
        };
        let sky = SurfaceFlags::SKY | SurfaceFlags::SKY_2D;
        let name = self.texture_name(of_texinfo).to_ascii_lowercase();
        match of_texinfo.flags {
            flags if flags.intersects(sky) => Seen::Sky,
            flags if !flags.is_visible() || name.starts_with(TOOLS) => Seen::Hidden,
            _ => Seen::Surface(of_texinfo.name_offset, side),
        }
    }
}

/// How many places can be looked at in fair time: fewer in a map whose every ray may meet everything in it.
pub(super) fn n_places(map: &Map) -> usize {
    let of_leaves = map.leaves.iter().map(|leaf| leaf.n_leaf_brushes as usize);
    let of_surfaces = map.surfedges.len().saturating_add(map.disp_verts.len());
    let steps = of_leaves.fold(of_surfaces, usize::saturating_add);
    let n_rays = MAX_STEPS.checked_div(steps).unwrap_or(MAX_STEPS);
    (n_rays / (N_TURNS * COLUMNS * ROWS)).min(MAX_PLACES)
}

/// The middles of the largest rooms of a map: its open leaves, without water and without the sky's own room.
pub(super) fn rooms(map: &Map, entities: &Entities, bounds: (Vec3, Vec3)) -> Vec<Vec3> {
    let unfit = Contents::SOLID | Contents::WATER | Contents::SLIME;
    let camera = entities.of_class("sky_camera").next();
    let sky_area = camera.and_then(|camera| {
        let head_node = map.models.first()?.head_node;
        let leaf = map.leaves.get(map.leaf_at(head_node, camera.origin()?))?;
        Some(leaf.area)
    });
    let mut rooms: Vec<(f32, Vec3)> = Vec::new();
    for leaf in map.leaves.iter().skip(1) {
        let contents = Contents::from_bits_retain(leaf.contents);
        let (min, max) = (Vec3::from(leaf.mins), Vec3::from(leaf.maxs));
        let (min, max) = (min.max(bounds.0), max.min(bounds.1));
        let size = max - min;
        let is_room = leaf.cluster >= 0
            && !contents.intersects(unfit)
            && Some(leaf.area) != sky_area
            && size.is_finite()
            && size.min_element() >= SMALLEST_ROOM;
        if is_room {
            rooms.push((size.x * size.y * size.z, (min + max) * 0.5));
        }
    }
    rooms.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    rooms.truncate(n_places(map));
    rooms.into_iter().map(|(_, middle)| middle).collect()
}

/// Directions all around, as angles from +X to +Y.
fn turns() -> impl Iterator<Item = f32> {
    (0..N_TURNS).map(|turn| turn as f32 * std::f32::consts::TAU / N_TURNS as f32)
}
