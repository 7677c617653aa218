//! What is known of a place that was hit, and its shape.

use super::faces::Face;
use super::{SourceWorld, Surface};
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Map, SurfaceFlags, Texinfo};
use ironlands_sim_brush::{ContentBits, HitSurface, Obstacle, fan};
use ironlands_sim_world::{Fact, LivingEntities, WorldHit};

/// How far in front of a surface its leaf is looked for.
const IN_FRONT: f32 = 1.0;

impl SourceWorld {
    pub(super) fn facts_of(&self, hit: &WorldHit) -> Vec<Fact> {
        let Some(surface) = self.brushes.surface(hit.element) else {
            return Vec::new();
        };
        let Vec3 { x, y, z } = hit.position;
        let mut facts = vec![Fact::new("position", format!("{x:.2} {y:.2} {z:.2}"))];
        facts.push(obstacle_fact(&surface.obstacle));
        let face = self.face_of(&surface, hit);
        if let Some(face) = face {
            facts.push(Fact::new("face", face.face.to_string()));
        }
        let texinfo = match face {
            Some(face) => usize::try_from(face.texinfo).ok(),
            None => surface.texinfo.map(|it| it as usize),
        };
        if let Some(texinfo) = texinfo.and_then(|it| self.surfaces.get(it)) {
            facts.push(Fact::new("material", self.texture_name(texinfo)));
            facts.push(Fact::new("surface flags", surface_flags(texinfo.flags)));
        }
        facts.push(Fact::new("contents", contents(surface.contents)));
        facts.extend(self.place_facts(hit));
        if let Obstacle::Entity { entity: number, .. } = surface.obstacle
            && let Some(entity) = self.entities.get(number as usize)
        {
            let state = self.state_of(number as usize);
            facts.extend((!state.is_empty()).then(|| Fact::new("state", state)));
            facts.extend(entity.facts.iter().cloned());
        }
        facts
    }

    pub(super) fn triangles_of(&self, hit: &WorldHit) -> Vec<[Vec3; 3]> {
        let Some(surface) = self.brushes.surface(hit.element) else {
            return Vec::new();
        };
        let Some(face) = self.face_of(&surface, hit) else {
            return self.brushes.triangles_of(hit.element);
        };
        let corners = self.faces.corners_of(face).into_iter();
        let corners = corners.map(|corner| match surface.obstacle {
            Obstacle::Entity { entity, .. } => {
                self.world_from_model(entity, corner).unwrap_or(corner)
            }
            _ => corner,
        });
        fan(&corners.collect::<Vec<_>>())
    }

    /// The face that is seen where a side of a brush was hit.
    pub(super) fn face_of(&self, surface: &HitSurface, hit: &WorldHit) -> Option<&Face> {
        let plane = self.brushes.plane_of(surface.brush_side?)?;
        let place = match surface.obstacle {
            Obstacle::Entity { entity, .. } => self.model_from_world(entity, hit.position)?,
            _ => hit.position,
        };
        self.faces.face_at(plane, place)
    }

    /// A point in the axes of the brush model of an entity, where that is now.
    fn model_from_world(&self, entity: u32, point: Vec3) -> Option<Vec3> {
        match self.life().model_of(entity as usize) {
            Some(model) => Some(model.model_from_world(point)),
            None => self.brushes.model_from_world(entity, point),
        }
    }

    fn world_from_model(&self, entity: u32, point: Vec3) -> Option<Vec3> {
        match self.life().model_of(entity as usize) {
            Some(model) => Some(model.world_from_model(point)),
            None => self.brushes.world_from_model(entity, point),
        }
    }

    fn place_facts(&self, hit: &WorldHit) -> Vec<Fact> {
        let Some(place) = self.brushes.place_at(hit.position + hit.normal * IN_FRONT) else {
            return Vec::new();
        };
        let cluster = place.cluster.map_or("none".to_owned(), |it| it.to_string());
        vec![
            Fact::new("leaf", place.leaf.to_string()),
            Fact::new("leaf contents", contents(place.contents)),
            Fact::new("cluster", cluster),
            Fact::new("area", place.area.to_string()),
        ]
    }

    /// Name of the texture of a texinfo, as stored.
    pub(super) fn texture_name(&self, surface: &Surface) -> String {
        let offset = surface.name_offset.map(|it| it as usize);
        let name = offset
            .and_then(|it| self.texture_names.get(it..))
            .unwrap_or(&[]);
        let name = name.split(|byte| *byte == 0).next().unwrap_or(&[]);
        String::from_utf8_lossy(name).into_owned()
    }
}

/// What text about a texinfo is made of.
pub(super) fn surface(map: &Map, texinfo: &Texinfo) -> Surface {
    let texdata = usize::try_from(texinfo.texdata)
        .ok()
        .and_then(|it| map.texdata.get(it));
    let name = texdata.and_then(|it| usize::try_from(it.name).ok());
    let offset = name.and_then(|it| map.texture_name_offsets.get(it));
    Surface {
        flags: SurfaceFlags::from_bits_retain(texinfo.flags),
        name_offset: offset.and_then(|&it| u32::try_from(it).ok()),
    }
}

fn obstacle_fact(obstacle: &Obstacle) -> Fact {
    match obstacle {
        Obstacle::World { brush } => Fact::new("brush", brush.to_string()),
        Obstacle::Entity {
            entity,
            model,
            brush,
        } => Fact::new(
            "brush",
            format!("{brush} of model {model}, entity {entity}"),
        ),
        Obstacle::Displacement {
            disp_info,
            triangle,
        } => Fact::new("displacement", format!("{disp_info}, triangle {triangle}")),
        Obstacle::Prop { prop } => Fact::new("static prop", prop.to_string()),
    }
}

fn surface_flags(flags: SurfaceFlags) -> String {
    names(flags.iter_names().map(|(name, _)| name))
}

fn contents(bits: ContentBits) -> String {
    let contents = Contents::from_bits_retain(bits.bits());
    names(contents.iter_names().map(|(name, _)| name))
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
