//! Lineage II geodata to fly over, to walk on and to query. An element is a cell, as x times 65536 plus y.
//!
//! Engine axes: x = the game's x, y = -(the game's y), z up; facts are given in the game's numbers. Rays hit what
//! [`TileShape::Plateaus`] shows: level cells, and walls between neighbors of different height. What is picked is found,
//! and highlights and lines lie, where the land is drawn in its shape; heights are those of the cells all the same.

mod describe;
mod relate;
mod shared;
#[cfg(test)]
mod tests;
mod walk;

pub use shared::SharedWorld;

use glam::Vec3;
use ironlands_assets_lineage2::{GeoCell, REGION_SIZE, RegionId};
use ironlands_scene::{Tile, TileKey, TileOptions, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_geodata::land::{Land, LandHit, LandRay, TileSurface, TrailPoint};
use ironlands_sim_geodata::path::ZoneCache;
use ironlands_sim_geodata::{GeoPoint, Geodata, GroundLayer, Profile};
use ironlands_sim_world::{Clock, Fact, Gait, Poses, Relation, WalkInput, Walker, World, WorldHit};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// Twice three quarters of the collision height of a human: dossier section 4.7.
const EYE_HEIGHT: f32 = 34.5;

/// A continent.
#[derive(Debug, Clone)]
pub struct GeodataWorld {
    land: Land,
    bounds: (Vec3, Vec3),
    /// What is known of the zones of this land, by one search at a time.
    zones: Arc<Mutex<ZoneCache>>,
}

/// A cell that was hit, with the layer that is meant.
struct Place {
    cell: GeoCell,
    layer: GroundLayer,
    /// From the ground up; `layer` is one of them.
    layers: Vec<GroundLayer>,
}

impl GeodataWorld {
    /// A world of what is loaded. The profile says how characters walk there: see [`profile_of_formats`](crate::profile_of_formats). Looks at every
    /// cell once, on all threads.
    pub fn new(geodata: Geodata, profile: Profile) -> Self {
        let land = Land::new(geodata, profile);
        Self {
            bounds: bounds_of(&land).unwrap_or_default(),
            land,
            zones: Arc::new(Mutex::new(ZoneCache::new(&profile, None))),
        }
    }

    /// The same with zones that are for its step rule and its regions.
    #[must_use]
    pub fn with_zones(self, zones: ZoneCache) -> Self {
        Self {
            zones: Arc::new(Mutex::new(zones)),
            ..self
        }
    }

    /// The same after blocks changed, given by their region and number. Of zones nothing is known any more.
    pub(super) fn with_changes(
        &self,
        geodata: Geodata,
        blocks: impl IntoIterator<Item = (RegionId, u16)>,
    ) -> Self {
        let land = self.land.with_changes(geodata, blocks);
        Self {
            bounds: bounds_of(&land).unwrap_or_default(),
            zones: Arc::new(Mutex::new(ZoneCache::new(land.profile(), None))),
            land,
        }
    }

    /// The land and the geodata behind it.
    pub fn land(&self) -> &Land {
        &self.land
    }

    /// What a hit of this world means; `None` for one of another.
    fn place_of(&self, hit: &WorldHit) -> Option<Place> {
        let cell = cell_of_element(hit.element);
        let is_wall = is_wall(hit);
        let on_cell = self.square_of(cell, hit.position.z);
        let (west, north) = (on_cell[0].x, on_cell[0].y);
        // Far from the world's middle floats are 1/16 apart.
        let is_beside = |at: f32, first: f32| (first - 0.25..=first + 16.25).contains(&at);
        let is_there = is_beside(hit.position.x, west) && is_beside(-hit.position.y, -north);
        let layers = self.land.geodata().layers(cell).ok()?;
        let z = hit.position.z;
        let off = |layer: &&GroundLayer| (layer.z as f32 - z).abs();
        let layer = if is_wall {
            // A wall hangs from its layer.
            let mut above = layers.iter().filter(|layer| layer.z as f32 >= z - 0.5);
            above.next()
        } else {
            let nearest = layers.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
            nearest.filter(|layer| off(layer) <= 0.5)
        };
        let layer = *layer.filter(|_| is_there)?;
        Some(Place {
            cell,
            layer,
            layers,
        })
    }

    /// Corners of a cell at a height: north-west, north-east, south-east, south-west.
    fn square_of(&self, cell: GeoCell, z: f32) -> [Vec3; 4] {
        let (x, y) = cell.corner();
        let (west, north) = (x as f32, -(y as f32));
        [(0.0, 0.0), (16.0, 0.0), (16.0, -16.0), (0.0, -16.0)]
            .map(|(dx, dy)| Vec3::new(west + dx, north + dy, z))
    }
}

impl World for GeodataWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, _poses: &Poses) -> Option<WorldHit> {
        self.hit(ray, t_max, TileShape::Plateaus)
    }

    fn pick(&self, ray: &Ray, t_max: f32, _poses: &Poses, shape: TileShape) -> Option<WorldHit> {
        self.hit(ray, t_max, shape)
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        if !a.is_finite() || !b.is_finite() {
            return false;
        }
        let ray = Ray {
            origin: a,
            direction: b - a,
        };
        a == b || self.cast_ray(&ray, 1.0, poses).is_none()
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        if z.is_nan() {
            return None;
        }
        let cell = cell_at(x, y)?;
        let geodata = self.land.geodata();
        // Heights are whole numbers; a float beyond all of them becomes the last.
        let below = geodata.layer_at_or_below(cell, z.floor() as i32).ok()?;
        let ground = below.or_else(|| geodata.layer_at_or_above(cell, i32::MIN).ok().flatten())?;
        Some(ground.z as f32)
    }

    fn walk(&self, walker: &mut Walker, wish: &WalkInput, step_secs: f32) -> bool {
        walk::walk(&self.land, walker, wish, step_secs);
        true
    }

    fn gait(&self) -> Option<Gait> {
        Some(walk::GAIT)
    }

    fn in_game_axes(&self, point: Vec3) -> Vec3 {
        // No negative zero.
        Vec3::new(point.x, 0.0 - point.y, point.z)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        self.facts_of(hit).unwrap_or_default()
    }

    fn outline(&self, hit: &WorldHit, _poses: &Poses, shape: TileShape) -> Vec<[Vec3; 3]> {
        let strip = self.strip_of(hit, shape);
        strip.map_or_else(Vec::new, |[a, b, c, d]| vec![[a, b, c], [b, d, c]])
    }

    fn pose(&self, _clock: &Clock, poses: &mut Poses) {
        poses.clear();
    }

    fn last_frame(&self) -> f32 {
        0.0
    }

    fn tile(&self, key: TileKey, options: TileOptions) -> Option<Tile> {
        Some(self.land.tile(key, options))
    }

    fn n_layers(&self) -> Option<u8> {
        Some(self.land.n_layers())
    }

    /// On the layer that is nearest to where it was.
    fn follow(&self, hit: &WorldHit) -> WorldHit {
        let cell = cell_of_element(hit.element);
        let layer = self
            .land
            .geodata()
            .nearest_layer(cell, hit.position.z.round() as i32);
        match layer {
            Ok(layer) if self.place_of(hit).is_none() => WorldHit {
                position: hit.position.with_z(layer.z as f32),
                normal: Vec3::Z,
                ..*hit
            },
            _ => *hit,
        }
    }

    /// The command of game masters that leads there.
    fn place_text(&self, hit: &WorldHit) -> String {
        let Vec3 { x, y, z } = self.in_game_axes(hit.position);
        format!("//teleport {x:.0} {y:.0} {z:.0}")
    }

    fn relates(&self, from: &WorldHit, to: &WorldHit) -> bool {
        self.place_of(from).is_some() && self.place_of(to).is_some()
    }

    fn relate(
        &self,
        from: &WorldHit,
        to: &WorldHit,
        shape: TileShape,
        cancel: &AtomicBool,
    ) -> Option<Relation> {
        let ends = [self.stand_of(from)?, self.stand_of(to)?];
        let drawn = &mut TileSurface::new(&self.land, shape);
        relate::relate(drawn, ends, &self.zones, cancel)
    }
}

