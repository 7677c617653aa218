//! The archives that hold models, their material tables, and the control data of those with effects.

use ironlands_assets_parkan::msh::{self, ModelDraft};
use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::wear::{self, Wear, WearRow};
use ironlands_assets_parkan::{ctld, ctpt};

use super::{Archive, DemoModel, basements, hall_ways};
use crate::{DemoError, effects};

/// The archives of these models, by file name.
pub fn archives(models: &[DemoModel]) -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let file = |archive: Archive| -> Result<(String, Vec<u8>), DemoError> {
        let mut entries = Vec::new();
        for model in models.iter().filter(|model| model.archive == archive) {
            let draft = ModelDraft {
                name: model.stem.as_bytes().to_vec(),
                ..model.draft.clone()
            };
            let mut msh = draft.build()?;
            if let Some(hall_way) = hall_ways::of_model(model.stem) {
                msh.set_hall_way(&hall_way)?;
            }
            let bytes = msh.write()?;
            let name = format!("{}.msh", model.stem);
            entries.push(Entry::new(msh::TYPE_ID, 0, 0, 0, &name, bytes)?);
            let name = format!("{}.wea", model.stem);
            entries.push(Entry::new(wear::TYPE_ID, 0, 0, 1, &name, table(model)?)?);
            if let Some(basement) = basements::of_model(model.stem) {
                let name = format!("{}.bas", model.stem);
                entries.push(Entry::new(0, 0, 0, 0, &name, basement.write()?)?);
            }
            if let Some((control, points)) = effects::control(model.stem) {
                let name = format!("{}.ctl", model.stem);
                entries.push(Entry::new(ctld::TYPE_ID, 0, 0, 0, &name, control.write()?)?);
                let name = format!("{}.cpt", model.stem);
                entries.push(Entry::new(ctpt::TYPE_ID, 0, 0, 0, &name, points.write()?)?);
            }
        }
        let bytes = NRes::from_entries(entries).write()?;
        Ok((archive.file_name().to_owned(), bytes))
    };
    Archive::ALL.into_iter().map(file).collect()
}

/// The material table of a model.
fn table(model: &DemoModel) -> Result<Vec<u8>, DemoError> {
    let row = |(row, name): (usize, &&str)| WearRow {
        legacy_id: row as i32,
        name: name.as_bytes().to_vec(),
    };
    let materials = model.materials.iter().enumerate().map(row).collect();
    let lightmaps = model.lightmap.map(|name| vec![row((0, &name))]);
    Ok(Wear::new(materials, lightmaps).write()?)
}
