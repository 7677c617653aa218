//! Pages of lightmaps. Dossier section 4.8.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places on pages whose sides and layers are bounded"
)]

use std::collections::BTreeMap;

use half::f16;
use ironlands_scene::{Addressing, PixelFormat, Texture};

use super::{LightBlock, MAX_STYLES, Skyline, linear_light};
use ironlands_assets_core::bytes::Reader;
use ironlands_assets_core::unpack::Budget;

/// Longest side of a block; the longest that compilers make (section 1.7).
const MAX_BLOCK_SIDE: usize = 512;
/// Shortest and longest side of a page. Pages are cut to what is used of them.
const PAGE_SIDES: [u32; 2] = [64, 2048];
/// How much larger than its blocks a page is at least.
const ROOM: f64 = 1.1;

/// The light of many faces in few textures.
///
/// A page holds blocks of one kind; its layers are the planes of the first style, then those of the next. All of a
/// face's layers have the same rectangle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    /// [`PixelFormat::Rgba16Float`], clamped, one level.
    pub pages: Vec<Texture>,
    /// For each block where it went; `None` for one that is not there or too large, or on a page that exceeds the
    /// budget.
    pub places: Vec<Option<Place>>,
}

/// What blocks of a page have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageKind {
    /// Styles of each block.
    pub n_styles: usize,
    /// Planes of each style.
    pub n_planes: usize,
}

/// A rectangle of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Atlas::pages`].
    pub page: usize,
    /// What else is on the page.
    pub kind: PageKind,
    /// Column and row of its first sample.
    pub at: [u32; 2],
    /// Samples along s and t.
    pub size: [u32; 2],
}

impl Atlas {
    /// Packs the light of all faces. `uses_directions` says for the index of a block whether its light from three
    /// directions is used; else only the flat light is taken.
    pub fn pack(
        lump: &[u8],
        blocks: &[Option<LightBlock>],
        budget: &Budget,
        mut uses_directions: impl FnMut(usize) -> bool,
    ) -> Self {
        let mut by_kind: BTreeMap<PageKind, Vec<usize>> = BTreeMap::new();
        for (index, block) in blocks.iter().enumerate() {
            let Some(block) = block else { continue };
            if block.size.iter().any(|side| *side > MAX_BLOCK_SIDE) {
                continue;
            }
            let kind = PageKind {
                n_styles: block.styles.len().min(MAX_STYLES),
                n_planes: if uses_directions(index) {
                    block.n_planes
                } else {
                    1
                },
            };
            by_kind.entry(kind).or_default().push(index);
        }
        let mut atlas = Self {
            pages: Vec::new(),
            places: vec![None; blocks.len()],
        };
        for (kind, of_kind) in by_kind {
            atlas.pack_kind(lump, blocks, budget, kind, of_kind);
        }
        atlas
    }

    /// Where a point of a block lies on its page, in texture coordinates; `luxel` counts from the middle of the first
    /// sample.
    pub fn uv(&self, place: &Place, luxel: [f32; 2]) -> [f32; 2] {
        let page = &self.pages[place.page];
        let size = [page.width, page.height];
        std::array::from_fn(|axis| (place.at[axis] as f32 + luxel[axis] + 0.5) / size[axis] as f32)
    }

    fn pack_kind(
        &mut self,
        lump: &[u8],
        blocks: &[Option<LightBlock>],
        budget: &Budget,
        kind: PageKind,
        mut of_kind: Vec<usize>,
    ) {
        // No side is longer than MAX_BLOCK_SIDE.
        let size_of = |index: usize| {
            let size = blocks[index].as_ref().map_or([0; 2], |block| block.size);
            size.map(|side| side as u32)
        };
        of_kind.sort_by_key(|index| {
            let [width, height] = size_of(*index);
            (u32::MAX - height, u32::MAX - width, *index)
        });
        let mut left = of_kind;
        while !left.is_empty() {
            let side = page_side(left.iter().map(|index| size_of(*index)));
            let mut skyline = Skyline::new([side; 2]);
            let page = self.pages.len();
            let mut used = [0; 2];
            let mut on_page = Vec::new();
            left.retain(|index| {
                let size = size_of(*index);
                let Some(at) = skyline.place(size) else {
                    return true;
                };
                used = [0, 1].map(|axis| used[axis].max(at[axis] + size[axis]));
                let place = Place {
                    page,
                    kind,
                    at,
                    size,
                };
                self.places[*index] = Some(place);
                on_page.push((*index, place));
                false
            });
            // Thousands of faces may have one block, a page many times the bytes of the lump.
            if budget
                .spend(&Reader::new("bsp", &[]), "light", page_bytes(kind, used))
                .is_err()
            {
                for (index, _) in on_page {
                    self.places[index] = None;
                }
                return;
            }
            let pixels = pixels(lump, blocks, kind, used, &on_page);
            self.pages.push(Texture {
                name: format!("light {page}"),
                width: used[0],
                height: used[1],
                format: PixelFormat::Rgba16Float,
                // At most MAX_STYLES times four.
                n_layers: (kind.n_styles * kind.n_planes) as u32,
                mips: vec![pixels],
                addressing: Addressing::Clamp,
            });
        }
    }
}

