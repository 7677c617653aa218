//! Displacements: their brushes are gone, so each gets a thin one behind its face. Dossier sections 5 and 12.1.

use glam::{DVec3, Vec3};

use super::Decompiler;
use super::brushes::{NO_DRAW, plane_points, usual_axes};
use super::polygon::doubled_area;
use crate::bsp::{DispInfo, DispMultiBlend, Map, layer_ranges};
use crate::vmf::{AllowedVerts, DisplacementRows, Side, Solid, VmfDisplacement};

/// How thick the brush behind a displacement is, in units.
const THICKNESS: f64 = 16.0;
/// Flags of collision are stored behind this bit (section 5.1), and beside one that says that there are layers.
const HAS_FLAGS: i32 = i32::MIN;
const HAS_LAYERS: i32 = 0x4000_0000;

impl Decompiler<'_> {
    /// A solid for each displacement.
    pub(super) fn displacements(&mut self) -> Vec<Solid> {
        let layers: Vec<_> = layer_ranges(self.map).collect();
        let solids = layers
            .into_iter()
            .enumerate()
            .filter_map(|(index, layers)| {
                let layers = self.map.disp_multi_blend.get(layers).unwrap_or_default();
                let solid = self.displacement(index, layers);
                if solid.is_none() {
                    self.warn(format!(
                        "displacement {index} makes no sense and is left out"
                    ));
                }
                solid
            });
        solids.collect()
    }

    fn displacement(&mut self, index: usize, layers: &[DispMultiBlend]) -> Option<Solid> {
        let map = self.map;
        let info = map.disp_infos.get(index)?;
        let face_index = info.map_face as usize;
        let face = map.faces.get(face_index)?;
        let ring = map.ring(face);
        // Faces are clockwise seen from the front, polygons counter-clockwise.
        let front: Vec<DVec3> = ring
            .iter()
            .rev()
            .map(|p| Vec3::from(*p).as_dvec3())
            .collect();
        let normal = doubled_area(&front).try_normalize()?;
        if front.len() != 4 {
            return None;
        }
        let mut grid = grid(map, info, normal)?;
        add_layers(&mut grid, layers);
        let wanted = map.face_ids.get(face_index).copied();
        let id = self.side_ids.take(wanted);
        self.sides_of_face.entry(face_index).or_default().push(id);
        self.bind_cubemap(face.texinfo, id);
        let mut sides = vec![Side {
            id: Some(id),
            plane: plane_points(&front, normal).map(|point| point.to_array()),
            smoothing_groups: Some(face.smoothing_groups),
            displacement: Some(grid),
            ..self.textured_side(face.texinfo, normal, DVec3::ZERO)
        }];
        let back: Vec<DVec3> = front
            .iter()
            .rev()
            .map(|point| point - normal * THICKNESS)
            .collect();
        sides.push(self.hidden_side(&back));
        for (a, b) in front.iter().zip(front.iter().cycle().skip(1)) {
            let behind = normal * THICKNESS;
            sides.push(self.hidden_side(&[*b, *a, a - behind, b - behind]));
        }
        Some(Solid {
            id: Some(self.object_ids.take(None)),
            sides,
            ..Solid::default()
        })
    }

    /// An invisible side.
    fn hidden_side(&mut self, points: &[DVec3]) -> Side {
        let normal = doubled_area(points).normalize_or_zero();
        let [u_axis, v_axis] = usual_axes(normal);
        Side {
            id: Some(self.side_ids.take(None)),
            plane: plane_points(points, normal).map(|point| point.to_array()),
            material: NO_DRAW.to_owned(),
            u_axis,
            v_axis,
            rotation: Some(0.0),
            lightmap_scale: Some(16.0),
            smoothing_groups: Some(0),
            ..Side::default()
        }
    }
}

