//! The file of a map: its lumps, entities, props, and the archive of textures and materials.

use ironlands_assets_source::bsp::{BspFile, LumpId};
use ironlands_assets_source::entities::{Entities, Entity, EntitySyntax};
use ironlands_assets_source::pakfile::{Comment, Pakfile};

use super::entities::EntityPlan;
use super::level::Level;
use super::{MapPlan, SourceMapError, light, lumps, vase};

/// Version of the file: what the first games of the engine read, or the first that knows light of high range.
const VERSION: u32 = 19;
const HIGH_RANGE_VERSION: u32 = 20;
const GAME_LUMP_VERSION: u32 = 0;

/// Compiles a plan and writes its file. `pak` are further files of its archive.
///
/// # Errors
/// A leak, or more of something than the format counts.
pub fn write(plan: &MapPlan, pak: &[(String, Vec<u8>)]) -> Result<Vec<u8>, SourceMapError> {
    let level = Level::new(plan)?;
    let lighting = light::lighting(plan, &level);
    let game_lump = vase::game_lump(&level, plan)?;
    let map = lumps::map(plan, level, lighting);
    let mut file = BspFile::new(match plan.is_high_range {
        true => HIGH_RANGE_VERSION,
        false => VERSION,
    });
    file.map_revision = 1;
    map.write_into(&mut file)?;
    file.set_lump(LumpId::Entities, 0, entities(plan).write()?);
    file.set_lump(LumpId::GameLump, GAME_LUMP_VERSION, game_lump);
    let files: Vec<(&str, &[u8])> = pak
        .iter()
        .map(|(name, data)| (&name[..], &data[..]))
        .collect();
    file.set_lump(
        LumpId::Pakfile,
        0,
        Pakfile::draft(&files, Comment::None)?.write(),
    );
    Ok(file.write()?)
}

/// All entities, the lights last.
fn entities(plan: &MapPlan) -> Entities {
    let lights = plan.sun.iter().map(|sun| sun.entity());
    let lamps = plan.lamps.iter().map(|lamp| lamp.entity());
    let all = plan.entities.iter().cloned().chain(lights).chain(lamps);
    let mut entities = Entities::new(EntitySyntax::Plain);
    entities.entities = all.map(entity).collect();
    entities
}

fn entity(plan: EntityPlan) -> Entity {
    let pairs = plan.pairs.into_iter();
    let mut entity = Entity::default();
    entity.pairs = pairs
        .map(|(key, value)| (key.into_bytes(), value.into_bytes()))
        .collect();
    entity
}
