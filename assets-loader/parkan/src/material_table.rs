//! From names in material tables to materials, textures and lightmaps, each once (dossier section 9.6).
//!
//! In: names of `Material.lib` and `LightMap.lib`, mostly rows of WEAR tables. Out: one [`MaterialTable`] for all
//! that is drawn together, and what the names did not lead to. A material that is not found is `DEFAULT`, else
//! the library's first, else plain white; a lightmap that is not found is none.
//!
//! Deliberately absent: which rows anything is drawn with, and what a material looks like
//! ([`super::material_scene`]).

#[cfg(test)]
mod tests;

use crate::game_files;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::findings::{missing_file, shown};
use super::mat0::Mat0;
use super::nres::{Entry, NRes};
use super::texm::{Texm, palette_bank};
use super::wear::{Wear, WearRow};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::Vfs;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan materials";
/// The library of materials.
pub const MATERIAL_LIB: &str = "Material.lib";
/// Stands in for materials that are not found.
pub(super) const DEFAULT: &[u8] = b"DEFAULT";
/// Bits 2 to 5 of a material's attr1: which blend mode.
const BLEND_SHIFT: u32 = 2;
const BLEND_MASK: u32 = 0xF;

/// Materials and the textures that they name, each once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MaterialTable {
    /// Each once, in the order of their first use.
    pub materials: Vec<TableMaterial>,
    /// Textures and lightmaps.
    pub textures: Vec<TableTexture>,
}

/// A material as a row names it.
#[derive(Debug, Clone, PartialEq)]
pub struct TableMaterial {
    /// Name in the row, decoded; the material may be another where that one is missing.
    pub name: String,
    /// Attr1 of its entry: how it is loaded and drawn.
    pub attr1: u32,
    /// The material; shared by all whose place it takes.
    pub mat0: Arc<Mat0>,
    /// For each of its phases the index of its texture; `None` where it is meant to have none. Shared likewise.
    pub textures: Arc<[Option<usize>]>,
}

/// How a surface joins what is drawn behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlendMode {
    /// Replaces it.
    Opaque,
    /// Covers it by its alpha: leaves, glass, smoke.
    Alpha,
    /// Is added to it, weighted by its alpha: light.
    Add,
    /// Multiplies it.
    Multiply,
    /// Multiplies it twice, so that middle gray changes nothing.
    Modulate2x,
}

/// A texture as a material names it, or a lightmap as a table names it.
#[derive(Debug, Clone, PartialEq)]
pub struct TableTexture {
    /// Name in the material or table, decoded.
    pub name: String,
    /// Which library it is in.
    pub kind: TextureKind,
    /// The texture; `None` where it is missing or broken.
    pub texm: Option<Texm>,
}

/// The two libraries of textures, which do not share names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// In `Textures.lib`.
    Surface,
    /// In `LightMap.lib`.
    Lightmap,
}

/// What the rows of a material table lead to, by row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WearRows {
    /// Index into [`MaterialTable::materials`].
    pub materials: Vec<usize>,
    /// Index into [`MaterialTable::textures`]; `None` for a lightmap that is missing. Empty without a
    /// LIGHTMAPS block.
    pub lightmaps: Vec<Option<usize>>,
}

/// What a name did not lead to, or what is left out of what it led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) concern: Concern,
    pub(super) message: String,
}

/// What a problem concerns. Those of materials and textures matter as much as their users do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concern {
    /// A whole library, and how bad that is.
    Library(Severity),
    /// Index into [`MaterialTable::materials`].
    Material(usize),
    /// Index into [`MaterialTable::textures`].
    Texture(usize),
    /// A lightmap; nothing stands in for it.
    Lightmap,
}

impl MaterialTable {
    /// What the checks of all materials and textures find. Fallbacks are reported once.
    pub fn check(&self) -> Vec<Finding> {
        let mut reported = HashSet::new();
        let materials = self.materials.iter();
        let materials = materials.filter(|material| reported.insert(material.look()));
        let materials = materials.flat_map(|material| {
            let findings = material.mat0.check().into_iter();
            findings.map(|finding| finding.in_part(&material.name))
        });
        let textures = self.textures.iter().flat_map(|texture| {
            let findings = texture.texm.iter().flat_map(Texm::check);
            findings.map(|finding| finding.in_part(&texture.name))
        });
        materials.chain(textures).collect()
    }
}

impl TableMaterial {
    /// What only those have in common whose material is one and the same.
    pub(super) fn look(&self) -> *const Mat0 {
        Arc::as_ptr(&self.mat0)
    }

    /// How the material joins what is behind it; `None` for a number that no known file has.
    pub fn blend_mode(&self) -> Option<BlendMode> {
        match (self.attr1 >> BLEND_SHIFT) & BLEND_MASK {
            0 => Some(BlendMode::Opaque),
            1 => Some(BlendMode::Alpha),
            2 => Some(BlendMode::Add),
            3 => Some(BlendMode::Multiply),
            4 => Some(BlendMode::Modulate2x),
            _ => None,
        }
    }
}

