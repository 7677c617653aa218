//! How much light falls on each sample: from sun, sky and lamps, and from what these shine on.

use rayon::prelude::*;

use super::casters::{Casters, Met, cosine_directions, turned};
use super::luxels::{FaceLuxels, Luxel};
use crate::source_map::MapPlan;
use crate::source_map::entities::{Lamp, Sun};
use crate::source_map::level::Level;
use crate::source_map::texinfos::luxel;
use crate::vector::{Vec3, add, add_scaled, dot, length, product, scale, sub};

/// Rays of a sample into the half space above it.
const N_RAYS: usize = 96;
/// Points that stand for the glass of a lamp, from its middle: shadows have soft edges.
const LAMP_POINTS: [Vec3; 5] = [
    [0.0; 3],
    [4.0, 1.0, 0.0],
    [-1.0, 4.0, 0.0],
    [-4.0, -1.0, 0.0],
    [1.0, -4.0, 0.0],
];
/// Light below which the shadows of a lamp are not computed.
const NEGLIGIBLE: f64 = 1.0 / 2048.0;
/// Points of the sun, off its middle, in units of its spread.
const SUN_POINTS: [[f64; 2]; 4] = [[0.6, 0.2], [-0.2, 0.6], [-0.6, -0.2], [0.2, -0.6]];

/// What a ray of a sample sees.
const SEES_SKY: u32 = u32::MAX;
const SEES_NOTHING: u32 = u32::MAX - 1;

/// Light of one style on all samples of all faces, in their order.
pub struct StyleLight {
    /// Light style.
    pub style: u8,
    /// Linear light.
    pub light: Vec<Vec3>,
}

/// All that light needs to know of a level.
pub struct Gatherer<'a> {
    plan: &'a MapPlan,
    level: &'a Level,
    casters: &'a Casters,
    faces: &'a [FaceLuxels],
    /// First sample of each face.
    first_luxels: Vec<usize>,
    /// Faces of each side of each brush of the world.
    faces_of_sides: Vec<Vec<Vec<usize>>>,
    /// Face of each displacement.
    displacement_faces: Vec<usize>,
}

impl<'a> Gatherer<'a> {
    /// For the samples of `faces`.
    pub fn new(
        plan: &'a MapPlan,
        level: &'a Level,
        casters: &'a Casters,
        faces: &'a [FaceLuxels],
    ) -> Self {
        let mut first = 0;
        let first_luxels = faces
            .iter()
            .map(|face| {
                first += face.luxels.len();
                first - face.luxels.len()
            })
            .collect();
        let world = &level.brushes[level.models[0].brushes.clone()];
        let mut faces_of_sides: Vec<Vec<Vec<usize>>> = world
            .iter()
            .map(|prepared| vec![Vec::new(); prepared.planes.len()])
            .collect();
        let mut displacement_faces = vec![0; plan.displacements.len()];
        for at in level.models[0].faces.clone() {
            let face = &level.faces[at];
            if let Some([brush, side]) = face.side {
                faces_of_sides[brush][side].push(at);
            }
            if let Some(displacement) = face.displacement {
                displacement_faces[displacement] = at;
            }
        }
        Self {
            plan,
            level,
            casters,
            faces,
            first_luxels,
            faces_of_sides,
            displacement_faces,
        }
    }

    /// Light of all styles, the steady one first.
    pub fn all_light(&self) -> Vec<StyleLight> {
        let luxels: Vec<&Luxel> = self.faces.iter().flat_map(|face| &face.luxels).collect();
        let mut styles: Vec<i32> = self.plan.lamps.iter().map(|lamp| lamp.style).collect();
        styles.push(0);
        styles.sort_unstable();
        styles.dedup();
        let directions = cosine_directions(N_RAYS);
        let views: Vec<Vec<u32>> = luxels
            .par_iter()
            .map(|luxel| self.view(luxel, &directions))
            .collect();
        let albedo = self.albedo();
        let of_style = |style: &i32| {
            let direct: Vec<Vec3> = luxels
                .par_iter()
                .zip(&views)
                .map(|(luxel, view)| self.direct(luxel, view, *style))
                .collect();
            let light = self.with_bounces(direct, &views, &albedo);
            StyleLight {
                style: *style as u8,
                light,
            }
        };
        styles.iter().map(of_style).collect()
    }

