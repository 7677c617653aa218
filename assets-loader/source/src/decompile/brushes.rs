//! Brushes to solids: planes, textures, smoothing groups. Dossier sections 12.2 and 12.3.

use glam::{DVec3, Vec3};

use super::polygon::{self, SidePolygon, side_polygons};
use super::{Decompiler, original_material};
use crate::bsp::{BrushSide, Face, Texinfo};
use crate::vmf::{Side, Solid, TextureAxis};

/// Material of a side of which nothing is known.
pub(super) const NO_DRAW: &str = "TOOLS/TOOLSNODRAW";
/// Units per texel and units per luxel where nothing is known.
const USUAL_SCALE: f64 = 0.25;
const USUAL_LIGHTMAP_SCALE: f64 = 16.0;
/// A coordinate so near to a whole number is one, in units.
const SNAP: f64 = 0.01;
/// How exact single precision is.
const NOISE: f64 = 6e-8;
/// How far behind the middle of a face its brush is looked for, in units.
const BEHIND_FACE: f64 = 0.05;

impl Decompiler<'_> {
    /// The solid of a brush of a model, moved by the origin of its entity; `None`, with a finding, if it has no volume.
    pub(super) fn solid(&mut self, model: usize, brush: usize, origin: [f64; 3]) -> Option<Solid> {
        let n_sides = self.n_sides(brush);
        let n_pairs = n_sides.saturating_mul(n_sides).saturating_add(1);
        if !self.may(|it| &mut it.side_work, n_pairs) {
            return None;
        }
        let polygons = side_polygons(self.map, brush);
        if polygons.len() < 4 {
            self.warn(format!("brush {brush} has no volume and is left out"));
            return None;
        }
        let id = Some(self.object_ids.take(None));
        let sides = polygons
            .iter()
            .map(|polygon| self.side(model, brush, polygon, origin));
        Some(Solid {
            id,
            sides: sides.collect(),
            ..Solid::default()
        })
    }

    fn side(
        &mut self,
        model: usize,
        brush: usize,
        polygon: &SidePolygon,
        origin: [f64; 3],
    ) -> Side {
        let side = self
            .map
            .brush_sides
            .get(polygon.side)
            .copied()
            .unwrap_or_default();
        let faces = self.faces_of_side(model, brush, side);
        let face = faces.first().and_then(|face| self.map.faces.get(*face));
        let smoothing_groups = face.map_or(0, |face| face.smoothing_groups);
        let wanted = faces.first().and_then(|face| self.map.face_ids.get(*face));
        let id = self.side_ids.take(wanted.copied());
        for face in faces {
            self.sides_of_face.entry(face).or_default().push(id);
        }
        let points: Vec<DVec3> = polygon
            .points
            .iter()
            .map(|point| DVec3::from(*point))
            .collect();
        let normal = polygon::doubled_area(&points).normalize_or_zero();
        let origin = DVec3::from(origin);
        let points: Vec<DVec3> = points.into_iter().map(|point| point + origin).collect();
        self.bind_cubemap(side.texinfo, id);
        Side {
            id: Some(id),
            plane: plane_points(&points, normal).map(|point| point.to_array()),
            smoothing_groups: Some(smoothing_groups),
            ..self.textured_side(side.texinfo, normal, origin)
        }
    }

    /// A side with the material and the axes of a texinfo, for an entity at `origin`.
    pub(super) fn textured_side(&mut self, texinfo: i32, normal: DVec3, origin: DVec3) -> Side {
        let name = self.map.texture_name(texinfo);
        let material = name
            .as_deref()
            .map_or(NO_DRAW, |name| original_material(name).0);
        let material = self.quotable(material);
        let texinfo = usize::try_from(texinfo)
            .ok()
            .and_then(|index| self.map.texinfos.get(index));
        let axes = texinfo.and_then(|texinfo| texture_axes(texinfo, normal, origin));
        let [u_axis, v_axis] = axes.unwrap_or_else(|| usual_axes(normal));
        Side {
            material,
            u_axis,
            v_axis,
            rotation: Some(0.0),
            lightmap_scale: Some(texinfo.map_or(USUAL_LIGHTMAP_SCALE, lightmap_scale)),
            ..Side::default()
        }
    }

    /// Notes that a side reflects a cubemap.
    pub(super) fn bind_cubemap(&mut self, texinfo: i32, side: u32) {
        let name = self.map.texture_name(texinfo);
        if let Some(place) = name.as_deref().and_then(|name| original_material(name).1) {
            self.sides_of_cubemap.entry(place).or_default().push(side);
        }
    }

    /// The faces of a model that lie on a side, at least in part: a point right behind them is inside of the brush, and
    /// their texinfo is that of the side. A side without such a face may have the texinfo of any like it (section 12.3).
    fn faces_of_side(&mut self, model: usize, brush: usize, side: BrushSide) -> Vec<usize> {
        let map = self.map;
        let (Some(model), Some(front)) =
            (map.models.get(model), map.planes.get(side.plane as usize))
        else {
            return Vec::new();
        };
        let n_on_plane = self.faces_on_plane.get(&side.plane).map_or(0, Vec::len);
        if !self.may(|it| &mut it.face_work, n_on_plane) {
            return Vec::new();
        }
        let behind = Vec3::from(front.normal).as_dvec3() * BEHIND_FACE;
        let first = usize::try_from(model.first_face).unwrap_or(usize::MAX);
        let n_faces = usize::try_from(model.n_faces).unwrap_or(0);
        let of_model = first..first.saturating_add(n_faces);
        let faces = self
            .faces_on_plane
            .get(&side.plane)
            .into_iter()
            .flatten()
            .copied();
        let is_like = |face: &Face| face.disp_info < 0 && face.texinfo == side.texinfo;
        let faces = faces.filter(|face| of_model.contains(face));
        let faces = faces.filter_map(|index| Some((index, map.faces.get(index)?)));
        let faces: Vec<(usize, &Face)> = faces.filter(|(_, face)| is_like(face)).collect();
        let n_corners: usize = faces
            .iter()
            .map(|(_, face)| map.surfedges_of(face).len())
            .sum();
        let n_compared = n_corners.saturating_mul(self.n_sides(brush));
        if !self.may(|it| &mut it.face_work, n_compared) {
            return Vec::new();
        }
        let of_brush = faces.into_iter().filter(|(_, face)| {
            let mut points = middles(&map.ring(face)).into_iter();
            points.any(|point| polygon::is_inside(map, brush, point - behind, 0.0))
        });
        of_brush.map(|(index, _)| index).collect()
    }
}

