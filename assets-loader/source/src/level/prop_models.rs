//! Models that a map names: which, and their files. Dossier sections 8.2, 9.2 and 10.5.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Detail, FORMAT};
use crate::bsp::game_lump::StaticProps;
use crate::entities::{Entities, Entity};
use crate::game_files::GameFiles;
use crate::mdl::Mdl;
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

/// All models that are named and there.
pub(super) fn load_all(
    (static_props, detail): (&StaticProps, &Detail),
    entities: &Entities,
    files: &GameFiles,
    missing: &mut MissingFiles,
    findings: &mut Vec<Finding>,
) -> BTreeMap<String, StudioModel> {
    let of_props = static_props.models.iter().map(|it| model_key(&it.path()));
    let of_entities = entities.entities.iter().filter_map(prop_model);
    let of_detail = detail.props.models.iter().map(|it| model_key(&it.path()));
    let keys: BTreeSet<String> = of_props.chain(of_entities).chain(of_detail).collect();
    let mut models = BTreeMap::new();
    for key in keys {
        match load(&key, files) {
            Ok(model) => {
                models.insert(key, model);
            }
            Err(ModelError::Missing { path }) => missing.add(path, MissingKind::Model),
            Err(error) => {
                let message = format!("{error}; what shows the model is left out");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
    }
    models
}

/// What moves the models of entities, of those that can be drawn.
pub(super) fn load_motions(
    entities: &Entities,
    models: &BTreeMap<String, StudioModel>,
    files: &GameFiles,
    findings: &mut Vec<Finding>,
) -> BTreeMap<String, Arc<StudioMotion>> {
    let keys: BTreeSet<String> = entities.entities.iter().filter_map(prop_model).collect();
    let mut motions = BTreeMap::new();
    for key in keys {
        if models.get(&key).is_none_or(StudioModel::is_static_prop) {
            continue;
        }
        // It was read without an error before.
        let data = files.open(&key).ok().flatten();
        let Some(mdl) = data.and_then(|data| Mdl::read(&data).ok()) else {
            continue;
        };
        let open = |path: &str| files.open(path).map_err(|error| error.to_string());
        let motion = StudioMotion::open(&key, &mdl, &open);
        findings.extend(motion.findings.iter().cloned());
        if motion.moves() {
            motions.insert(key, Arc::new(motion));
        }
    }
    motions
}

fn load(key: &str, files: &GameFiles) -> Result<StudioModel, ModelError> {
    StudioModel::open(key, &|path| {
        files.open(path).map_err(|error| error.to_string())
    })
}
