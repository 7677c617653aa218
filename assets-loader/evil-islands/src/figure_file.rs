//! One figure to look at, with textures that suit it: a `.mod` file, a member of an archive, or a name in a game.

mod skins;
#[cfg(test)]
mod tests;
mod worn;

use std::path::{Path, PathBuf};

use ironlands_scene::{
    Addressing, Instance, Material, MaterialIdx, ModelIdx, Scene, Spawn, Sun, Texture, TextureIdx,
};

use super::adb::Adb;
use super::figure::Figure;
use super::figure_scene::{
    FigureTargets, PartSurface, TextureSlot, places_at_rest, to_model, weights_at_rest,
};
use super::game_files::GameFiles;
use super::mmp::{Mmp, Tolerance};
use super::res;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::{self, VfsError};

/// Where a figure is looked at from.
const VIEW_FROM: [f32; 3] = [0.80, -0.50, 0.33];

/// A complection that shows units half-way between their extreme states. Of other figures the first state is what
/// the game shows in most places: there the three numbers are something else, such as how far a lid stands open.
const OF_UNITS: [f32; 3] = [0.5; 3];

/// A figure, and what it wears.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureFile {
    /// As requested.
    pub path: PathBuf,
    /// The figure.
    pub figure: Figure,
    /// Its first texture and, where it has one, its second, with their names; without a second the first serves.
    pub skins: Vec<(String, Mmp)>,
    /// Dexterity, strength, height of the scene.
    pub complection: [f32; 3],
    /// What it had to do without, and what was tolerated.
    pub findings: Vec<Finding>,
}

impl FigureFile {
    /// Whether a path leads to a figure rather than to a model of another game: it is, or leads into, an archive of
    /// this one.
    pub fn is_figure(path: &Path) -> bool {
        let file = path.ancestors().find(|it| it.is_file());
        file.is_some_and(|file| starts_with_magic(file).unwrap_or(false))
    }

    /// Opens a figure: what [`Figure::open`] takes, or a name that is looked up in `assets`, which are folders of a
    /// game and archives. Textures are looked for beside the figure, in its archive and in the game: those named first,
    /// one for each slot, else what suits the figure, else what objects of
    /// the game's maps wear that have it. `complection` is what the scene shows; `None` is what suits it.
    ///
    /// # Errors
    /// There is no such figure, or it is no archive.
    pub fn open(
        path: &Path,
        assets: &[PathBuf],
        textures: &[String],
        complection: Option<[f32; 3]>,
    ) -> Result<Self, VfsError> {
        let (path, figure) = open_figure(path, assets)?;
        let mut findings = figure.findings.clone();
        let skins = open_skins(&path, &figure.name, assets, textures, &mut findings)?;
        let is_unit = figure.name.to_ascii_lowercase().starts_with("un");
        let own = if is_unit { OF_UNITS } else { [0.0; 3] };
        Ok(Self {
            complection: complection.unwrap_or(own),
            path,
            figure,
            skins,
            findings,
        })
    }

    /// What the checks of the figure's files and its textures find, each by name.
    pub fn check(&self) -> Vec<Finding> {
        let parts = self.figure.parts.iter();
        let parts = parts.flat_map(|part| {
            let of_mesh = part.fig.iter().flat_map(|fig| fig.check());
            let of_place = part.bon.iter().flat_map(|bon| bon.check());
            of_mesh.chain(of_place).map(|it| it.in_part(&part.name))
        });
        let animations = self.figure.animations.iter().flat_map(|animation| {
            let parts = self.figure.parts.iter().zip(&animation.parts);
            parts.flat_map(|(part, anm)| {
                let name = format!("{}/{}", animation.name, part.name);
                let found = anm.iter().flat_map(|anm| anm.check());
                found.map(move |it| it.in_part(&name))
            })
        });
        let skins = self.skins.iter();
        let skins =
            skins.flat_map(|(name, mmp)| mmp.check().into_iter().map(|it| it.in_part(name)));
        let table = self.figure.adb.iter().flat_map(Adb::check);
        let table = table.map(|it| it.in_part(&format!("{}.adb", self.figure.name)));
        parts.chain(animations).chain(skins).chain(table).collect()
    }

    /// The morph targets of the scene's model: all of them.
    pub fn targets(&self) -> FigureTargets {
        FigureTargets::new(&self.figure, |_, _| true)
    }

    /// The figure alone, at the origin, with light and nothing else, and what cannot be shown of it.
    pub fn to_scene(&self) -> (Scene, Vec<Finding>) {
        let mut findings = Vec::new();
        let textures = self.textures(&mut findings);
        let mut materials = Vec::new();
        let mut surfaces: Vec<PartSurface> = Vec::new();
        let mut model = to_model(&self.figure, &self.targets(), &mut |surface| {
            let known = surfaces.iter().position(|it| *it == surface);
            let index = known.unwrap_or_else(|| {
                let index = surfaces.len();
                surfaces.push(surface);
                materials.push(material(surface, textures.len()));
                index
            });
            MaterialIdx(index as u32)
        });
        model.name.clone_from(&self.figure.name);
        let spawn = Spawn::model_view(model.bounds.center, model.bounds.radius, VIEW_FROM);
        let scene = Scene {
            name: self.figure.name.clone(),
            textures,
            materials,
            models: vec![model],
            instances: vec![Instance {
                name: self.figure.name.clone(),
                model: ModelIdx(0),
                parent_from_nodes: places_at_rest(&self.figure, self.complection),
                morph: weights_at_rest(self.complection),
                ..Instance::default()
            }],
            sun: sun(),
            spawns: vec![spawn],
            ..Scene::default()
        };
        (scene, findings)
    }