fn page_bytes(kind: PageKind, size: [u32; 2]) -> u64 {
    let n_layers = (kind.n_styles * kind.n_planes) as u64;
    PixelFormat::Rgba16Float
        .n_bytes(size)
        .saturating_mul(n_layers)
}

/// The smallest power of two whose square holds what is left, if it is packed well.
fn page_side(sizes: impl Iterator<Item = [u32; 2]>) -> u32 {
    let (mut area, mut longest) = (0.0, 0);
    for [width, height] in sizes {
        area += f64::from(width) * f64::from(height);
        longest = longest.max(width).max(height);
    }
    let side = (area * ROOM).sqrt().ceil() as u32;
    let [least, most] = PAGE_SIDES;
    side.max(longest).clamp(least, most).next_power_of_two()
}

fn pixels(
    lump: &[u8],
    blocks: &[Option<LightBlock>],
    kind: PageKind,
    [width, height]: [u32; 2],
    on_page: &[(usize, Place)],
) -> Vec<u8> {
    const PIXEL: usize = 8;
    let [width, height] = [width as usize, height as usize];
    let n_layers = kind.n_styles * kind.n_planes;
    let mut pixels = vec![0; width * height * n_layers * PIXEL];
    for (index, place) in on_page {
        let block = blocks[*index].as_ref().expect("only blocks get a place");
        for layer in 0..n_layers {
            let (style, plane) = (layer / kind.n_planes, layer % kind.n_planes);
            let light = light_of(lump, block, style, plane);
            for (row, light) in light.chunks(block.size[0]).enumerate() {
                let y = layer * height + place.at[1] as usize + row;
                let start = (y * width + place.at[0] as usize) * PIXEL;
                let target = pixels[start..].as_chunks_mut::<PIXEL>().0;
                for (pixel, light) in target.iter_mut().zip(light) {
                    *pixel = half_pixel(*light);
                }
            }
        }
    }
    pixels
}

/// The samples of a plane as linear light. Those along directions are made so bright that their mean is the flat light, as
/// engines do: compilers store what falls on a surface that faces the direction, which on the flat one is less (section 4.7).
fn light_of(lump: &[u8], block: &LightBlock, style: usize, plane: usize) -> Vec<[f32; 3]> {
    let stored = |plane| block.samples(lump, style, plane);
    if plane == 0 {
        return stored(0).iter().map(|it| linear_light(*it)).collect();
    }
    let along = stored(1).iter().zip(stored(2)).zip(stored(3));
    let samples = stored(0).iter().zip(along).zip(stored(plane));
    let scaled = samples.map(|((flat, ((a, b), c)), own)| {
        let [flat, a, b, c, own] = [flat, a, b, c, own].map(|it| linear_light(*it));
        std::array::from_fn(|channel| {
            let mean = (a[channel] + b[channel] + c[channel]) / 3.0;
            match mean > 0.0 {
                true => own[channel] * flat[channel] / mean,
                false => own[channel],
            }
        })
    });
    scaled.collect()
}

/// Opaque; what a half float cannot hold is cut to its largest value.
fn half_pixel([r, g, b]: [f32; 3]) -> [u8; 8] {
    let brightest = f16::MAX.to_f32();
    let [r, g, b, a] = [r, g, b, 1.0].map(|v| f16::from_f32(v.min(brightest)).to_le_bytes());
    [r[0], r[1], g[0], g[1], b[0], b[1], a[0], a[1]]
}
