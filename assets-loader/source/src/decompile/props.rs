//! What compilers take out of the entities: static props, cubemaps, overlays. Dossier sections 9.2, 11.1 and 11.3.

use glam::Vec3;

use super::displacements::decimal;
use super::{Decompiler, original_material};
use crate::bsp::Overlay;
use crate::bsp::game_lump::{PropLayout, StaticProp, StaticProps};
use crate::vmf::VmfEntity;

/// Flags of static props, and the key that sets each.
const FLAG_KEYS: [(u32, &str); 5] = [
    (0x8, "ignorenormals"),
    (0x10, "disableshadows"),
    (0x20, "screenspacefade"),
    (0x40, "disablevertexlighting"),
    (0x80, "disableselfshadowing"),
];
const FADES: u32 = 0x1;
const USES_LIGHTING_ORIGIN: u32 = 0x2;

impl Decompiler<'_> {
    /// `prop_static` for each static prop, and `info_lighting` for those that are lit from elsewhere.
    pub(super) fn static_props(&mut self, props: &StaticProps) -> Vec<VmfEntity> {
        let mut entities = Vec::new();
        for (index, prop) in props.props.iter().enumerate() {
            let Some(model) = props.models.get(usize::from(prop.model)) else {
                self.warn(format!("static prop {index} has no model and is left out"));
                continue;
            };
            let model = self.quotable(&model.path());
            let mut entity = static_prop(prop, props.layout, &model);
            entity.id = Some(self.object_ids.take(None));
            if prop.flags(props.layout) & USES_LIGHTING_ORIGIN != 0 {
                let name = format!("static_prop_{index}_lighting");
                let mut lighting = VmfEntity::new("info_lighting");
                lighting.id = Some(self.object_ids.take(None));
                lighting.push("targetname", &name);
                lighting.push("origin", vector(prop.lighting_origin));
                entities.push(lighting);
                entity.push("lightingorigin", name);
            }
            entities.push(entity);
        }
        entities
    }

    /// `env_cubemap` for each sample, with the sides that are bound to it.
    pub(super) fn cubemaps(&mut self) -> Vec<VmfEntity> {
        let samples = self.map.cubemaps.iter().map(|sample| {
            let mut entity = VmfEntity::new("env_cubemap");
            entity.id = Some(self.object_ids.take(None));
            let origin = sample.origin.map(|component| component.to_string());
            entity.push("origin", origin.join(" "));
            entity.push("cubemapsize", sample.size.to_string());
            if let Some(sides) = self.sides_of_cubemap.get(&sample.origin) {
                entity.push("sides", spaced(sides));
            }
            entity
        });
        samples.collect()
    }

    /// `info_overlay` for each overlay, on the sides of its faces.
    pub(super) fn overlays(&mut self) -> Vec<VmfEntity> {
        let map = self.map;
        let fades = map.overlay_fades.iter().copied().map(Some);
        let fades = fades.chain(std::iter::repeat(None));
        let mut entities = Vec::new();
        for (overlay, fade) in map.overlays.iter().zip(fades) {
            let mut entity = self.overlay("info_overlay", overlay);
            push_fade(&mut entity, fade);
            entities.push(entity);
        }
        for overlay in &map.water_overlays {
            entities.push(self.overlay("info_overlay_transition", overlay));
        }
        entities
    }

    fn overlay(&mut self, class: &str, overlay: &Overlay) -> VmfEntity {
        let mut entity = VmfEntity::new(class);
        entity.id = Some(self.object_ids.take(None));
        let faces = overlay
            .faces
            .iter()
            .filter_map(|face| usize::try_from(*face).ok());
        let sides = faces
            .filter_map(|face| self.sides_of_face.get(&face))
            .flatten()
            .copied();
        let mut sides: Vec<u32> = sides.collect();
        sides.sort_unstable();
        sides.dedup();
        if sides.is_empty() {
            self.warn(format!("overlay {} lies on no side", overlay.id));
        }
        let normal = Vec3::from(overlay.normal);
        let basis_v = normal.cross(Vec3::from(overlay.basis_u));
        let basis_v = if overlay.is_v_flipped {
            -basis_v
        } else {
            basis_v
        };
        let name = self.map.texture_name(overlay.texinfo).unwrap_or_default();
        let material = self.quotable(original_material(&name).0);
        entity.push("material", material);
        entity.push("sides", spaced(&sides));
        entity.push("RenderOrder", overlay.render_order.to_string());
        for (key, value) in [
            ("StartU", overlay.u[0]),
            ("EndU", overlay.u[1]),
            ("StartV", overlay.v[0]),
            ("EndV", overlay.v[1]),
        ] {
            entity.push(key, decimal(value).to_string());
        }
        for (key, value) in [
            ("origin", overlay.origin),
            ("BasisOrigin", overlay.origin),
            ("BasisU", overlay.basis_u),
            ("BasisV", basis_v.to_array()),
            ("BasisNormal", overlay.normal),
        ] {
            entity.push(key, vector(value));
        }
        for (index, [x, y]) in overlay.corners.iter().enumerate() {
            entity.push(format!("uv{index}"), vector([*x, *y, 0.0]));
        }
        entity
    }
}