impl TextureKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Surface, Self::Lightmap];

    /// The archive that they lie in.
    pub const fn library(self) -> &'static str {
        match self {
            Self::Surface => "Textures.lib",
            Self::Lightmap => "LightMap.lib",
        }
    }
}

/// A material out of its library.
#[derive(Debug, Clone)]
struct FoundMaterial {
    mat0: Arc<Mat0>,
    attr1: u32,
    textures: Arc<[Option<usize>]>,
}

/// A material in place of others. It may be large and they may be many, so that all share it.
#[derive(Debug, Clone)]
struct StandIn {
    /// What it is, for a sentence.
    what: &'static str,
    material: FoundMaterial,
}

/// Fills a [`MaterialTable`]. Libraries are opened when a name first leads to them.
pub struct MaterialResolver<'a> {
    vfs: &'a Vfs,
    /// By file name; `None` if there is none, which has been said.
    libraries: HashMap<&'static str, Option<Arc<NRes>>>,
    /// Materials and textures by their folded names.
    known_materials: HashMap<String, usize>,
    known_textures: HashMap<(TextureKind, String), Option<usize>>,
    /// What is drawn instead of a missing material, once one is missing.
    stand_in: Option<StandIn>,
    table: MaterialTable,
    problems: Vec<Problem>,
}

impl<'a> MaterialResolver<'a> {
    /// A resolver with an empty table; `vfs` sees the game's root.
    pub fn new(vfs: &'a Vfs) -> Self {
        Self {
            vfs,
            libraries: HashMap::new(),
            known_materials: HashMap::new(),
            known_textures: HashMap::new(),
            stand_in: None,
            table: MaterialTable::default(),
            problems: Vec::new(),
        }
    }

    /// Index of the material of that name, else of its fallback.
    pub fn material(&mut self, name: &[u8]) -> usize {
        let name_text = decode_cp1251(name);
        let key = fold(&name_text);
        if let Some(known) = self.known_materials.get(&key) {
            return *known;
        }
        let idx = self.table.materials.len();
        let FoundMaterial {
            mat0,
            attr1,
            textures,
        } = self.find_material(name, idx);
        self.table.materials.push(TableMaterial {
            name: name_text.into_owned(),
            attr1,
            mat0,
            textures,
        });
        self.known_materials.insert(key, idx);
        idx
    }

    /// Index of the lightmap of that name among the textures; `None` if it is missing or broken.
    pub fn lightmap(&mut self, name: &[u8]) -> Option<usize> {
        let name_text = decode_cp1251(name);
        let key = (TextureKind::Lightmap, fold(&name_text));
        if let Some(known) = self.known_textures.get(&key) {
            return *known;
        }
        let found = match self.find_texture(TextureKind::Lightmap, name) {
            Ok(texm) => texm.map(|texm| self.add_texture(&key, &name_text, Some(texm))),
            Err(why) => {
                self.problem(Concern::Lightmap, format!("LightMap {name_text} {why}"));
                None
            }
        };
        self.known_textures.insert(key, found);
        found
    }

    /// All rows of a material table.
    pub fn wear(&mut self, wear: &Wear) -> WearRows {
        let lightmaps = wear.lightmaps.iter().flatten();
        WearRows {
            materials: self.rows(&wear.materials),
            lightmaps: lightmaps.map(|row| self.lightmap(&row.name)).collect(),
        }
    }

    /// Index of the material of each row.
    pub fn rows(&mut self, rows: &[WearRow]) -> Vec<usize> {
        rows.iter().map(|row| self.material(&row.name)).collect()
    }

    /// The table, and what its names did not lead to: each once, however many rows name it.
    pub fn finish(self) -> (MaterialTable, Vec<Finding>) {
        let problems = self.problems.into_iter().map(|problem| {
            let severity = match problem.concern {
                Concern::Library(severity) => severity,
                Concern::Material(_) | Concern::Texture(_) | Concern::Lightmap => Severity::Warning,
            };
            Finding::new(severity, FORMAT, problem.message)
        });
        (self.table, problems.collect())
    }

    /// As [`Self::finish`], for who knows better what matters.
    pub(super) fn into_problems(self) -> (MaterialTable, Vec<Problem>) {
        (self.table, self.problems)
    }

    /// The material of that name or its stand-in. Problems are those of material `idx`.
    fn find_material(&mut self, name: &[u8], idx: usize) -> FoundMaterial {
        let Some(library) = self.library(MATERIAL_LIB) else {
            return self.stand_in(None).material;
        };
        let entry = library.find(name).and_then(|idx| library.entries.get(idx));
        let text = shown(name);
        let why = match entry.map(read_material) {
            Some(Ok((mat0, attr1))) => {
                if let Err(problem) = mat0.first_track() {
                    let message = format!("Material {text}, track 0: {problem}; it stands still");
                    self.problem(Concern::Material(idx), message);
                }
                return self.with_textures(mat0, attr1, &text);
            }
            Some(Err(why)) => format!("is broken: {why}"),
            None => "not found".to_owned(),
        };
        let StandIn { what, material } = self.stand_in(Some(&library));
        let message = format!("Material {text} {why}; {what} is drawn instead");
        self.problem(Concern::Material(idx), message);
        material
    }

