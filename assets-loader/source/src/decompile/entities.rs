//! Entities: keys, outputs, brush models. Dossier section 12.1.

use encoding_rs::WINDOWS_1252;

use super::Decompiler;
use crate::entities::Entity;
use crate::vmf::{Connections, VmfEntity};

/// Keys that the compiler adds.
const COMPILER_KEYS: [&str; 3] = ["world_mins", "world_maxs", "hammerid"];
/// Style of a named light before the compiler gave it one that can be switched; absent if it was 0.
const DEFAULT_STYLE: &str = "defaultstyle";
/// Styles from here on are those that the compiler gives to named lights.
const FIRST_SWITCHED_STYLE: f32 = 32.0;
/// Separator of newer outputs.
const ESCAPE: char = '\x1B';

impl Decompiler<'_> {
    /// The world's keys, without brushes.
    pub(super) fn world(&mut self) -> VmfEntity {
        let entity = self.entities.world();
        let mut world = match entity {
            Some(entity) => self.keys(entity),
            None => VmfEntity::new("worldspawn"),
        };
        world.id = Some(self.object_ids.take(Some(1)));
        world
    }

    /// All other entities, with the brushes of their models.
    pub(super) fn entities(&mut self) -> Vec<VmfEntity> {
        let world = self.entities.world();
        let others = self.entities.entities.iter();
        let others =
            others.filter(|entity| !world.is_some_and(|world| std::ptr::eq(world, *entity)));
        others.map(|entity| self.entity(entity)).collect()
    }

    fn entity(&mut self, entity: &Entity) -> VmfEntity {
        let mut vmf = self.keys(entity);
        restore_light_style(&mut vmf, entity);
        vmf.id = Some(self.object_ids.take(entity.hammer_id()));
        if let Some(model) = entity.brush_model() {
            vmf.pairs
                .retain(|(key, _)| !key.eq_ignore_ascii_case("model"));
            let origin = entity.origin().unwrap_or_default().map(f64::from);
            let brushes = match self.side_work.is_spent() {
                true => Vec::new(),
                false => self.map.world_brushes(model),
            };
            for brush in brushes {
                if self.side_work.is_spent() {
                    break;
                }
                vmf.solids.extend(self.solid(model, brush as usize, origin));
            }
            if vmf.solids.is_empty() {
                let class = entity.class();
                self.warn(format!(
                    "{class} has the model *{model}, which has no brushes"
                ));
            }
        }
        let portal = entity.number("portalnumber").filter(|key| *key >= 0.0);
        if vmf
            .class()
            .to_ascii_lowercase()
            .starts_with("func_areaportal")
            && let Some(key) = portal
        {
            vmf.pairs
                .retain(|(key, _)| !key.eq_ignore_ascii_case("portalnumber"));
            vmf.solids
                .extend(self.portal_solids.remove(&(key as u32)).unwrap_or_default());
        }
        vmf
    }

    /// Keys that are not the compiler's, and outputs.
    fn keys(&mut self, entity: &Entity) -> VmfEntity {
        let mut vmf = VmfEntity::default();
        let mut outputs = Vec::new();
        for (key, value) in &entity.pairs {
            let (name, text) = (self.text(key), self.text(value));
            if COMPILER_KEYS
                .iter()
                .any(|key| name.eq_ignore_ascii_case(key))
            {
                continue;
            }
            let mut alone = Entity::default();
            alone.pairs.push((key.clone(), value.clone()));
            match alone.outputs().is_empty() {
                true => vmf.push(name, text),
                // A comma within a part can only stand between escapes.
                false if text.contains(',') && text.contains(ESCAPE) => outputs.push((name, text)),
                false => outputs.push((name, text.replace(ESCAPE, ","))),
            }
        }
        vmf.connections = (!outputs.is_empty()).then(|| Connections {
            outputs,
            ..Connections::default()
        });
        vmf
    }

    /// Bytes as text that an editor file can hold.
    fn text(&mut self, bytes: &[u8]) -> String {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
                .into_owned(),
        };
        self.quotable(&text)
    }
}

/// Undoes what the compiler does to lights with a name: each name gets a style of its own, by which it is switched.
fn restore_light_style(vmf: &mut VmfEntity, light: &Entity) {
    let class = vmf.class().to_ascii_lowercase();
    let is_compiled = class.starts_with("light") && class != "light_dynamic";
    let is_named = light.name().is_some_and(|name| !name.is_empty());
    let is_switched = light.number("style") >= Some(FIRST_SWITCHED_STYLE);
    if !(is_compiled && is_named && is_switched) {
        return;
    }
    let original = vmf.get(DEFAULT_STYLE).unwrap_or("0").to_owned();
    vmf.pairs
        .retain(|(key, _)| !key.eq_ignore_ascii_case(DEFAULT_STYLE));
    for (key, style) in &mut vmf.pairs {
        if key.eq_ignore_ascii_case("style") {
            style.clone_from(&original);
        }
    }
}