    fn textures(&self, findings: &mut Vec<Finding>) -> Vec<Texture> {
        let mut textures = Vec::new();
        for (name, mmp) in &self.skins {
            match mmp.to_texture(name, Addressing::Repeat) {
                Ok(texture) => textures.push(texture),
                Err(error) => findings
                    .push(Finding::new(Severity::Warning, "mmp", error.to_string()).in_part(name)),
            }
        }
        textures
    }
}

/// The figure and the path that led to it.
fn open_figure(path: &Path, assets: &[PathBuf]) -> Result<(PathBuf, Figure), VfsError> {
    let first = Figure::open(path);
    let error = match first {
        Ok(figure) => return Ok((path.to_owned(), figure)),
        Err(error) => error,
    };
    let is_name = path.components().count() == 1 && !path.exists();
    for root in assets.iter().filter(|_| is_name) {
        let in_root = root.join(path);
        if let Ok(figure) = Figure::open(&in_root) {
            return Ok((in_root, figure));
        }
    }
    Err(error)
}

/// At most two textures: one for each slot.
fn open_skins(
    path: &Path,
    figure: &str,
    assets: &[PathBuf],
    named: &[String],
    findings: &mut Vec<Finding>,
) -> Result<Vec<(String, Mmp)>, VfsError> {
    let archive = path.ancestors().skip(1).find(|it| it.is_file());
    let places: Vec<_> = archive
        .map(Path::to_owned)
        .into_iter()
        .chain(assets.iter().cloned())
        .collect();
    let there = path
        .ancestors()
        .find(|it| it.exists() && !it.as_os_str().is_empty());
    let files = GameFiles::from_zone(there.unwrap_or(Path::new(".")), &places)?;
    let mut open = |name: &str| -> Result<Option<(String, Mmp)>, VfsError> {
        let Some(data) = files.texture(name)? else {
            return Ok(None);
        };
        match Mmp::read_within(&data, Tolerance::all(), files.budget()) {
            Ok(mmp) => Ok(Some((name.to_owned(), mmp))),
            Err(error) => {
                let finding = Finding::new(Severity::Warning, "mmp", error.to_string());
                findings.push(finding.in_part(name));
                Ok(None)
            }
        }
    };
    let first: Vec<_> = match named.first() {
        Some(name) => vec![&**name],
        None => skins::first(figure).collect(),
    };
    let mut skins = Vec::new();
    for name in first {
        if skins.is_empty() {
            skins.extend(open(name)?);
        }
    }
    if skins.is_empty()
        && named.is_empty()
        && let Some((first, second)) = worn::on_maps(&files, figure)
    {
        skins.extend(open(&first)?);
        if let Some(second) = second.filter(|_| !skins.is_empty()) {
            skins.extend(open(&second)?);
        }
    }
    let second = named.get(1).map(|name| &**name);
    let second = second.or_else(|| skins::second(figure).filter(|_| named.is_empty()));
    if let Some(name) = second.filter(|_| !skins.is_empty()) {
        skins.extend(open(name)?);
    }
    let n_missing = named.len().saturating_sub(skins.len());
    if skins.is_empty() || n_missing > 0 {
        let message = match named {
            [] => format!("no texture that suits {figure} is there; it is shown without"),
            named => format!(
                "of the textures {}, {n_missing} cannot be found",
                named.join(", ")
            ),
        };
        findings.push(Finding::new(Severity::Warning, "figure", message));
    }
    Ok(skins)
}

fn material(surface: PartSurface, n_textures: usize) -> Material {
    let wanted = match surface.texture {
        TextureSlot::Primary => 0,
        TextureSlot::Secondary => 1,
    };
    let texture = n_textures
        .checked_sub(1)
        .map(|last| wanted.min(last as u32));
    let PartSurface {
        group,
        texture: slot,
    } = surface;
    Material {
        name: format!("group {group}, {slot:?} texture"),
        passes: vec![surface.pass(texture.map(TextureIdx))],
    }
}

/// From the front, the left and above, so that shapes show (dossier section 12.4 knows no other direction).
fn sun() -> Sun {
    Sun {
        direction_to_sun: [0.5, 0.35, 0.793],
        color: [0.75; 3],
        ambient: [0.45; 3],
        counter: [0.0; 3],
    }
}

fn starts_with_magic(file: &Path) -> Result<bool, VfsError> {
    let magic = vfs::read_head(file, res::MAGIC.len() as u64)?;
    Ok(magic == res::MAGIC)
}
