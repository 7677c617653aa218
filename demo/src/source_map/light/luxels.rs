//! Where the samples of light of each face lie.

use ironlands_assets_source::bsp::Texinfo;
use rayon::prelude::*;

use super::casters::Casters;
use crate::source_map::MapPlan;
use crate::source_map::brushes::flags;
use crate::source_map::displacement::Displacement;
use crate::source_map::faces::DraftFace;
use crate::source_map::level::Level;
use crate::source_map::texinfos::LuxelGrid;
use crate::vector::{Plane, Vec3, add, add_scaled, cross, dot, normalized, scale, sub};

/// Distance of samples from the surface.
const OFF_SURFACE: f64 = 0.75;
/// Distance of samples from the edge of a polygon.
const INSET: f64 = 0.5;
/// Parts of a sample, in luxels off its middle.
const PARTS: [[f64; 2]; 4] = [[-0.3, -0.1], [0.1, -0.3], [0.3, 0.1], [-0.1, 0.3]];

/// The places that stand for one sample.
#[derive(Debug, Clone, Default)]
pub struct Luxel {
    /// Places just off the surface that are not in something solid, the middle first; none if all are.
    pub places: Vec<Vec3>,
    /// Unit normal.
    pub normal: Vec3,
}

/// The samples of a face, s fastest; none for faces without light.
pub struct FaceLuxels {
    /// Their grid.
    pub grid: LuxelGrid,
    /// The samples; where light is stored for three directions too, all of these once more for each, with its direction in
    /// place of the normal.
    pub luxels: Vec<Luxel>,
}

impl FaceLuxels {
    /// Samples on the surface, or along one direction.
    pub fn n_per_plane(&self) -> usize {
        let [width, height] = self.grid.size.map(|n| (n + 1) as usize);
        (width * height).min(self.luxels.len())
    }
}

/// The samples of all faces.
pub fn luxels(plan: &MapPlan, level: &Level, casters: &Casters) -> Vec<FaceLuxels> {
    let of_face = |face: &DraftFace| {
        let texinfo = &level.texinfos.texinfos[face.texinfo];
        let look = &plan.materials[face.material];
        let is_lit = look.flags & flags::NOLIGHT == 0;
        if let Some(at) = face.displacement {
            let displacement = &plan.displacements[at];
            let grid = displacement.luxels(look.units_per_luxel);
            let luxels = on_displacement(displacement, grid);
            return FaceLuxels { grid, luxels };
        }
        let grid = LuxelGrid::around(texinfo, &face.polygon.corners);
        let mut luxels = if is_lit {
            on_polygon(level, face, grid, casters)
        } else {
            Vec::new()
        };
        if look.flags & flags::BUMPLIGHT != 0 {
            let flat = luxels.clone();
            for direction in light_directions(texinfo, level.planes.get(face.plane).normal) {
                luxels.extend(flat.iter().map(|luxel| Luxel {
                    normal: direction,
                    ..luxel.clone()
                }));
            }
        }
        FaceLuxels { grid, luxels }
    };
    level.faces.par_iter().map(of_face).collect()
}

/// The three directions that light is stored for (section 4.7): across, along the texture and out of the surface.
fn light_directions(texinfo: &Texinfo, normal: Vec3) -> [Vec3; 3] {
    let [s, t] = texinfo
        .texture_vecs
        .map(|[x, y, z, _]| [x, y, z].map(f64::from));
    let across = cross(normal, s);
    // Along the texture, whichever way that is turned.
    let side = if dot(cross(s, t), normal) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let along_t = scale(normalized(across), side);
    let along_s = normalized(cross(across, normal));
    let [third, half, sixth] = [3.0, 2.0, 6.0_f64].map(|n| (1.0 / n).sqrt());
    [
        [(2.0_f64 / 3.0).sqrt(), 0.0, third],
        [-sixth, half, third],
        [-sixth, -half, third],
    ]
    .map(|[x, y, z]| add(add(scale(along_s, x), scale(along_t, y)), scale(normal, z)))
}

