//! Texture files as textures of a scene, each once.

use std::collections::{BTreeSet, HashMap};

use ironlands_scene::{Addressing, PixelFormat, Texture, TextureIdx};

use super::FORMAT;
use super::texture_file::{self, TextureError, open};
use crate::game_files::GameFiles;
use crate::missing_files::{MissingFiles, MissingKind};
use crate::vmt::texture_path;
use crate::vtf::{ImageFormat, SpriteSheet, TextureFlags, Vtf};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::unpack::Budget;

/// Most frames of a texture that are taken.
const MAX_FRAMES: u32 = 64;
/// The checker in place of a texture: pixels a side, pixels of a square, and how much darker every second square is.
const CHECKER_SIZE: u32 = 64;
const CHECKER_SQUARE: u32 = 32;
const CHECKER_SHADES: [u8; 2] = [255, 214];

/// Sides of a cubemap.
const N_SIDES: u32 = 6;
/// Names of cubemaps in high range end so.
pub(super) const LINEAR_SUFFIX: &str = ".hdr";

/// The textures so far.
#[derive(Debug)]
pub(super) struct Textures<'a> {
    files: &'a GameFiles,
    textures: Vec<Texture>,
    by_name: HashMap<(String, Use), Vec<TextureIdx>>,
    missing: BTreeSet<String>,
    findings: Vec<Finding>,
    checker: Option<TextureIdx>,
    /// Sheets of sprites by the paths of their textures.
    sheets: HashMap<String, Option<SpriteSheet>>,
    /// Cubemaps without a pixel that is not black.
    black_cubemaps: BTreeSet<String>,
}

/// What a texture is used for decides how it is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Surface,
    Sky,
    /// Six sides, as one texture.
    Environment,
}

impl<'a> Textures<'a> {
    pub(super) fn new(files: &'a GameFiles) -> Self {
        Self {
            files,
            textures: Vec::new(),
            by_name: HashMap::new(),
            missing: BTreeSet::new(),
            findings: Vec::new(),
            checker: None,
            sheets: HashMap::new(),
            black_cubemaps: BTreeSet::new(),
        }
    }

    /// A frame of a texture by the name that materials use; the last one where there are fewer.
    pub(super) fn surface(&mut self, name: &str, frame: u32) -> Option<TextureIdx> {
        let frames = self.load(name, Use::Surface);
        frames.get(frame as usize).or(frames.last()).copied()
    }

    /// All frames of a texture.
    pub(super) fn frames(&mut self, name: &str) -> Vec<TextureIdx> {
        self.load(name, Use::Surface)
    }

    /// Where the pictures of sprites lie in a texture, if it says so; what cannot be read is a finding.
    pub(super) fn sheet(&mut self, name: &str) -> Option<SpriteSheet> {
        let path = texture_path(name);
        if let Some(known) = self.sheets.get(&path) {
            return known.clone();
        }
        let texture = match open(self.files, &path) {
            Err(TextureError::File(_)) => Ok(None),
            texture => texture,
        };
        let read = |texture: Option<Vtf>| texture.map_or(Ok(None), |it| Ok(it.sheet()?));
        let sheet = texture.and_then(read).unwrap_or_else(|error| {
            self.warn(format!("{path}: {error}"));
            None
        });
        self.sheets.insert(path, sheet.clone());
        sheet
    }

    /// A picture of the sky: clamped, without smaller levels, bright if it is stored so.
    pub(super) fn sky(&mut self, name: &str) -> Option<TextureIdx> {
        self.load(name, Use::Sky).first().copied()
    }

    /// The first of some cubemaps that shows anything; of the last one it is reported if it is missing.
    pub(super) fn environment(&mut self, names: &[String]) -> Option<TextureIdx> {
        let (last, others) = names.split_last()?;
        for name in others {
            let is_there = texture_file::is_there(self.files, &texture_path(name));
            let shown = is_there.then(|| self.load(name, Use::Environment));
            if let Some([shown, ..]) = shown.as_deref() {
                return Some(*shown);
            }
        }
        self.load(last, Use::Environment).first().copied()
    }

