//! From rows of the material tables to materials and textures (dossier sections 4.4 and 9.6).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::{FORMAT, optional};
use crate::bytes::{Finding, Severity};
use crate::parkan::land_msh::{Face, NO_OVERLAY};
use crate::parkan::mat0::Mat0;
use crate::parkan::nres::{Entry, NRes};
use crate::parkan::texm::{Texm, palette_bank};
use crate::parkan::text::decode_cp1251;
use crate::parkan::wear::Wear;
use crate::vfs::Vfs;

const MATERIAL_LIB: &str = "Material.lib";
const TEXTURE_LIB: &str = "Textures.lib";
/// Stands in for materials that are not found.
const DEFAULT: &[u8] = b"DEFAULT";
/// Our name for the material of the microtexture; the original's is unknown (Q-M6), and no retail library
/// has this one.
const MICROTEXTURE: &[u8] = b"MICROTEX";

/// The materials of a level, each once, and the rows that name them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelMaterials {
    /// The materials.
    pub materials: Vec<LevelMaterial>,
    /// The textures that they name.
    pub textures: Vec<LevelTexture>,
    /// Index of the material of each row of `Land2.wea`, and of each row that a face names beyond it.
    pub base_rows: BTreeMap<u8, usize>,
    /// Index of the material of each row of `Land1.wea`. A row that a face names beyond it has no overlay.
    pub overlay_rows: BTreeMap<u8, usize>,
    /// Index of the microtexture's material, if the level has one.
    pub microtexture: Option<usize>,
}

/// A material as a row names it.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelMaterial {
    /// Name in the row, decoded; the material may be another where that one is missing.
    pub name: String,
    /// The material.
    pub mat0: Mat0,
    /// Index of the texture of its first phase; `None` where it is meant to have none.
    pub texture: Option<usize>,
}

/// A texture as a material names it.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTexture {
    /// Name in the material, decoded.
    pub name: String,
    /// The texture; `None` where it is missing or broken.
    pub texm: Option<Texm>,
}

impl LevelMaterials {
    /// Resolves all rows of both tables, and the rows that faces name beyond them.
    pub(super) fn resolve(
        vfs: &Vfs,
        faces: &[Face],
        base: Option<&Wear>,
        overlay: Option<&Wear>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut resolver = Resolver {
            material_lib: open_library(vfs, MATERIAL_LIB, findings),
            texture_lib: None,
            vfs,
            by_name: HashMap::new(),
            textures_by_name: HashMap::new(),
            out: Self::default(),
            findings,
        };
        resolver.out.base_rows = resolver.rows(base);
        resolver.out.overlay_rows = resolver.rows(overlay);
        resolver.rows_beyond_the_tables(faces);
        if resolver.has_material(MICROTEXTURE) {
            resolver.out.microtexture = Some(resolver.material(MICROTEXTURE));
        }
        resolver.out
    }

    /// What the checks of all materials and textures find.
    pub(super) fn check(&self) -> Vec<Finding> {
        let materials = self.materials.iter().flat_map(|material| {
            let findings = material.mat0.check().into_iter();
            findings.map(|finding| named(&material.name, finding))
        });
        let textures = self.textures.iter().flat_map(|texture| {
            let findings = texture.texm.iter().flat_map(Texm::check);
            findings.map(|finding| named(&texture.name, finding))
        });
        materials.chain(textures).collect()
    }
}

fn named(name: &str, mut finding: Finding) -> Finding {
    finding.message = format!("{name}: {}", finding.message);
    finding
}

struct Resolver<'a> {
    vfs: &'a Vfs,
    /// `None` if there is none, which has been said.
    material_lib: Option<Arc<NRes>>,
    /// Opened for the first texture; inside, `None` if there is none, which has been said.
    texture_lib: Option<Option<Arc<NRes>>>,
    /// Materials and textures by their folded names.
    by_name: HashMap<Vec<u8>, usize>,
    textures_by_name: HashMap<Vec<u8>, usize>,
    out: LevelMaterials,
    findings: &'a mut Vec<Finding>,
}

