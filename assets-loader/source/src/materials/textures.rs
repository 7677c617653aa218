//! Texture files as textures of a scene, each once.

use std::collections::{BTreeSet, HashMap};

use ironlands_scene::{Addressing, PixelFormat, Texture, TextureIdx};

use super::FORMAT;
use crate::game_files::GameFiles;
use crate::missing_files::{MissingFiles, MissingKind};
use crate::vmt::texture_path;
use crate::vtf::{ImageFormat, TextureFlags, Vtf};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::unpack::Budget;

/// Most frames of a texture that are taken.
const MAX_FRAMES: u32 = 64;
/// The checker in place of a texture: pixels a side, pixels of a square, and how much darker every second square is.
const CHECKER_SIZE: u32 = 64;
const CHECKER_SQUARE: u32 = 32;
const CHECKER_SHADES: [u8; 2] = [255, 214];

/// The textures so far.
#[derive(Debug)]
pub(super) struct Textures<'a> {
    files: &'a GameFiles,
    textures: Vec<Texture>,
    by_name: HashMap<(String, Use), Vec<TextureIdx>>,
    missing: BTreeSet<String>,
    findings: Vec<Finding>,
    checker: Option<TextureIdx>,
}

/// What a texture is used for decides how it is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Surface,
    Sky,
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

    /// A picture of the sky: clamped, without smaller levels, bright if it is stored so.
    pub(super) fn sky(&mut self, name: &str) -> Option<TextureIdx> {
        self.load(name, Use::Sky).first().copied()
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
    pub(super) fn finish(self, missing: &mut MissingFiles) -> (Vec<Texture>, Vec<Finding>) {
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
        let frames = match self.files.open(path) {
            Ok(Some(data)) => match frames(&data, name, usage, self.files.budget()) {
                Ok(frames) => frames,
                Err(error) => {
                    self.warn(format!("{path}: {error}"));
                    Vec::new()
                }
            },
            Ok(None) => {
                self.missing.insert(path.clone());
                Vec::new()
            }
            Err(error) => {
                self.warn(format!("{path}: {error}"));
                Vec::new()
            }
        };
        let frames: Vec<_> = frames.into_iter().map(|it| self.add(it)).collect();
        self.by_name.insert(key, frames.clone());
        frames
    }

    fn warn(&mut self, message: String) {
        let finding = Finding::new(Severity::Warning, FORMAT, message);
        self.findings.push(finding);
    }
}

fn frames(
    data: &[u8],
    name: &str,
    usage: Use,
    budget: &Budget,
) -> Result<Vec<Texture>, FormatError> {
    let vtf = Vtf::read(data)?;
    let n_frames = match usage {
        Use::Surface => u32::from(vtf.n_frames).clamp(1, MAX_FRAMES),
        Use::Sky => 1,
    };
    let frame = |frame| frame_of(&vtf, name, frame, usage, budget);
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
        Use::Surface => u32::from(vtf.n_mips.max(1)),
        Use::Sky => 1,
    };
    let is_bright = usage == Use::Sky && is_bright(vtf);
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
        budget.spend(&Reader::new("vtf", &[]), "image", n_bytes)?;
        let mut pixels = match format {
            PixelFormat::Rgba8 => vtf.decode_rgba8(mip, frame, 0)?,
            PixelFormat::Rgba16Float => vtf.decode_rgba16f(mip, frame, 0)?,
            PixelFormat::Bc1 | PixelFormat::Bc2 | PixelFormat::Bc3 => {
                let blocks = vtf.blocks(mip, frame, 0);
                blocks.map(|(_, bytes)| bytes.to_vec()).unwrap_or_default()
            }
        };
        // Of slices the first.
        pixels.truncate(usize::try_from(format.n_bytes([width, height])).unwrap_or(usize::MAX));
        Ok(pixels)
    });
    let is_clamped = vtf
        .flags
        .contains(TextureFlags::CLAMP_S | TextureFlags::CLAMP_T);
    Ok(Texture {
        name: name.to_owned(),
        width: vtf.width.into(),
        height: vtf.height.into(),
        format,
        n_layers: 1,
        mips: mips.collect::<Result<_, FormatError>>()?,
        addressing: match is_clamped || usage == Use::Sky {
            true => Addressing::Clamp,
            false => Addressing::Repeat,
        },
    })
}

/// Whether pixels are brighter than white.
fn is_bright(vtf: &Vtf) -> bool {
    use ImageFormat::{R32F, Rgb323232F, Rgba16161616, Rgba16161616F, Rgba32323232F};
    let bright = [R32F, Rgb323232F, Rgba16161616, Rgba16161616F, Rgba32323232F];
    bright.contains(&vtf.format)
}
