//! What a zone uses besides its own archive: atlases, and models and textures of its objects.

use std::collections::{BTreeMap, BTreeSet};

use super::open::named;
use crate::figure::Figure;
use crate::game_files::GameFiles;
use crate::land::atlas_name;
use crate::lights_config::{LightsConfig, Region};
use crate::mmp::{self, Mmp};
use crate::mob::view::MapObject;
use crate::mp::{MAX_TEXTURES, Mp};
use ironlands_assets_core::bytes::{FormatError, Severity};
use ironlands_assets_core::findings::{Findings, cut};
use ironlands_assets_core::vfs::VfsError;

/// The archive of models.
const FIGURES: &str = "figures.res";
/// The archive of animation tables.
const TABLES: &str = "database.res";
/// What an object wears whose own texture is missing (section 9.5).
pub(crate) const DEFAULT_TEXTURE: &str = "default0";
/// How an object says that it has no texture.
const NO_TEXTURE: &str = "none";
/// Larger pictures are refused: a few packed bytes can claim a gigabyte.
const MAX_SIDE: u32 = 4096;

/// The atlases of a zone by number. `stems` are what their names may begin with, the likeliest first.
pub(super) fn read_atlases(
    mp: &Mp,
    stems: [&str; 2],
    game_files: &GameFiles,
    findings: &mut Findings,
) -> Vec<Option<Mmp>> {
    let mut missing = Vec::new();
    let numbers = 0..mp.n_textures.min(MAX_TEXTURES);
    let atlases = numbers.map(|number| {
        let names = stems.map(|stem| atlas_name(stem, number));
        for name in &names {
            match read_texture(name, game_files, findings) {
                Ok(Some(atlas)) => return Some(atlas),
                Ok(None) => {}
                Err(problem) => {
                    missing.push(problem);
                    return None;
                }
            }
        }
        missing.push(format!("the atlas {}.mmp is missing", cut(&names[0])));
        None
    });
    let atlases = atlases.collect();
    findings.rule(Severity::Error, missing.into_iter().map(|it| (None, it)));
    atlases
}

/// A texture; `None` if there is none, and in words what is wrong with one that cannot be read.
fn read_texture(
    name: &str,
    game_files: &GameFiles,
    findings: &mut Findings,
) -> Result<Option<Mmp>, String> {
    let of_file = |error: VfsError| format!("{name}: {error}");
    let of_format = |error: FormatError| format!("{name}: {error}");
    let Some(data) = game_files.texture(name).map_err(of_file)? else {
        return Ok(None);
    };
    let texture =
        Mmp::read_within(&data, mmp::Tolerance::all(), game_files.budget()).map_err(of_format)?;
    if texture.width > MAX_SIDE || texture.height > MAX_SIDE {
        let [width, height] = [texture.width, texture.height];
        return Err(format!("{name}: {width} by {height} pixels are too many"));
    }
    findings.extend(named(texture.check(), name));
    Ok(Some(texture))
}

/// The light of every region that the game has; the one in the name of the zone comes first.
pub(super) fn read_lights(
    zone: &str,
    game_files: &GameFiles,
    findings: &mut Findings,
) -> Vec<(Region, LightsConfig)> {
    let of_name = Region::from_name(zone);
    let others = Region::ALL.into_iter().filter(|it| of_name != Some(*it));
    let mut lights = Vec::new();
    for region in of_name.into_iter().chain(others) {
        let name = region.file_name();
        let config = match game_files.config(&name) {
            Ok(None) => continue,
            Ok(Some(data)) => LightsConfig::read(&data).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match config {
            Ok(config) => {
                findings.extend(named(config.check(), &name));
                lights.push((region, config));
            }
            Err(error) => findings.rule(Severity::Error, [(None, format!("{name}: {error}"))]),
        }
    }
    if let Some((region, _)) = lights.first().filter(|(it, _)| of_name != Some(*it)) {
        let name = region.name();
        let message = format!(
            "the name {zone} does not say its region; it is lit as in {name}, unless --region says otherwise"
        );
        findings.rule(Severity::Note, [(None, message)]);
    }
    lights
}

/// Models and textures while they are loaded: each once, whatever names it.
pub(super) struct Loader<'a> {
    pub(super) figures: BTreeMap<String, Figure>,
    pub(super) textures: BTreeMap<String, Mmp>,
    game_files: &'a GameFiles,
    findings: &'a mut Findings,
}

impl<'a> Loader<'a> {
    pub(super) fn new(game_files: &'a GameFiles, findings: &'a mut Findings) -> Self {
        Self {
            figures: BTreeMap::new(),
            textures: BTreeMap::new(),
            game_files,
            findings,
        }
    }

    /// Loads what objects name.
    pub(super) fn load_all(&mut self, objects: &[MapObject]) {
        let templates = objects.iter().map(|it| it.template.to_ascii_lowercase());
        let templates: BTreeSet<_> = templates.filter(|it| !it.is_empty()).collect();
        let mut problems = Vec::new();
        for template in templates {
            match self.figure(&template) {
                Ok(Some(figure)) => {
                    self.findings
                        .extend(named(figure.findings.clone(), &template));
                    self.figures.insert(template, figure);
                }
                Ok(None) => problems.push(format!("the model {} is missing", cut(&template))),
                Err(error) => problems.push(format!("the model {}: {error}", cut(&template))),
            }
        }
        let mut names: BTreeSet<_> = objects.iter().flat_map(texture_names).collect();
        names.insert(DEFAULT_TEXTURE.to_owned());
        for name in names {
            match read_texture(&name, self.game_files, self.findings) {
                Ok(Some(texture)) => {
                    self.textures.insert(name, texture);
                }
                // It is optional.
                Ok(None) if name == DEFAULT_TEXTURE => {}
                Ok(None) => problems.push(format!("the texture {}.mmp is missing", cut(&name))),
                Err(problem) => problems.push(problem),
            }
        }
        self.findings
            .rule(Severity::Warning, problems.into_iter().map(|it| (None, it)));
    }

    fn figure(&self, name: &str) -> Result<Option<Figure>, VfsError> {
        let member = |archive: &str, extension: &str| {
            self.game_files
                .member(archive, &format!("{name}.{extension}"))
        };
        let Some(model) = member(FIGURES, "mod")? else {
            return Ok(None);
        };
        let bon = member(FIGURES, "bon")?.unwrap_or_default();
        let anm = member(FIGURES, "anm")?;
        let adb = member(TABLES, "adb")?;
        let figure = Figure::read(name, &model, &bon, anm.as_deref(), adb.as_deref());
        figure.map(Some).map_err(|error| VfsError::Invalid {
            file: FIGURES.into(),
            error: Box::new(error.in_entry(&format!("{name}.mod"))),
        })
    }
}

/// Names of the textures that an object wears, lower-case.
fn texture_names(object: &MapObject) -> impl Iterator<Item = String> + use<> {
    let names = [&object.primary_texture, &object.secondary_texture];
    let names = names.map(|name| texture_name(name));
    names.into_iter().flatten()
}

/// The key of a texture in [`super::Zone::textures`]; `None` if the name says that there is none.
pub(crate) fn texture_name(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    (!name.is_empty() && name != NO_TEXTURE).then_some(name)
}