impl Resolver<'_> {
    fn rows(&mut self, wear: Option<&Wear>) -> BTreeMap<u8, usize> {
        let rows = wear.into_iter().flat_map(|wear| &wear.materials);
        // Faces name rows by one byte; the rows after 255 cannot be meant.
        (0..=u8::MAX)
            .zip(rows)
            .map(|(row, wear_row)| (row, self.material(&wear_row.name)))
            .collect()
    }

    /// Base rows beyond the table are `DEFAULT`; overlay rows beyond it are left out, since `DEFAULT` over
    /// everything would hide the base, which is known.
    fn rows_beyond_the_tables(&mut self, faces: &[Face]) {
        let base: BTreeSet<u8> = faces.iter().map(|face| face.base_material).collect();
        let missing: Vec<u8> = base
            .into_iter()
            .filter(|row| !self.out.base_rows.contains_key(row))
            .collect();
        self.warn_of_rows("base", &missing, "Land2.wea; DEFAULT is used");
        for row in missing {
            let default = self.material(DEFAULT);
            self.out.base_rows.insert(row, default);
        }
        let overlay: BTreeSet<u8> = faces.iter().map(|face| face.overlay_material).collect();
        let missing: Vec<u8> = overlay
            .into_iter()
            .filter(|row| *row != NO_OVERLAY && !self.out.overlay_rows.contains_key(row))
            .collect();
        self.warn_of_rows("overlay", &missing, "Land1.wea; not drawn");
    }

    /// One finding for all rows: without a table they are as many as it had.
    fn warn_of_rows(&mut self, layer: &str, rows: &[u8], table_and_instead: &str) {
        match rows {
            [] => {}
            [row] => self.warn(format!(
                "{layer} material row {row} is not in {table_and_instead}"
            )),
            [first, .., last] => self.warn(format!(
                "{} {layer} material rows, {first} to {last}, are not in {table_and_instead}",
                rows.len()
            )),
        }
    }

    fn has_material(&self, name: &[u8]) -> bool {
        let lib = self.material_lib.as_ref();
        lib.is_some_and(|lib| lib.find(name).is_some())
    }

    /// The material of that name, else `DEFAULT`, else the library's first, else a plain white one.
    fn material(&mut self, name: &[u8]) -> usize {
        let key = name.to_ascii_lowercase();
        if let Some(known) = self.by_name.get(&key) {
            return *known;
        }
        let mat0 = self.find_material(name);
        let phase = mat0.phases.first();
        let texture = phase
            .map(|phase| phase.texture_name())
            .filter(|name| !name.is_empty())
            .map(|name| self.texture(name));
        let idx = self.out.materials.len();
        self.out.materials.push(LevelMaterial {
            name: decode_cp1251(name).into_owned(),
            mat0,
            texture,
        });
        self.by_name.insert(key, idx);
        idx
    }

    fn find_material(&mut self, name: &[u8]) -> Mat0 {
        let Some(lib) = self.material_lib.clone() else {
            return plain_white();
        };
        let named = |name: &[u8]| lib.find(name).and_then(|idx| lib.entries.get(idx));
        let text = decode_cp1251(name);
        match named(name) {
            Some(entry) => match read_material(entry) {
                Ok(mat0) => return mat0,
                Err(why) => self.warn(format!("Material {text} is broken: {why}")),
            },
            None => self.warn(format!("Material {text} not found.")),
        }
        let stand_ins = named(DEFAULT).into_iter().chain(lib.entries.first());
        let mut readable = stand_ins.filter_map(|entry| read_material(entry).ok());
        readable.next().unwrap_or_else(plain_white)
    }

    fn texture(&mut self, name: &[u8]) -> usize {
        let key = name.to_ascii_lowercase();
        if let Some(known) = self.textures_by_name.get(&key) {
            return *known;
        }
        let texm = self.find_texture(name);
        let idx = self.out.textures.len();
        self.out.textures.push(LevelTexture {
            name: decode_cp1251(name).into_owned(),
            texm,
        });
        self.textures_by_name.insert(key, idx);
        idx
    }

    fn find_texture(&mut self, name: &[u8]) -> Option<Texm> {
        if let Err(error) = palette_bank(name) {
            self.warn(error.to_string());
            return None;
        }
        let lib = match &self.texture_lib {
            Some(lib) => lib.clone(),
            None => {
                let lib = open_library(self.vfs, TEXTURE_LIB, self.findings);
                self.texture_lib.insert(lib).clone()
            }
        }?;
        let text = decode_cp1251(name);
        let Some(entry) = lib.find(name).and_then(|idx| lib.entries.get(idx)) else {
            self.warn(format!("Texture {text} not found."));
            return None;
        };
        match read_texture(entry) {
            Ok(texm) => Some(texm),
            Err(why) => {
                self.warn(format!("Texture {text} is broken: {why}"));
                None
            }
        }
    }

    fn warn(&mut self, message: String) {
        self.findings
            .push(Finding::new(Severity::Warning, FORMAT, message));
    }
}

fn open_library(vfs: &Vfs, name: &str, findings: &mut Vec<Finding>) -> Option<Arc<NRes>> {
    optional(vfs.nres(name), findings)
}

fn read_material(entry: &Entry) -> Result<Mat0, String> {
    if entry.data.is_empty() {
        return Err("its entry is empty".to_owned());
    }
    Mat0::read(&entry.data, entry.attr2).map_err(|error| error.to_string())
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
        source_blend: 255,
        destination_blend: 255,
        alpha_multiplier: 1.0,
        emissive_intensity: 0.0,
        phases: Vec::new(),
        animations: Vec::new(),
    }
}