    /// What is drawn instead of what is missing, looked for once.
    fn stand_in(&mut self, library: Option<&NRes>) -> StandIn {
        if let Some(known) = &self.stand_in {
            return known.clone();
        }
        let entries = library.into_iter().flat_map(|library| {
            let default = library.find(DEFAULT);
            let default = default.map(|idx| ("DEFAULT", idx));
            let first = ("the first material", 0);
            let candidates = default.into_iter().chain([first]);
            candidates.filter_map(|(what, idx)| Some((what, library.entries.get(idx)?)))
        });
        let mut readable = entries.filter_map(|(what, entry)| {
            let (mat0, attr1) = read_material(entry).ok()?;
            Some((what, mat0, attr1))
        });
        let (what, mat0, attr1) = (readable.next()).unwrap_or(("plain white", plain_white(), 0));
        let stand_in = StandIn {
            what,
            material: self.with_textures(mat0, attr1, what),
        };
        self.stand_in = Some(stand_in.clone());
        stand_in
    }

    fn with_textures(&mut self, mat0: Mat0, attr1: u32, name: &str) -> FoundMaterial {
        let phases = mat0.phases.iter();
        let textures = phases.map(|phase| match phase.texture_name() {
            b"" => None,
            texture => Some(self.texture(texture, name)),
        });
        FoundMaterial {
            textures: textures.collect(),
            attr1,
            mat0: Arc::new(mat0),
        }
    }

    fn texture(&mut self, name: &[u8], material: &str) -> usize {
        let name_text = decode_cp1251(name);
        let key = (TextureKind::Surface, fold(&name_text));
        if let Some(Some(known)) = self.known_textures.get(&key) {
            return *known;
        }
        let concern = Concern::Texture(self.table.textures.len());
        let found = match palette_bank(name) {
            Ok(_) => self
                .find_texture(TextureKind::Surface, name)
                .map_err(|why| format!("Texture {name_text} of material {material} {why}")),
            Err(error) => Err(format!("Material {material}: {error}")),
        };
        let texm = found.unwrap_or_else(|message| {
            self.problem(concern, message);
            None
        });
        let idx = self.add_texture(&key, &name_text, texm);
        self.known_textures.insert(key, Some(idx));
        idx
    }

    fn add_texture(
        &mut self,
        (kind, _): &(TextureKind, String),
        name: &str,
        texm: Option<Texm>,
    ) -> usize {
        let idx = self.table.textures.len();
        self.table.textures.push(TableTexture {
            name: name.to_owned(),
            kind: *kind,
            texm,
        });
        idx
    }

    /// The texture, nothing without a library, or what is wrong with it.
    fn find_texture(&mut self, kind: TextureKind, name: &[u8]) -> Result<Option<Texm>, String> {
        let Some(library) = self.library(kind.library()) else {
            return Ok(None);
        };
        let entry = library.find(name).and_then(|idx| library.entries.get(idx));
        let entry = entry.ok_or("not found")?;
        let texm = read_texture(entry).map_err(|why| format!("is broken: {why}"))?;
        Ok(Some(texm))
    }

    fn library(&mut self, name: &'static str) -> Option<Arc<NRes>> {
        if let Some(known) = self.libraries.get(name) {
            return known.clone();
        }
        let library = match game_files::nres(self.vfs, name) {
            Ok(library) => Some(library),
            Err(error) => {
                let Finding {
                    severity, message, ..
                } = missing_file(FORMAT, &error);
                self.problem(Concern::Library(severity), message);
                None
            }
        };
        self.libraries.insert(name, library.clone());
        library
    }

    fn problem(&mut self, concern: Concern, message: String) {
        self.problems.push(Problem { concern, message });
    }
}

/// Names compare without regard to ASCII case. Decoding CP1251 keeps different names different.
fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

fn read_material(entry: &Entry) -> Result<(Mat0, u32), String> {
    if entry.data.is_empty() {
        return Err("its entry is empty".to_owned());
    }
    let mat0 = Mat0::read(&entry.data, entry.attr2).map_err(|error| error.to_string())?;
    Ok((mat0, entry.attr1))
}

fn read_texture(entry: &Entry) -> Result<Texm, String> {
    if entry.data.is_empty() {
        return Err("its entry is empty".to_owned());
    }
    Texm::read(&entry.data).map_err(|error| error.to_string())
}

/// What a material without phases is drawn as, too.
fn plain_white() -> Mat0 {
    Mat0 {
        version: 6,
        class: 0xFF,
        unknown_05: 0xFF,
        speed_factor: 1.0,
        damage_per_sec: 0.0,
        phases: Vec::new(),
        tracks: Vec::new(),
    }
}