/// The distances of lump 60: the compiler squares those above 0 (-1 = no fading) and keeps the others.
fn push_fade(entity: &mut VmfEntity, fade: Option<[f32; 2]>) {
    let keys = ["fademindist", "fademaxdist"];
    for (key, stored) in keys.into_iter().zip(fade.into_iter().flatten()) {
        let distance = if stored > 0.0 { stored.sqrt() } else { stored };
        if distance.is_finite() {
            entity.push(key, decimal(distance).to_string());
        }
    }
}

fn static_prop(prop: &StaticProp, layout: PropLayout, model: &str) -> VmfEntity {
    let mut entity = VmfEntity::new("prop_static");
    let flags = prop.flags(layout);
    entity.push("model", model);
    entity.push("origin", vector(prop.origin));
    entity.push("angles", vector(prop.angles));
    entity.push("skin", prop.skin.to_string());
    entity.push("solid", prop.solid.to_string());
    if flags & FADES != 0 {
        entity.push("fademindist", decimal(prop.fade_distances[0]).to_string());
        entity.push("fademaxdist", decimal(prop.fade_distances[1]).to_string());
    }
    entity.push("fadescale", decimal(prop.forced_fade_scale).to_string());
    for (flag, key) in FLAG_KEYS {
        if flags & flag != 0 {
            entity.push(key, "1");
        }
    }
    if prop.lightmap_size != [0; 2] {
        entity.push("lightmapresolutionx", prop.lightmap_size[0].to_string());
        entity.push("lightmapresolutiony", prop.lightmap_size[1].to_string());
    }
    let levels = ["mincpulevel", "maxcpulevel", "mingpulevel", "maxgpulevel"];
    let levels = levels.into_iter().zip(prop.cpu_gpu_levels.map(u16::from));
    let dx_levels = ["mindxlevel", "maxdxlevel"].into_iter().zip(prop.dx_levels);
    for (key, level) in levels.chain(dx_levels).filter(|(_, level)| *level != 0) {
        entity.push(key, level.to_string());
    }
    let [r, g, b, a] = prop.diffuse;
    if prop.diffuse != [255; 4] {
        entity.push("rendercolor", spaced(&[r, g, b]));
        entity.push("renderamt", a.to_string());
    }
    if prop.scale != [1.0; 3] {
        entity.push("modelscale", decimal(prop.scale[0]).to_string());
    }
    entity
}

fn vector(vector: [f32; 3]) -> String {
    spaced(&vector.map(decimal))
}

fn spaced<T: ToString>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    texts.join(" ")
}
