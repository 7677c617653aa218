//! Lightmaps.

use ironlands_assets_core::unpack::Budget;
use ironlands_assets_source::lightmap::{Atlas, LightBlock, light_blocks, light_lump};
use ironlands_scene::PixelFormat;
use libtest_mimic::Failed;

use crate::facts::Facts;
use crate::{Opened, ensure};

pub fn counts(facts: &Facts, Opened { level, .. }: &Opened) -> Result<(), Failed> {
    let (blocks, _, _) = light_blocks(&level.map, level.face_set);
    let lit = blocks.iter().flatten();
    let n_bumped = lit.clone().filter(|block| block.n_planes == 4).count();
    let found = [lit.count(), n_bumped];
    ensure(found == facts.lit_faces, || format!("{found:?} lit faces"))
}

pub fn tiles(facts: &Facts, Opened { level, .. }: &Opened) -> Result<(), Failed> {
    let len = light_lump(&level.map, level.face_set).len();
    ensure(len == facts.light_bytes, || format!("{len} bytes of light"))?;
    let (blocks, _, findings) = light_blocks(&level.map, level.face_set);
    ensure(findings.is_empty(), || format!("{findings:?}"))?;
    let mut ranges: Vec<_> = blocks.iter().flatten().map(LightBlock::whole).collect();
    ranges.sort_by_key(|range| range.start);
    let mut end = 0;
    for range in ranges {
        ensure(range.start == end, || {
            format!("a gap from {end} to {}", range.start)
        })?;
        end = range.end;
    }
    ensure(end == len, || format!("the last block ends at {end}"))
}

pub fn luxels(_: &Facts, Opened { level, .. }: &Opened) -> Result<(), Failed> {
    let map = &level.map;
    let faces = map
        .faces_of(level.face_set)
        .iter()
        .filter(|face| face.disp_info < 0);
    for face in faces.filter(|face| face.light_offset >= 0 && face.styles[0] != 255) {
        let texinfo = &map.texinfos[face.texinfo as usize];
        for corner in map.ring(face) {
            for axis in 0..2 {
                let [a, b, c, shift] = texinfo.lightmap_vecs[axis].map(f64::from);
                let [x, y, z] = corner.map(f64::from);
                let luxel = a * x + b * y + c * z + shift - f64::from(face.lightmap_mins[axis]);
                let size = f64::from(face.lightmap_size[axis]);
                // Corners are stored in f32.
                let inside = (-1e-2..=size + 1e-2).contains(&luxel);
                ensure(inside, || format!("{corner:?} is luxel {luxel} of {size}"))?;
            }
        }
    }
    Ok(())
}

pub fn atlas(_: &Facts, Opened { level, .. }: &Opened) -> Result<(), Failed> {
    let lump = light_lump(&level.map, level.face_set);
    let (blocks, _, _) = light_blocks(&level.map, level.face_set);
    let atlas = Atlas::pack(lump, &blocks, &Budget::default(), |_| true);
    let mut taken: Vec<_> = atlas
        .pages
        .iter()
        .map(|page| vec![false; (page.width * page.height) as usize])
        .collect();
    for (block, place) in blocks.iter().zip(&atlas.places) {
        let (Some(block), Some(place)) = (block, place) else {
            ensure(block.is_none(), || "a block without a place".to_owned())?;
            continue;
        };
        let page = &atlas.pages[place.page];
        let n_styles = block.styles.len();
        ensure(page.n_layers as usize == n_styles * block.n_planes, || {
            format!("{} layers for {n_styles} styles", page.n_layers)
        })?;
        // v25 has four more bytes a luxel: as the start of the next block shows.
        let stride = (block.whole().end - block.offset) / n_styles;
        let [width, height] = block.size;
        for y in 0..height {
            for x in 0..width {
                let column = place.at[0] as usize + x;
                let row = place.at[1] as usize + y;
                let pixel = row * page.width as usize + column;
                ensure(!taken[place.page][pixel], || {
                    "two blocks in one place".to_owned()
                })?;
                taken[place.page][pixel] = true;
                for layer in 0..page.n_layers as usize {
                    let (style, plane) = (layer / block.n_planes, layer % block.n_planes);
                    let stored = |plane: usize| {
                        let before = (plane * width * height + y * width + x) * 4;
                        let at = block.offset + style * stride + before;
                        linear(&lump[at..at + 4])
                    };
                    let layer_pixels = (page.width * page.height) as usize;
                    let shown = &page.mips[0][(layer * layer_pixels + pixel) * 8..][..8];
                    let expected = match plane {
                        0 => stored(0),
                        // The mean of the directions is what falls on the flat surface.
                        _ => [0, 1, 2].map(|channel| {
                            let [flat, a, b, c] = [0, 1, 2, 3].map(|plane| stored(plane)[channel]);
                            let mean = (a + b + c) / 3.0;
                            let own = stored(plane)[channel];
                            if mean > 0.0 { own * flat / mean } else { own }
                        }),
                    };
                    same_light(expected, shown)?;
                }
            }
        }
    }
    Ok(())
}

fn linear(stored: &[u8]) -> [f64; 3] {
    let power = f64::from(stored[3] as i8);
    [0, 1, 2].map(|channel| f64::from(stored[channel]) * power.exp2() / 255.0)
}

/// Half floats have 11 digits of two, and none smaller than 2^-24.
fn same_light(expected: [f64; 3], shown: &[u8]) -> Result<(), Failed> {
    for (channel, expected) in expected.into_iter().enumerate() {
        let shown = half(u16::from_le_bytes([
            shown[2 * channel],
            shown[2 * channel + 1],
        ]));
        // Single numbers are multiplied before they are halved: a few of their last digits more.
        let tolerance = expected * (2f64.powi(-11) + 2f64.powi(-20)) + 2f64.powi(-25);
        ensure((shown - expected).abs() <= tolerance, || {
            format!("{shown} instead of {expected}")
        })?;
    }
    Ok(())
}

fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 0x1F);
    let mantissa = f64::from(bits & 0x3FF);
    match exponent {
        0 => mantissa * 2f64.powi(-24),
        _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    }
}

pub fn on_page(_: &Facts, Opened { scene, .. }: &Opened) -> Result<(), Failed> {
    let meshes = scene
        .meshes
        .iter()
        .chain(scene.models.iter().map(|it| &it.mesh));
    let mut n_lit = 0;
    for mesh in meshes {
        for batch in &mesh.batches {
            let material = &scene.materials[batch.material.0 as usize];
            let Some(light) = material.passes.iter().find_map(|it| it.lightmap.as_ref()) else {
                continue;
            };
            let page = &scene.textures[light.texture.0 as usize];
            ensure(page.format == PixelFormat::Rgba16Float, || {
                format!("{:?}", page.format)
            })?;
            let n_layers = light.styles.len() as u32 * light.layers_per_style();
            ensure(page.n_layers == n_layers, || {
                format!(
                    "{}: {n_layers} layers of {} requested",
                    material.name, page.n_layers
                )
            })?;
            let first = batch.first_index as usize;
            for index in &mesh.indices[first..first + batch.n_indices as usize] {
                let [u, v] = mesh.uv_sets[1][*index as usize];
                let [x, y] = [u * page.width as f32, v * page.height as f32];
                // From the middle of the first luxel to that of the last.
                let inside = x > 0.49
                    && y > 0.49
                    && x < page.width as f32 - 0.49
                    && y < page.height as f32 - 0.49;
                ensure(inside, || format!("{}: {x} {y}", material.name))?;
                n_lit += 1;
            }
        }
    }
    ensure(n_lit > 0, || "nothing is lit".to_owned())
}
