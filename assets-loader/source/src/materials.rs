//! Materials and textures of the game as those of a scene. Dossier sections 4.7, 10.2, 10.3 and 11.5.
//!
//! In: names as maps and models spell them, and what light falls on the surface. Out: [`Material`]s of passes and
//! [`Texture`]s, each made once; what is missing is a finding, once.

mod effects;
mod eyes;
mod layers;
mod passes;
mod probes;
mod proxies;
mod refracting;
mod sprites;
#[cfg(test)]
mod tests;
mod texture_file;
mod textures;

use std::collections::HashMap;
use std::rc::Rc;

use ironlands_scene::{Material, MaterialIdx, Pass, Texture, TextureIdx};

pub use self::layers::CHANNELS;
pub use self::passes::{SurfaceLight, Tint};
pub use self::probes::Probes;
pub use self::sprites::{Sprite, SpriteSequences};
use self::textures::{LINEAR_SUFFIX, Textures};
use super::game_files::GameFiles;
use super::missing_files::{MissingFiles, MissingKind};
use super::vmt::{EnvmapSource, LightRange, Look, Transform, Vmt, VmtError, material_path};
use ironlands_assets_core::bytes::{Finding, Severity};

/// What findings of this module name as their format.
const FORMAT: &str = "source material";

/// Light of a level that does not know its own: half of what makes a white surface white.
const MEAN_LIGHT: f32 = 0.5;

/// All materials and textures that a scene needs, as far as they have been requested.
#[derive(Debug)]
pub struct Materials<'a> {
    files: &'a GameFiles,
    range: LightRange,
    /// How bright a white surface is in the light of the level, display space.
    white: f32,
    probes: Probes,
    looks: HashMap<String, Option<Rc<Look>>>,
    textures: Textures<'a>,
    materials: Vec<Material>,
    by_key: HashMap<MaterialKey, MaterialIdx>,
    findings: Vec<Finding>,
    /// Materials that are nowhere.
    missing: MissingFiles,
    /// By path of a material the missing file: itself, or one that it includes.
    missing_file_of: HashMap<String, String>,
}

/// All that was requested, and what it had to do without.
#[derive(Debug)]
pub struct MadeMaterials {
    /// Textures of the scene.
    pub textures: Vec<Texture>,
    /// Materials of the scene.
    pub materials: Vec<Material>,
    /// Materials and textures that are nowhere.
    pub missing: MissingFiles,
    /// What is wrong with those that are there.
    pub findings: Vec<Finding>,
}

/// A surface that needs a material.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Surface {
    /// Name of the material as a map or model spells it.
    pub name: String,
    /// What light falls on it.
    pub light: SurfaceLight,
    /// What an entity makes of it.
    pub tint: Tint,
    /// Average color where there is no texture: display space, 0 to 255.
    pub fallback: [u8; 3],
    /// Whether it is a surface of water, whatever its material says.
    pub is_water: bool,
    /// Whether it lies on another surface.
    pub is_overlay: bool,
    /// Whether its vertices fade to a blend texture.
    pub fades: bool,
    /// Whether it is of a model, whose coordinates are as the material has them.
    pub is_model: bool,
    /// Whether light passes through it, whatever its material says.
    pub is_seen_through: bool,
    /// Whether the second UV set lays the picture of an iris.
    pub is_eye: bool,
    /// Number of the cubemap that it mirrors, if its material takes the nearest one: that of [`Materials::probe_at`].
    pub probe: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum MaterialKey {
    Surface(Surface),
    Detail(String),
}

impl<'a> Materials<'a> {
    /// None yet.
    pub fn new(files: &'a GameFiles, range: LightRange) -> Self {
        Self {
            files,
            range,
            white: display_from_linear(MEAN_LIGHT),
            probes: Probes::default(),
            looks: HashMap::new(),
            textures: Textures::new(files),
            materials: Vec::new(),
            by_key: HashMap::new(),
            findings: Vec::new(),
            missing: MissingFiles::default(),
            missing_file_of: HashMap::new(),
        }
    }

    /// The same for a level with this light on the mean surface, linear.
    pub fn in_light(self, light: [f32; 3]) -> Self {
        let brightest = light.into_iter().fold(0.0, f32::max);
        Self {
            white: display_from_linear(brightest.min(1.0)),
            ..self
        }
    }

    /// The same for a level with these cubemaps.
    pub fn with_probes(self, probes: Probes) -> Self {
        Self { probes, ..self }
    }

    /// Number of the cubemap that a surface with this material mirrors at a place; `None` if it mirrors none, or always the
    /// same.
    pub fn probe_at(&mut self, name: &str, place: [f32; 3]) -> Option<usize> {
        let look = self.look(name)?;
        let takes_nearest = look.envmap.as_ref()?.source == EnvmapSource::Nearest;
        takes_nearest.then(|| self.probes.nearest(place)).flatten()
    }

    /// What a material looks like; `None` if it is missing or broken.
    pub fn look(&mut self, name: &str) -> Option<Rc<Look>> {
        let path = material_path(name);
        if let Some(look) = self.looks.get(&path) {
            return look.clone();
        }
        let look = match Vmt::load(self.files, name) {
            Ok(vmt) => Some(Rc::new(vmt.look(self.range))),
            Err(VmtError::Missing { name }) => {
                self.missing.add(&*name, MissingKind::Material);
                self.missing_file_of.insert(path.clone(), name);
                None
            }
            Err(error) => {
                let message = format!("{path}: {error}");
                let finding = Finding::new(Severity::Warning, FORMAT, message);
                self.findings.push(finding);
                None
            }
        };
        self.looks.insert(path, look.clone());
        look
    }