    /// What each ray of a sample sees: samples, sky, or nothing.
    fn view(&self, luxel: &Luxel, directions: &[Vec3]) -> Vec<u32> {
        let Some(place) = luxel.places.first() else {
            return Vec::new();
        };
        let seen = |direction: &Vec3| self.seen(*place, turned(*direction, luxel.normal));
        directions.iter().map(seen).collect()
    }

    fn seen(&self, place: Vec3, direction: Vec3) -> u32 {
        let Some(hit) = self.casters.hit(place, direction, f64::MAX) else {
            return SEES_NOTHING;
        };
        let point = add_scaled(place, direction, hit.t);
        match hit.what {
            Met::Sky => SEES_SKY,
            Met::Prop => SEES_NOTHING,
            Met::Side(brush, side) => self.on_side(&self.faces_of_sides[brush][side], point),
            Met::Displacement(at) => self.on_displacement(at, point),
        }
    }

    /// The sample at a point of a side.
    fn on_side(&self, faces: &[usize], point: Vec3) -> u32 {
        for face in faces {
            let texinfo = &self.level.texinfos.texinfos[self.level.faces[*face].texinfo];
            let FaceLuxels { grid, luxels } = &self.faces[*face];
            if luxels.is_empty() {
                continue;
            }
            let at = [0, 1].map(|k| (luxel(texinfo, k, point) + 0.5).floor() as i32 - grid.mins[k]);
            if (0..2).all(|k| (0..=grid.size[k]).contains(&at[k])) {
                let within = at[1] * (grid.size[0] + 1) + at[0];
                return (self.first_luxels[*face] + within as usize) as u32;
            }
        }
        SEES_NOTHING
    }

    fn on_displacement(&self, displacement: usize, point: Vec3) -> u32 {
        let face = self.displacement_faces[displacement];
        let [c0, c1, _, c3] = self.plan.displacements[displacement].corners;
        let size = self.faces[face].grid.size;
        let along = |corner: Vec3, size: i32| {
            let edge = sub(corner, c0);
            let t = dot(sub(point, c0), edge) / dot(edge, edge);
            ((t * f64::from(size) + 0.5).floor() as i32).clamp(0, size)
        };
        let (s, t) = (along(c3, size[0]), along(c1, size[1]));
        (self.first_luxels[face] + (t * (size[0] + 1) + s) as usize) as u32
    }

    /// Share of light that each sample passes on.
    fn albedo(&self) -> Vec<Vec3> {
        let faces = self.level.faces.iter().zip(self.faces);
        faces
            .flat_map(|(face, samples)| {
                let color = self.plan.materials[face.material].reflectivity;
                std::iter::repeat_n(color, samples.luxels.len())
            })
            .collect()
    }

    /// Light of one style that comes from no other surface.
    fn direct(&self, luxel: &Luxel, view: &[u32], style: i32) -> Vec3 {
        let mut light = [0.0; 3];
        for place in &luxel.places {
            if let Some(sun) = self.plan.sun.as_ref().filter(|_| style == 0) {
                light = add(light, self.sunlight(sun, *place, luxel.normal));
            }
            for lamp in self.plan.lamps.iter().filter(|lamp| lamp.style == style) {
                light = add(light, self.lamplight(lamp, *place, luxel.normal));
            }
        }
        let mut light = scale(light, 1.0 / luxel.places.len().max(1) as f64);
        if let Some(sun) = self
            .plan
            .sun
            .as_ref()
            .filter(|_| style == 0 && !view.is_empty())
        {
            let n_sky = view.iter().filter(|seen| **seen == SEES_SKY).count();
            let share = n_sky as f64 / view.len() as f64;
            light = add_scaled(light, sun.sky.linear(), share);
        }
        light
    }

    fn sunlight(&self, sun: &Sun, place: Vec3, normal: Vec3) -> Vec3 {
        let to_sun = scale(sun.direction(), -1.0);
        let facing = dot(to_sun, normal);
        if facing <= 0.0 {
            return [0.0; 3];
        }
        let is_seen = |[u, v]: &[f64; 2]| {
            let point = turned([u * sun.spread, v * sun.spread, 1.0], to_sun);
            self.casters.sees_sky(place, point)
        };
        let n_seen = SUN_POINTS.iter().filter(|point| is_seen(point)).count();
        scale(
            sun.color.linear(),
            facing * n_seen as f64 / SUN_POINTS.len() as f64,
        )
    }