/// The tables of a displacement; `None` if its vertices are not there.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a displacement has at most 16 cells a side"
)]
fn grid(map: &Map, info: &DispInfo, normal: DVec3) -> Option<VmfDisplacement> {
    let power = u32::try_from(info.power)
        .ok()
        .filter(|power| (2..=4).contains(power))?;
    let cells = 1_usize << power;
    let side = cells + 1;
    let first = usize::try_from(info.first_vert).ok()?;
    let verts = map.disp_verts.get(first..first.checked_add(side * side)?)?;
    let rows = |numbers: &dyn Fn(usize) -> Vec<f64>| {
        let row = |row: usize| (row * side..(row + 1) * side).flat_map(numbers).collect();
        DisplacementRows::new((0..side).map(row).collect())
    };
    let vert = |index: usize| verts.get(index).copied().unwrap_or_default();
    let allowed = info.allowed_verts.map(|word| f64::from(word.cast_signed()));
    Some(VmfDisplacement {
        power,
        start_position: info.start_position.map(decimal),
        flags: Some(match info.min_tess & HAS_FLAGS {
            0 => 0,
            _ => (info.min_tess & !(HAS_FLAGS | HAS_LAYERS)).cast_unsigned(),
        }),
        elevation: Some(0.0),
        subdivided: Some(0),
        normals: rows(&|index| vert(index).vector.map(decimal).to_vec()),
        distances: rows(&|index| vec![decimal(vert(index).dist)]),
        offsets: rows(&|_| vec![0.0; 3]),
        offset_normals: rows(&|_| normal.to_array().map(super::brushes::tidy).to_vec()),
        alphas: rows(&|index| vec![decimal(vert(index).alpha)]),
        triangle_tags: triangle_tags(map, info, cells),
        allowed_verts: Some(AllowedVerts {
            words: allowed,
            ..AllowedVerts::default()
        }),
        ..VmfDisplacement::default()
    })
}

/// The tables of four layers, if there are any.
fn add_layers(grid: &mut VmfDisplacement, layers: &[DispMultiBlend]) {
    let side = grid.side();
    if layers.is_empty() {
        return;
    }
    let rows = |numbers: &dyn Fn(&DispMultiBlend) -> Vec<f32>| {
        let row = |row: &[DispMultiBlend]| row.iter().flat_map(numbers).map(decimal).collect();
        DisplacementRows::new(layers.chunks(side).map(row).collect())
    };
    grid.layer_weights = rows(&|it| it.blend.to_vec());
    grid.layer_alphas = rows(&|it| it.alpha.to_vec());
    for (number, colors) in grid.layer_colors.iter_mut().enumerate() {
        *colors = rows(&|it| it.colors.get(number).copied().unwrap_or_default().to_vec());
    }
}

/// Tags as the editor has them: 1 walkable, 8 buildable, 64 removed, where the map has 2, 4 and 32.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a displacement has at most 16 cells a side"
)]
fn triangle_tags(map: &Map, info: &DispInfo, cells: usize) -> DisplacementRows {
    let first = usize::try_from(info.first_tri).unwrap_or(usize::MAX);
    let tags = map
        .disp_tris
        .get(first..)
        .and_then(|tags| tags.get(..2 * cells * cells));
    let Some(tags) = tags else {
        return DisplacementRows::default();
    };
    let bits = [(0x2, 1), (0x4, 8), (0x20, 64)];
    let tag = |tag: &u16| {
        let set = bits.iter().filter(|(bit, _)| tag & bit != 0);
        set.map(|(_, editor)| f64::from(*editor)).sum()
    };
    let rows = tags
        .chunks(2 * cells)
        .map(|row| row.iter().map(tag).collect());
    DisplacementRows::new(rows.collect())
}

/// The number that the shortest text of a single one means, so that it is written as that text.
pub(super) fn decimal(number: f32) -> f64 {
    number
        .to_string()
        .parse::<f64>()
        .map_or(0.0, |number| number + 0.0)
}