    /// A faint checker for surfaces that have neither a texture nor light.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "squares of a small picture in two shades"
    )]
    pub(super) fn checker(&mut self) -> TextureIdx {
        if let Some(known) = self.checker {
            return known;
        }
        let pixel = |index: u32| {
            let (x, y) = (index % CHECKER_SIZE, index / CHECKER_SIZE);
            let is_dark = (x / CHECKER_SQUARE + y / CHECKER_SQUARE) % 2;
            let shade = CHECKER_SHADES[is_dark as usize];
            [shade, shade, shade, 255]
        };
        let checker = self.add(Texture {
            name: "checker".to_owned(),
            width: CHECKER_SIZE,
            height: CHECKER_SIZE,
            format: PixelFormat::Rgba8,
            n_layers: 1,
            mips: vec![(0..CHECKER_SIZE * CHECKER_SIZE).flat_map(pixel).collect()],
            addressing: Addressing::Repeat,
        });
        self.checker = Some(checker);
        checker
    }

    /// Width and height in pixels.
    pub(super) fn size_of(&self, texture: TextureIdx) -> Option<[u32; 2]> {
        let texture = self.textures.get(texture.0 as usize)?;
        Some([texture.width, texture.height])
    }

    /// What the next texture becomes.
    pub(super) fn next_index(&self) -> TextureIdx {
        // Each takes bytes of a file.
        TextureIdx(self.textures.len() as u32)
    }

    pub(super) fn add(&mut self, texture: Texture) -> TextureIdx {
        let index = self.next_index();
        self.textures.push(texture);
        index
    }

    /// All textures, and what is wrong with files that are there.
    pub(super) fn finish(mut self, missing: &mut MissingFiles) -> (Vec<Texture>, Vec<Finding>) {
        if let Some(first) = self.black_cubemaps.first() {
            let message = format!(
                "{} cubemaps are black, {first} among them: the map was never given any, and what would mirror them \
                 mirrors nothing",
                self.black_cubemaps.len()
            );
            let finding = Finding::new(Severity::Note, FORMAT, message);
            self.findings.push(finding);
        }
        for path in self.missing {
            missing.add(path, MissingKind::Texture);
        }
        (self.textures, self.findings)
    }

    fn load(&mut self, name: &str, usage: Use) -> Vec<TextureIdx> {
        let path = texture_path(name);
        let key = (path, usage);
        if let Some(known) = self.by_name.get(&key) {
            return known.clone();
        }
        let path = &key.0;
        let texture = open(self.files, path);
        let budget = self.files.budget();
        let of_texture = |vtf: Vtf| Ok(frames(&vtf, name, usage, budget)?);
        let frames = match texture.and_then(|vtf| vtf.map(of_texture).transpose()) {
            Ok(Some(frames)) => frames,
            Ok(None) => {
                self.missing.insert(path.clone());
                Vec::new()
            }
            Err(error) => {
                self.warn(format!("{path}: {error}"));
                Vec::new()
            }
        };
        let is_black = |texture: &Texture| usage == Use::Environment && is_black(texture);
        let n_stored = frames.len();
        let frames: Vec<_> = frames.into_iter().filter(|it| !is_black(it)).collect();
        if frames.len() < n_stored {
            self.black_cubemaps.insert(path.clone());
        }
        let frames: Vec<_> = frames.into_iter().map(|it| self.add(it)).collect();
        self.by_name.insert(key, frames.clone());
        frames
    }

    fn warn(&mut self, message: String) {
        let finding = Finding::new(Severity::Warning, FORMAT, message);
        self.findings.push(finding);
    }
}

fn frames(vtf: &Vtf, name: &str, usage: Use, budget: &Budget) -> Result<Vec<Texture>, FormatError> {
    let n_frames = match usage {
        Use::Surface => u32::from(vtf.n_frames).clamp(1, MAX_FRAMES),
        Use::Sky | Use::Environment => 1,
    };
    if usage == Use::Environment && !vtf.is_cubemap() {
        let r = Reader::new("vtf", &[]);
        return Err(r.unexpected("flags", "those of a cubemap", "those of a picture"));
    }
    let frame = |frame| frame_of(vtf, name, frame, usage, budget);
    (0..n_frames).map(frame).collect()
}

