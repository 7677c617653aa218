//! Models that a map names: which, and their files. Dossier sections 8.2, 9.2 and 10.5.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Detail, FORMAT};
use crate::bsp::game_lump::StaticProps;
use crate::entities::{Entities, Entity};
use crate::game_files::GameFiles;
use crate::missing_files::{MissingFiles, MissingKind};
use crate::studio_model::{MODEL_ENDING, ModelError, StudioModel};
use crate::studio_motion::StudioMotion;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Beginnings of the classes whose `model` is shown where they stand.
const PROP_CLASSES: [&str; 6] = ["prop_", "npc_", "item_", "weapon_", "monster_", "cycler"];

/// Whether entities of a class show their model: props, and what else stands about.
pub fn is_prop_class(class: &str) -> bool {
    PROP_CLASSES.iter().any(|prefix| class.starts_with(prefix))
}

/// The name that a model is remembered by: its path in lower case with `/`.
pub fn model_key(path: &str) -> String {
    path.to_ascii_lowercase().replace('\\', "/")
}

/// The model that an entity shows as a prop.
pub fn prop_model(entity: &Entity) -> Option<String> {
    let path = entity.get("model")?;
    let key = model_key(&path);
    (is_prop_class(&entity.class()) && key.ends_with(MODEL_ENDING)).then_some(key)
}

/// Models by [`model_key`], and what moves those of entities that can move.
pub(super) type LoadedModels = (
    BTreeMap<String, StudioModel>,
    BTreeMap<String, Arc<StudioMotion>>,
);

/// All models that are named and there.
pub(super) fn load_all(
    (static_props, detail): (&StaticProps, &Detail),
    entities: &Entities,
    files: &GameFiles,
    missing: &mut MissingFiles,
    findings: &mut Vec<Finding>,
) -> LoadedModels {
    let of_props = static_props.models.iter().map(|it| model_key(&it.path()));
    let of_detail = detail.props.models.iter().map(|it| model_key(&it.path()));
    let of_entities: BTreeSet<String> = entities.entities.iter().filter_map(prop_model).collect();
    let keys: BTreeSet<String> = of_props
        .chain(of_entities.iter().cloned())
        .chain(of_detail)
        .collect();
    let open = |path: &str| files.open(path).map_err(|error| error.to_string());
    let (mut models, mut motions) = (BTreeMap::new(), BTreeMap::new());
    for key in keys {
        match StudioModel::open_with_mdl(&key, &open) {
            Ok((model, mdl)) => {
                let moves = of_entities.contains(&key) && !model.is_static_prop();
                if moves {
                    let motion = StudioMotion::open_any(&key, &mdl, &open);
                    findings.extend(motion.findings.iter().cloned());
                    if motion.moves() {
                        motions.insert(key.clone(), Arc::new(motion));
                    }
                }
                models.insert(key, model);
            }
            Err(ModelError::Missing { path }) => missing.add(path, MissingKind::Model),
            Err(error) => {
                let message = format!("{error}; what shows the model is left out");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
    }
    (models, motions)
}