impl GeodataWorld {
    fn hit(&self, ray: &Ray, t_max: f32, shape: TileShape) -> Option<WorldHit> {
        if t_max.is_nan() {
            return None;
        }
        let ray = LandRay::new(ray)?;
        let LandHit {
            cell,
            t,
            position,
            normal,
        } = self.land.cast_ray(&ray, f64::from(t_max), shape)?;
        Some(WorldHit {
            element: element_of(cell),
            t: t as f32,
            position,
            normal,
        })
    }

    /// What was hit as tiles of a shape show it: a strip of two triangles.
    fn strip_of(&self, hit: &WorldHit, shape: TileShape) -> Option<[Vec3; 4]> {
        let place = self.place_of(hit)?;
        let mut drawn = TileSurface::new(&self.land, shape);
        match self.wall_of(hit, &place) {
            Some(wall) => drawn.wall((place.cell, place.layer.index), wall.lower),
            None => drawn.square(place.cell, place.layer.index),
        }
    }

    /// The point of a hit, in its cell and on its layer.
    fn stand_of(&self, hit: &WorldHit) -> Option<TrailPoint> {
        let Place { cell, layer, .. } = self.place_of(hit)?;
        let (x, y) = cell.corner();
        let inside = |at: f32, corner: i32| (at.floor() as i32).clamp(corner, corner | 15);
        let (x, y) = (inside(hit.position.x, x), inside(-hit.position.y, y));
        Some(TrailPoint {
            at: GeoPoint::new(x, y, layer.z),
            layer: layer.index,
        })
    }
}

fn bounds_of(land: &Land) -> Option<(Vec3, Vec3)> {
    let [low, high] = land.z_range()?;
    let corners = || land.geodata().regions().map(|id| id.corner());
    let (west, east) = (
        corners().map(|it| it.0).min()?,
        corners().map(|it| it.0.saturating_add(REGION_SIZE)).max()?,
    );
    let (north, south) = (
        corners().map(|it| it.1).min()?,
        corners().map(|it| it.1.saturating_add(REGION_SIZE)).max()?,
    );
    let corner = |x: i32, y: i32, z: i16| Vec3::new(x as f32, -(y as f32), f32::from(z));
    Some((corner(west, south, low), corner(east, north, high)))
}

/// The cell under a point; `None` outside of the world or for no number.
fn cell_at(x: f32, y: f32) -> Option<GeoCell> {
    let is_number = x.is_finite() && y.is_finite();
    // A float beyond all points becomes the last, which is outside.
    is_number
        .then(|| GeoCell::from_point(x.floor() as i32, (-y).floor() as i32).ok())
        .flatten()
}

fn element_of(cell: GeoCell) -> u32 {
    u32::from(cell.x) << 16 | u32::from(cell.y)
}

pub(super) fn cell_of_element(element: u32) -> GeoCell {
    GeoCell {
        x: (element >> 16) as u16,
        y: (element & 0xFFFF) as u16,
    }
}

fn is_wall(hit: &WorldHit) -> bool {
    hit.normal.z == 0.0
}

/// A point of the game in engine axes.
fn engine_point(point: GeoPoint) -> Vec3 {
    Vec3::new(point.x as f32, -(point.y as f32), point.z as f32)
}
