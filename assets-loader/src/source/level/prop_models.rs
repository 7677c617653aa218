//! Models that a map names: which, and their files. Dossier sections 8.2, 9.2 and 10.5.

use std::collections::{BTreeMap, BTreeSet};

use super::FORMAT;
use crate::bytes::{Finding, FormatError, Severity};
use crate::source::bsp::game_lump::StaticProps;
use crate::source::entities::{Entities, Entity};
use crate::source::game_files::GameFiles;
use crate::source::mdl::Mdl;
use crate::source::missing_files::{MissingFiles, MissingKind};
use crate::source::studio_model::StudioModel;
use crate::source::vtx::Vtx;
use crate::source::vvd::Vvd;

/// What a model file ends with.
const ENDING: &str = ".mdl";
/// Index files, the best first.
const INDEX_ENDINGS: [&str; 4] = [".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx"];
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
    (is_prop_class(&entity.class()) && key.ends_with(ENDING)).then_some(key)
}

/// Why there is no model.
enum NoModel {
    /// A file of it is nowhere.
    Missing(String),
    /// It cannot be read, or its files do not fit each other.
    Broken(String),
}

/// All models that are named and there.
pub(super) fn load_all(
    static_props: &StaticProps,
    entities: &Entities,
    files: &GameFiles,
    missing: &mut MissingFiles,
    findings: &mut Vec<Finding>,
) -> BTreeMap<String, StudioModel> {
    let of_props = static_props.models.iter().map(|it| model_key(&it.path()));
    let of_entities = entities.entities.iter().filter_map(prop_model);
    let keys: BTreeSet<String> = of_props.chain(of_entities).collect();
    let mut models = BTreeMap::new();
    for key in keys {
        match load(&key, files) {
            Ok(model) => {
                models.insert(key, model);
            }
            Err(NoModel::Missing(path)) => missing.add(path, MissingKind::Model),
            Err(NoModel::Broken(reason)) => {
                let message = format!("model {key}: {reason}; what shows it is left out");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
    }
    models
}

fn load(key: &str, files: &GameFiles) -> Result<StudioModel, NoModel> {
    let base = key.strip_suffix(ENDING).unwrap_or(key);
    let open = |path: &str| {
        let data = files.open(path);
        let data = data.map_err(|error| NoModel::Broken(error.to_string()))?;
        data.ok_or_else(|| NoModel::Missing(path.to_owned()))
    };
    let text = |error: FormatError| NoModel::Broken(error.to_string());
    let mdl = Mdl::read(&open(key)?).map_err(text)?;
    let vvd = Vvd::read(&open(&format!("{base}.vvd"))?).map_err(text)?;
    let mut vtx = Err(NoModel::Missing(String::new()));
    for ending in INDEX_ENDINGS {
        let data = open(&format!("{base}{ending}"));
        if data.is_ok() || ending == INDEX_ENDINGS[0] {
            vtx = data;
        }
        if vtx.is_ok() {
            break;
        }
    }
    let vtx = Vtx::read(&vtx?).map_err(text)?;
    StudioModel::assemble(&mdl, &vvd, &vtx).map_err(text)
}