/// The middle of a ring, and that of each triangle of its fan.
fn middles(ring: &[[f32; 3]]) -> Vec<DVec3> {
    let middle = |corners: &[[f32; 3]]| polygon::middle(corners.iter().copied());
    let fan = ring.iter().skip(1).zip(ring.iter().skip(2));
    let fan = fan.zip(ring.first().into_iter().cycle());
    let triangles = fan.filter_map(|((b, c), a)| middle(&[*a, *b, *c]));
    middle(ring).into_iter().chain(triangles).collect()
}

/// Three corners of a polygon, far from each other, whose `(p0 - p1) x (p2 - p1)` points along the normal.
pub(super) fn plane_points(points: &[DVec3], normal: DVec3) -> [DVec3; 3] {
    let snapped: Vec<DVec3> = points.iter().map(|point| snap(*point)).collect();
    let farthest = |from: &dyn Fn(DVec3) -> f64| {
        let farther = |a: &&DVec3, b: &&DVec3| from(**a).total_cmp(&from(**b));
        snapped.iter().max_by(farther).copied().unwrap_or_default()
    };
    let first = snapped.first().copied().unwrap_or_default();
    let a = farthest(&|point| point.distance_squared(first));
    let b = farthest(&|point| point.distance_squared(a));
    let c = farthest(&|point| (point - a).cross(b - a).length_squared());
    match (a - b).cross(c - b).dot(normal) >= 0.0 {
        true => [a, b, c],
        false => [c, b, a],
    }
}

fn snap(point: DVec3) -> DVec3 {
    let whole = point.round();
    let near = (point - whole).abs().cmple(DVec3::splat(SNAP));
    // Adding 0 makes -0 positive.
    DVec3::select(near, whole, point) + DVec3::ZERO
}

/// The axes of a texinfo, unless they do not span the side.
fn texture_axes(texinfo: &Texinfo, normal: DVec3, origin: DVec3) -> Option<[TextureAxis; 2]> {
    let [s, t] = texinfo.texture_vecs.map(|row| row.map(f64::from));
    let axis = |[x, y, z, shift]: [f64; 4]| {
        let vector = DVec3::new(x, y, z);
        let scale = vector.length().recip();
        let is_sound = scale.is_finite() && shift.is_finite();
        is_sound.then(|| TextureAxis {
            axis: (vector * scale).to_array().map(tidy),
            shift: tidy(shift - origin.dot(vector)),
            scale: tidy(scale),
        })
    };
    let (u, v) = (axis(s)?, axis(t)?);
    let spanned = DVec3::from(u.axis).cross(DVec3::from(v.axis));
    // The editor draws nothing on a side that the axes see from its edge.
    (spanned.dot(normal).abs() > 1e-3).then_some([u, v])
}

/// Axes along the map's own, by the largest component of the normal.
pub(super) fn usual_axes(normal: DVec3) -> [TextureAxis; 2] {
    let size = normal.abs();
    let (u, v) = if size.z >= size.x && size.z >= size.y {
        (DVec3::X, DVec3::NEG_Y)
    } else if size.x >= size.y {
        (DVec3::Y, DVec3::NEG_Z)
    } else {
        (DVec3::X, DVec3::NEG_Z)
    };
    [u, v].map(|axis| TextureAxis {
        axis: axis.to_array().map(tidy),
        shift: 0.0,
        scale: USUAL_SCALE,
    })
}

fn lightmap_scale(texinfo: &Texinfo) -> f64 {
    let [[x, y, z, _], _] = texinfo.lightmap_vecs.map(|row| row.map(f64::from));
    let scale = DVec3::new(x, y, z).length().recip().round();
    match scale.is_finite() && scale >= 1.0 {
        true => scale,
        false => USUAL_LIGHTMAP_SCALE,
    }
}

/// The number of six decimals that is meant, if single precision cannot distinguish the two.
pub(super) fn tidy(number: f64) -> f64 {
    let short = (number * 1e6).round() / 1e6;
    let is_meant = (short - number).abs() <= NOISE * number.abs().max(1.0);
    (if is_meant { short } else { number }) + 0.0
}