fn on_displacement(displacement: &Displacement, grid: LuxelGrid) -> Vec<Luxel> {
    let (points, normals) = (displacement.points(), displacement.normals());
    let [width, height] = grid.size;
    let mut luxels = Vec::new();
    for t in 0..=height {
        for s in 0..=width {
            let along = |at: i32, last: i32| f64::from(at) / f64::from(last);
            let (row, column) = (along(t, height), along(s, width));
            let (place, normal) = displacement.sample(&points, &normals, row, column);
            luxels.push(Luxel {
                places: vec![add_scaled(place, normal, 2.0 * OFF_SURFACE)],
                normal,
            });
        }
    }
    luxels
}

fn on_polygon(level: &Level, face: &DraftFace, grid: LuxelGrid, casters: &Casters) -> Vec<Luxel> {
    let plane = level.planes.get(face.plane);
    let texinfo = &level.texinfos.texinfos[face.texinfo];
    let to_world = ToWorld::new(texinfo, plane);
    let edges: Vec<Plane> = face.polygon.edge_planes(plane.normal);
    let place = |s: f64, t: f64| {
        let wanted = to_world.point(s, t);
        let inside = add_scaled(pulled_in(wanted, &edges), plane.normal, OFF_SURFACE);
        let wanted = add_scaled(wanted, plane.normal, OFF_SURFACE);
        if casters.is_inside(inside) {
            return None;
        }
        // Samples beyond the edge belong to neighbors too, which must find the same light there.
        let way = sub(wanted, inside);
        match casters.hit(inside, way, 1.0) {
            None => Some(wanted),
            Some(hit) => {
                let length = dot(way, way).sqrt();
                let t = (hit.t - INSET / length).max(0.0);
                Some(add_scaled(inside, way, t))
            }
        }
    };
    let mut luxels = Vec::new();
    for t in 0..=grid.size[1] {
        for s in 0..=grid.size[0] {
            let (s, t) = (f64::from(s + grid.mins[0]), f64::from(t + grid.mins[1]));
            let parts = PARTS.iter().map(|[ds, dt]| place(s + ds, t + dt));
            luxels.push(Luxel {
                places: parts.flatten().collect(),
                normal: plane.normal,
            });
        }
    }
    luxels
}

/// The nearest point of a polygon, nearly.
fn pulled_in(point: Vec3, edges: &[Plane]) -> Vec3 {
    let mut point = point;
    // At a sharp corner one edge may push the point back over the other.
    for _ in 0..3 {
        for edge in edges {
            let out = edge.distance(point) + INSET;
            if out > 0.0 {
                point = add_scaled(point, edge.normal, -out);
            }
        }
    }
    point
}

/// From coordinates of luxels to points of a plane.
struct ToWorld {
    along_s: Vec3,
    along_t: Vec3,
    origin: Vec3,
}

impl ToWorld {
    fn new(texinfo: &Texinfo, plane: &Plane) -> Self {
        let [s, t] = texinfo.lightmap_vecs.map(|row| row.map(f64::from));
        let (s_axis, t_axis) = ([s[0], s[1], s[2]], [t[0], t[1], t[2]]);
        let normal = plane.normal;
        let volume = dot(s_axis, cross(t_axis, normal));
        let along_s = scale(cross(t_axis, normal), 1.0 / volume);
        let along_t = scale(cross(normal, s_axis), 1.0 / volume);
        let along_normal = scale(cross(s_axis, t_axis), 1.0 / volume);
        let origin = add(
            scale(along_normal, plane.dist),
            add(scale(along_s, -s[3]), scale(along_t, -t[3])),
        );
        Self {
            along_s,
            along_t,
            origin,
        }
    }

    fn point(&self, s: f64, t: f64) -> Vec3 {
        add_scaled(add_scaled(self.origin, self.along_s, s), self.along_t, t)
    }
}
