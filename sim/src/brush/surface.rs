//! What an element of a hit is, and its shape.

use super::BrushWorld;
use super::polygon::{HalfSpace, side_polygon};
use super::prop::rotation;
use super::side::Side;
use super::trace::Obstacle;
use glam::Vec3;
use ironlands_assets_loader::source::bsp::Contents;
use std::ops::Range;

/// Most sides of a brush that a shape is made of: what the field's compilers allow.
const MOST_SIDES: usize = 128;

/// An element of a [`TraceHit`](super::TraceHit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitSurface {
    /// Whose it is.
    pub obstacle: Obstacle,
    /// Contents of that.
    pub contents: Contents,
    /// Texinfo; not to be trusted for a side that has no face.
    pub texinfo: Option<u32>,
    /// Brush side of the file; `None` for a displacement, a prop, or a plane that was added for boxes.
    pub brush_side: Option<u32>,
}

impl BrushWorld {
    /// Elements that there are: sides of brushes, then triangles of displacements.
    pub fn n_elements(&self) -> u32 {
        let last = self.displacements.last();
        last.map_or(self.sides.len() as u32, |it| {
            it.first_element + it.n_triangles() as u32
        })
    }

    /// What an element is; `None` if there is none of that number.
    pub fn surface(&self, element: u32) -> Option<HitSurface> {
        if let Some(side) = self.side_of(element) {
            let brush_idx = *self.brush_of_side.get(side).filter(|&&it| it != u32::MAX)?;
            let obstacle = self.owner_of(brush_idx);
            let brush = &self.brushes[brush_idx as usize];
            return Some(HitSurface {
                obstacle,
                contents: Contents::from_bits_retain(brush.contents),
                texinfo: u32::try_from(self.side_texinfos[side]).ok(),
                brush_side: match obstacle {
                    Obstacle::Entity { brush: from, .. } => {
                        let from = self.brushes[from as usize];
                        let place = element - brush.first_side;
                        (place < from.n_sides).then_some(from.first_side + place)
                    }
                    Obstacle::World { .. } => Some(element),
                    _ => None,
                },
            });
        }
        let disp_info = self.displacement_of(element)?;
        let displacement = &self.displacements[disp_info];
        Some(HitSurface {
            obstacle: Obstacle::Displacement {
                disp_info: disp_info as u32,
                triangle: element - displacement.first_element,
            },
            contents: Contents::from_bits_retain(displacement.contents),
            texinfo: u32::try_from(displacement.texinfo).ok(),
            brush_side: None,
        })
    }

    /// Triangles of an element, counter-clockwise seen from outside: of a brush that side, of a displacement that
    /// triangle, of a prop all of its box. Empty for a plane that was added for boxes, which has no shape.
    pub fn triangles_of(&self, element: u32) -> Vec<[Vec3; 3]> {
        if let Some(side) = self.side_of(element) {
            let Some(HitSurface { obstacle, .. }) = self.surface(element) else {
                return Vec::new();
            };
            let range = self.brushes[self.brush_of_side[side] as usize].side_range();
            let sides = match obstacle {
                Obstacle::Prop { .. } => range.clone(),
                _ => side..side + 1,
            };
            return self.side_triangles(range, sides);
        }
        let triangle = self.displacement_of(element).and_then(|i| {
            let displacement = &self.displacements[i];
            displacement.corners((element - displacement.first_element) as usize)
        });
        triangle
            .into_iter()
            .map(|corners| corners.map(Vec3::from_array))
            .collect()
    }

    /// Plane of the file that a brush side of the file lies on.
    pub fn plane_of(&self, brush_side: u32) -> Option<u32> {
        self.side_planes.get(brush_side as usize).copied()
    }

    /// A point in the axes of the brush model that an entity uses; `None` if that is not a solid brush entity.
    pub fn model_from_world(&self, entity: u32, point: Vec3) -> Option<Vec3> {
        let by_entity = |model: &super::SolidModel| model.entity.cmp(&(entity as usize));
        let model = &self.models[self.models.binary_search_by(by_entity).ok()?];
        let relative = point.as_dvec3() - model.origin.as_dvec3();
        Some((rotation(model.angles).transpose() * relative).as_vec3())
    }

    /// A point of the brush model that an entity uses, in the world.
    pub fn world_from_model(&self, entity: u32, point: Vec3) -> Option<Vec3> {
        let by_entity = |model: &super::SolidModel| model.entity.cmp(&(entity as usize));
        let model = &self.models[self.models.binary_search_by(by_entity).ok()?];
        let turned = rotation(model.angles) * point.as_dvec3();
        Some((turned + model.origin.as_dvec3()).as_vec3())
    }

    /// Triangles of some sides of the brush that has all in `brush`.
    fn side_triangles(&self, brush: Range<usize>, sides: Range<usize>) -> Vec<[Vec3; 3]> {
        let real = brush.filter(|&side| !self.sides[side].is_bevel);
        let real: Vec<_> = real.collect();
        if real.len() > MOST_SIDES {
            return Vec::new();
        }
        let planes = real.iter().map(|&side| Side::half_space(&self.sides[side]));
        let planes: Vec<HalfSpace> = planes.collect();
        let wanted = (0..real.len()).filter(|&i| sides.contains(&real[i]));
        let polygons = wanted.map(|i| side_polygon(&planes, i));
        polygons
            .flat_map(|polygon| {
                let corners: Vec<_> = polygon.iter().map(|corner| corner.as_vec3()).collect();
                fan(&corners)
            })
            .collect()
    }

    fn side_of(&self, element: u32) -> Option<usize> {
        Some(element as usize).filter(|&side| side < self.sides.len())
    }

    fn displacement_of(&self, element: u32) -> Option<usize> {
        let behind = self
            .displacements
            .partition_point(|it| it.first_element <= element);
        let displacement = behind.checked_sub(1)?;
        let own = &self.displacements[displacement];
        let is_there = ((element - own.first_element) as usize) < own.n_triangles();
        is_there.then_some(displacement)
    }
}

/// Triangles around the first corner, in the winding of the polygon.
pub(crate) fn fan(corners: &[Vec3]) -> Vec<[Vec3; 3]> {
    let edges = corners.windows(2).skip(1);
    edges.map(|edge| [corners[0], edge[0], edge[1]]).collect()
}
