//! What an element of a hit is, and its shape.

use super::displacement::Displacement;
use super::map::ContentBits;
use super::polygon::{HalfSpace, side_polygon};
use super::prop::rotation;
use super::query::Obstacle;
use super::side::Brush;
use super::{BrushEntity, BrushWorld};
use glam::Vec3;
use std::ops::Range;

/// Most sides of a brush that a shape is made of: what the field's compilers allow.
const MOST_SIDES: usize = 128;

/// An element of a [`CastHit`](super::CastHit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitSurface {
    /// Whose it is.
    pub obstacle: Obstacle,
    /// Contents of that.
    pub contents: ContentBits,
    /// Texinfo; not to be trusted for a side that has no face.
    pub texinfo: Option<u32>,
    /// Brush side of the file; `None` for a displacement, a prop, or a plane that was added for boxes.
    pub brush_side: Option<u32>,
}

impl BrushWorld {
    /// Elements that there are: sides of brushes, then triangles of displacements.
    pub fn n_elements(&self) -> u32 {
        let last = self.displacements.last();
        let n = last.map_or(self.sides.len(), |it| {
            it.n_triangles().saturating_add(it.first_element as usize)
        });
        // A side takes eight bytes of a file and a triangle ten, so an index holds them.
        n as u32
    }

    /// What an element is; `None` if there is none of that number.
    pub fn surface(&self, element: u32) -> Option<HitSurface> {
        if let Some(side) = self.side_of(element) {
            let brush_idx = *self.brush_of_side.get(side).filter(|&&it| it != u32::MAX)?;
            let obstacle = self.owner_of(brush_idx);
            let brush = self.brushes.get(brush_idx as usize)?;
            return Some(HitSurface {
                obstacle,
                contents: ContentBits::from_bits_retain(brush.contents),
                texinfo: u32::try_from(*self.side_texinfos.get(side)?).ok(),
                brush_side: match obstacle {
                    Obstacle::Entity { brush: from, .. } => {
                        let from = self.brushes.get(from as usize)?.side_range();
                        let place = element.checked_sub(brush.first_side)?;
                        from.into_iter().nth(place as usize).map(|side| side as u32)
                    }
                    Obstacle::World { .. } => Some(element),
                    _ => None,
                },
            });
        }
        let (disp_info, displacement, triangle) = self.displacement_of(element)?;
        Some(HitSurface {
            obstacle: Obstacle::Displacement {
                disp_info: disp_info as u32,
                triangle,
            },
            contents: ContentBits::from_bits_retain(displacement.contents),
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
            let brush = self.brush_of_side.get(side).copied();
            let brush = brush.and_then(|brush| self.brushes.get(brush as usize));
            let Some(range) = brush.map(Brush::side_range) else {
                return Vec::new();
            };
            let sides = match obstacle {
                Obstacle::Prop { .. } => range.clone(),
                _ => side..side.saturating_add(1),
            };
            return self.side_triangles(range, sides);
        }
        let triangle = self
            .displacement_of(element)
            .and_then(|(_, displacement, triangle)| displacement.corners(triangle as usize));
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
        let model = self.model_of(entity)?;
        let relative = point.as_dvec3() - model.origin.as_dvec3();
        Some((rotation(model.angles).transpose() * relative).as_vec3())
    }

    /// A point of the brush model that an entity uses, in the world.
    pub fn world_from_model(&self, entity: u32, point: Vec3) -> Option<Vec3> {
        let model = self.model_of(entity)?;
        let turned = rotation(model.angles) * point.as_dvec3();
        Some((turned + model.origin.as_dvec3()).as_vec3())
    }

    /// Triangles of some sides of the brush that has all in `brush`.
    fn side_triangles(&self, brush: Range<usize>, sides: Range<usize>) -> Vec<[Vec3; 3]> {
        let all = brush.filter_map(|place| Some((place, self.sides.get(place)?)));
        let real = all.filter(|(_, side)| !side.is_bevel);
        let (places, planes): (Vec<usize>, Vec<HalfSpace>) =
            real.map(|(place, side)| (place, side.half_space())).unzip();
        if places.len() > MOST_SIDES {
            return Vec::new();
        }
        let wanted = places.iter().enumerate();
        let wanted = wanted.filter(|(_, place)| sides.contains(place));
        let polygons = wanted.map(|(i, _)| side_polygon(&planes, i));
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

    /// A displacement with its number, and the triangle of it that an element is.
    fn displacement_of(&self, element: u32) -> Option<(usize, &Displacement, u32)> {
        let behind = self
            .displacements
            .partition_point(|it| it.first_element <= element);
        let number = behind.checked_sub(1)?;
        let displacement = self.displacements.get(number)?;
        let triangle = element.checked_sub(displacement.first_element)?;
        let is_there = (triangle as usize) < displacement.n_triangles();
        is_there.then_some((number, displacement, triangle))
    }

    fn model_of(&self, entity: u32) -> Option<&BrushEntity> {
        let by_entity = |model: &BrushEntity| model.entity.cmp(&(entity as usize));
        let place = self.models.binary_search_by(by_entity).ok()?;
        self.models.get(place)
    }
}

/// Triangles around the first corner, in the winding of the polygon.
pub fn fan(corners: &[Vec3]) -> Vec<[Vec3; 3]> {
    let Some((first, others)) = corners.split_first() else {
        return Vec::new();
    };
    let edges = others.iter().zip(others.iter().skip(1));
    edges.map(|(from, to)| [*first, *from, *to]).collect()
}