    /// Light of a lamp on a surface.
    pub fn lamplight(&self, lamp: &Lamp, place: Vec3, normal: Vec3) -> Vec3 {
        let way = sub(lamp.origin, place);
        let distance = length(way);
        let toward = scale(way, 1.0 / distance.max(1e-6));
        let facing = dot(toward, normal);
        let shape = lamp.cone.map_or(1.0, |cone| spot(cone, toward[2]));
        // Closer than this, a point would be brighter than any lamp.
        const MIN_DISTANCE: f64 = 12.0;
        let square = f64::max(distance, MIN_DISTANCE) * f64::max(distance, MIN_DISTANCE);
        let light = scale(lamp.intensity(), facing * shape / square);
        if light.iter().all(|c| *c < NEGLIGIBLE) {
            return [0.0; 3];
        }
        let is_seen = |point: &&Vec3| !(self.casters).is_blocked(place, add(lamp.origin, **point));
        let n_seen = LAMP_POINTS.iter().filter(is_seen).count();
        scale(light, n_seen as f64 / LAMP_POINTS.len() as f64)
    }

    /// Adds what other samples pass on.
    fn with_bounces(&self, direct: Vec<Vec3>, views: &[Vec<u32>], albedo: &[Vec3]) -> Vec<Vec3> {
        let mut light = direct.clone();
        for _ in 0..self.plan.n_bounces {
            let passed_on: Vec<Vec3> = light
                .iter()
                .zip(albedo)
                .map(|(light, albedo)| product(*light, *albedo))
                .collect();
            light = direct
                .par_iter()
                .zip(views)
                .map(|(direct, view)| {
                    let seen = view.iter().filter_map(|at| passed_on.get(*at as usize));
                    let sum = seen.fold([0.0; 3], |sum, light| add(sum, *light));
                    add_scaled(*direct, sum, 1.0 / view.len().max(1) as f64)
                })
                .collect();
        }
        light
    }

    /// Light at a place from all around, on what faces +X, -X, +Y, -Y, +Z, -Z: sky, lamps, and what samples pass on.
    pub fn ambient_cube(&self, places: &[Vec3], styles: &[StyleLight]) -> [Vec3; 6] {
        let directions = cosine_directions(N_RAYS);
        let mut cube = [[0.0; 3]; 6];
        for (face, light) in cube.iter_mut().enumerate() {
            let mut normal = [0.0; 3];
            normal[face / 2] = if face % 2 == 0 { 1.0 } else { -1.0 };
            for place in places {
                for direction in &directions {
                    let seen = self.seen(*place, turned(*direction, normal));
                    let color = self.color_of(seen, styles);
                    *light = add_scaled(*light, color, 1.0 / directions.len() as f64);
                }
                for lamp in &self.plan.lamps {
                    *light = add(*light, self.lamplight(lamp, *place, normal));
                }
            }
            *light = scale(*light, 1.0 / places.len().max(1) as f64);
        }
        cube
    }

    fn color_of(&self, seen: u32, styles: &[StyleLight]) -> Vec3 {
        if seen == SEES_SKY {
            return self
                .plan
                .sun
                .as_ref()
                .map_or([0.0; 3], |sun| sun.sky.linear());
        }
        if seen == SEES_NOTHING {
            return [0.0; 3];
        }
        let face = self
            .first_luxels
            .partition_point(|first| *first <= seen as usize)
            - 1;
        let material = self.level.faces[face].material;
        let color = self.plan.materials[material].reflectivity;
        let light = styles
            .iter()
            .fold([0.0; 3], |sum, style| add(sum, style.light[seen as usize]));
        product(light, color)
    }

    /// Whether a point lies in something solid.
    pub fn is_inside(&self, point: Vec3) -> bool {
        self.casters.is_inside(point)
    }
}

/// Share of a spot's light in a direction; `down` is the cosine off its axis.
fn spot([inner, outer]: [f64; 2], down: f64) -> f64 {
    let cosine = |degrees: f64| libm::cos(degrees * (std::f64::consts::PI / 180.0));
    let (inner, outer) = (cosine(inner), cosine(outer));
    let share = if down >= inner {
        1.0
    } else {
        ((down - outer) / (inner - outer)).max(0.0)
    };
    share * down.max(0.0)
}