fn frame_of(
    vtf: &Vtf,
    name: &str,
    frame: u32,
    usage: Use,
    budget: &Budget,
) -> Result<Texture, FormatError> {
    let n_mips = match usage {
        Use::Surface | Use::Environment => u32::from(vtf.n_mips.max(1)),
        Use::Sky => 1,
    };
    let n_faces = if usage == Use::Environment {
        N_SIDES
    } else {
        1
    };
    // Bytes are of linear light where the name of a cubemap says so.
    let is_squeezed = usage == Use::Environment
        && name.ends_with(LINEAR_SUFFIX)
        && vtf.format == ImageFormat::Bgra8888;
    let is_bright = usage != Use::Surface && (is_bright(vtf) || is_squeezed);
    let has_whole_blocks = [vtf.width, vtf.height]
        .into_iter()
        .all(|side| side.is_multiple_of(4));
    let format = match vtf.blocks(0, frame, 0) {
        _ if is_bright => PixelFormat::Rgba16Float,
        Some((format, _)) if has_whole_blocks && vtf.depth <= 1 => format,
        _ => PixelFormat::Rgba8,
    };
    let mips = (0..n_mips).map(|mip| {
        let [width, height, depth] = vtf.mip_size(mip);
        let n_bytes = format.n_bytes([width, height]).saturating_mul(depth.into());
        let n_bytes = n_bytes.saturating_mul(n_faces.into());
        budget.spend(&Reader::new("vtf", &[]), "image", n_bytes)?;
        let mut level = Vec::new();
        for face in 0..n_faces {
            let mut pixels = match format {
                PixelFormat::Rgba8 => vtf.decode_rgba8(mip, frame, face)?,
                PixelFormat::Rgba16Float => vtf.decode_rgba16f(mip, frame, face)?,
                PixelFormat::Bc1 | PixelFormat::Bc2 | PixelFormat::Bc3 => {
                    let blocks = vtf.blocks(mip, frame, face);
                    blocks.map(|(_, bytes)| bytes.to_vec()).unwrap_or_default()
                }
            };
            // Of slices the first.
            pixels.truncate(usize::try_from(format.n_bytes([width, height])).unwrap_or(usize::MAX));
            level.append(&mut pixels);
        }
        Ok(level)
    });
    let is_clamped = vtf
        .flags
        .contains(TextureFlags::CLAMP_S | TextureFlags::CLAMP_T);
    Ok(Texture {
        name: name.to_owned(),
        width: vtf.width.into(),
        height: vtf.height.into(),
        format,
        n_layers: n_faces,
        mips: mips.collect::<Result<_, FormatError>>()?,
        addressing: match is_clamped || usage != Use::Surface {
            true => Addressing::Clamp,
            false => Addressing::Repeat,
        },
    })
}

/// Whether all of the largest level is black.
fn is_black(texture: &Texture) -> bool {
    let largest = texture.mips.first().map_or(&[][..], Vec::as_slice);
    match texture.format {
        PixelFormat::Rgba8 => largest
            .as_chunks::<4>()
            .0
            .iter()
            .all(|[rgb @ .., _]| *rgb == [0; 3]),
        PixelFormat::Rgba16Float => {
            let pixels = largest.as_chunks::<8>().0.iter();
            pixels.copied().all(|[rgb @ .., _, _]| rgb == [0; 6])
        }
        PixelFormat::Bc1 | PixelFormat::Bc2 | PixelFormat::Bc3 => (0..texture.n_layers)
            .filter_map(|layer| texture.rgba8(0, layer))
            .all(|it| {
                it.as_chunks::<4>()
                    .0
                    .iter()
                    .all(|[rgb @ .., _]| *rgb == [0; 3])
            }),
    }
}

/// Whether pixels are brighter than white.
fn is_bright(vtf: &Vtf) -> bool {
    use ImageFormat::{R32F, Rgb323232F, Rgba16161616, Rgba16161616F, Rgba32323232F};
    let bright = [R32F, Rgb323232F, Rgba16161616, Rgba16161616F, Rgba32323232F];
    bright.contains(&vtf.format)
}