    /// What a material looks like that was looked at before.
    pub fn known_look(&self, name: &str) -> Option<&Look> {
        self.looks.get(&material_path(name))?.as_deref()
    }

    /// The first of some materials that is there; none of them is a finding if it is not.
    pub fn first_there(&mut self, names: &[String]) -> Option<String> {
        let is_there = |name: &&String| {
            let found = self.files.open(&material_path(name));
            matches!(found, Ok(Some(_)))
        };
        names.iter().find(is_there).cloned()
    }

    /// Whether a material uses light from three directions: it has a normal map.
    pub fn has_normal_map(&mut self, name: &str) -> bool {
        let Some(look) = self.look(name) else {
            return false;
        };
        let is_lit = passes::takes_lightmap(&look);
        is_lit && passes::normal_map(&look, &mut self.textures).is_some()
    }

    /// How the textures of a material are laid.
    pub fn transform(&mut self, name: &str) -> Transform {
        self.look(name)
            .map_or(Transform::IDENTITY, |look| look.base_transform)
    }

    /// The material of a surface; `None` if nothing is drawn.
    pub fn surface(&mut self, surface: Surface) -> Option<MaterialIdx> {
        let look = self.look(&surface.name);
        if surface.is_water {
            self.name_missing(&surface.name, MissingKind::Water);
        }
        if look.as_ref().is_some_and(|look| look.no_draw) {
            return None;
        }
        let key = MaterialKey::Surface(surface.clone());
        if let Some(known) = self.by_key.get(&key) {
            return Some(*known);
        }
        let level = passes::Level {
            white: self.white,
            environment: look
                .as_deref()
                .and_then(|it| self.environment(it, &surface)),
        };
        let passes = passes::of_surface(look.as_deref(), &surface, &mut self.textures, level);
        Some(self.add(key, surface.name, passes))
    }

    /// What a surface mirrors: of what was taken in both ranges of light that of the level's own, if it is there.
    fn environment(&mut self, look: &Look, surface: &Surface) -> Option<TextureIdx> {
        let names = match &look.envmap.as_ref()?.source {
            EnvmapSource::Texture(name) => vec![name.clone()],
            EnvmapSource::Nearest => self.probes.names_of(surface.probe),
        };
        let in_range = names.into_iter().flat_map(|name| {
            let linear = format!("{name}{LINEAR_SUFFIX}");
            let linear = Some(linear).filter(|_| self.range == LightRange::Hdr);
            linear.into_iter().chain([name])
        });
        let names: Vec<_> = in_range.collect();
        self.textures.environment(&names)
    }

    /// The detail texture of a surface: a material for the same triangles, whose texture coordinates are those of the
    /// surface, transformed.
    pub fn detail(&mut self, name: &str) -> Option<(MaterialIdx, Transform)> {
        let look = self.look(name)?;
        let (pass, transform) = passes::detail(&look, &mut self.textures)?;
        let key = MaterialKey::Detail(name.to_ascii_lowercase());
        if let Some(known) = self.by_key.get(&key) {
            return Some((*known, transform));
        }
        let material = self.add(key, format!("{name} (detail)"), vec![pass]);
        Some((material, transform))
    }

    /// A picture of the sky: the texture of a material and how it is laid. The one in high range is taken for high
    /// range, and where there is no other.
    pub fn sky_picture(&mut self, name: &str) -> Option<(TextureIdx, Transform)> {
        let look = self.look(name);
        self.name_missing(name, MissingKind::Sky);
        let look = look?;
        let mut names = [
            look.base_texture.as_deref(),
            look.hdr_base_texture.as_deref(),
        ];
        if self.range == LightRange::Hdr {
            names.reverse();
        }
        let mut names = names.into_iter().flatten();
        let texture = names.find_map(|name| self.textures.sky(name))?;
        Some((texture, look.base_transform))
    }

    /// How wide and high a picture of a material is that is sprayed on a wall, in world units; `None` if its material or the
    /// texture of that is missing.
    pub fn decal_size(&mut self, name: &str) -> Option<[f32; 2]> {
        let scale = self.look(name)?.decal_scale;
        let size = self.sprite(name)?.size;
        Some(size.map(|side| side as f32 * scale))
    }

    /// Adds textures that are no files, one after the other; gives what the first one becomes.
    pub fn add_textures(&mut self, textures: impl IntoIterator<Item = Texture>) -> TextureIdx {
        let first = self.textures.next_index();
        for texture in textures {
            self.textures.add(texture);
        }
        first
    }

    /// All that was requested, and what was missing.
    pub fn finish(mut self) -> MadeMaterials {
        let (textures, findings) = self.textures.finish(&mut self.missing);
        self.findings.extend(findings);
        MadeMaterials {
            textures,
            materials: self.materials,
            missing: self.missing,
            findings: self.findings,
        }
    }

    /// Says what a material would have been, if it is missing.
    fn name_missing(&mut self, name: &str, kind: MissingKind) {
        if let Some(missing) = self.missing_file_of.get(&material_path(name)) {
            self.missing.add(&**missing, kind);
        }
    }

    fn add(&mut self, key: MaterialKey, name: String, passes: Vec<Pass>) -> MaterialIdx {
        // As many as there are surfaces in a file.
        let index = MaterialIdx(self.materials.len() as u32);
        self.materials.push(Material { name, passes });
        self.by_key.insert(key, index);
        index
    }
}

/// A linear color as it is shown, 0 to 1 and beyond (the sRGB curve).
pub fn display_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}
