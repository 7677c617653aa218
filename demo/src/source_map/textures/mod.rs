//! Textures of the demo map, painted by seeded noise, as `VTF` files; and the materials that use them.

mod dxt1;
mod metal;
pub mod sky;
pub mod stone;
pub mod vtf;
pub mod wood;

use ironlands_assets_core::bytes::FormatError;
use rayon::prelude::*;

use crate::landscape::Class;
use crate::noise::fbm;
use crate::source_map::map_plan;
use crate::textures::{Canvas, dirt, of_class};
use crate::vector::Vec3;

/// A texture and its name below `materials/ironlands/`.
pub struct Texture {
    /// Name without extension.
    pub name: &'static str,
    canvas: Canvas,
    storage: Storage,
}

/// How a texture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// Blocks of 4 by 4.
    Dxt1,
    /// 8 bits a channel, with alpha.
    Bgra,
}

/// All textures but the sky.
pub fn paint() -> Vec<Texture> {
    type Painter = fn() -> Canvas;
    let painters: [(&'static str, Painter, Storage); 18] = [
        ("plaster", stone::plaster, Storage::Dxt1),
        ("stone_wall", stone::wall, Storage::Dxt1),
        ("flagstones", stone::flagstones, Storage::Dxt1),
        ("planks", wood::planks, Storage::Dxt1),
        ("timber", wood::timber, Storage::Dxt1),
        ("trim", stone::trim, Storage::Dxt1),
        ("roof_tiles", stone::roof_tiles, Storage::Dxt1),
        ("grass", || of_class(Class::Grass), Storage::Dxt1),
        ("earth", || dirt(256), Storage::Dxt1),
        ("rock", || of_class(Class::Rock), Storage::Dxt1),
        ("pool_tiles", stone::pool_tiles, Storage::Dxt1),
        ("water_normal", water_normal, Storage::Bgra),
        ("water_color", water_color, Storage::Dxt1),
        ("grate", metal::grate, Storage::Bgra),
        ("ladder", metal::iron, Storage::Dxt1),
        (
            "glow",
            || Canvas::paint(16, |_, _| [255.0, 226.0, 170.0]),
            Storage::Dxt1,
        ),
        ("embers", metal::embers, Storage::Dxt1),
        ("vase", stone::glaze, Storage::Dxt1),
    ];
    painters
        .into_par_iter()
        .map(|(name, painter, storage)| Texture {
            name,
            canvas: painter(),
            storage,
        })
        .collect()
}

impl Texture {
    /// Mean color, linear.
    pub fn reflectivity(&self) -> Vec3 {
        reflectivity(&self.canvas)
    }

    fn file(&self) -> Result<Vec<u8>, FormatError> {
        vtf::repeating(&self.canvas, self.storage == Storage::Dxt1)
    }
}

/// Files of textures, sky and materials, by path in the pakfile.
pub fn files(textures: &[Texture]) -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let mut files = Vec::new();
    for texture in textures {
        let path = format!("materials/ironlands/{}.vtf", texture.name);
        files.push((path, texture.file()?));
    }
    let sun = map_plan::sun();
    files.extend(sky::files(map_plan::SKY_NAME, &sun, sky::SIDE)?);
    for (name, text) in materials() {
        files.push((format!("materials/ironlands/{name}.vmt"), text.into_bytes()));
    }
    Ok(files)
}

/// The texture and the material of the vase alone, by path in the pakfile.
pub fn files_of_vase() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let path = |extension| format!("materials/ironlands/vase.{extension}");
    Ok(vec![
        (path("vtf"), vtf::repeating(&stone::glaze(), true)?),
        (path("vmt"), vase_material().into_bytes()),
    ])
}

fn vase_material() -> String {
    let lines = [
        texture_line("$basetexture", "vase"),
        line("$surfaceprop", "pottery"),
    ];
    block("VertexLitGeneric", &lines)
}

/// Names and texts of all materials but the sky's.
fn materials() -> Vec<(&'static str, String)> {
    let walls = [
        "plaster",
        "stone_wall",
        "flagstones",
        "planks",
        "timber",
        "trim",
        "roof_tiles",
        "pool_tiles",
        "ladder",
    ];
    let surface = |name: &str| match name {
        "planks" | "timber" => "wood",
        "ladder" => "metal",
        "plaster" => "plaster",
        _ => "concrete",
    };
    let mut materials: Vec<(&'static str, String)> = walls
        .into_iter()
        .map(|name| {
            let lines = [
                texture_line("$basetexture", name),
                line("$surfaceprop", surface(name)),
            ];
            (name, block("LightmappedGeneric", &lines))
        })
        .collect();
    let blend = |first: &str, second: &str| {
        let lines = [
            texture_line("$basetexture", first),
            texture_line("$basetexture2", second),
            line("$surfaceprop", "grass"),
        ];
        block("WorldVertexTransition", &lines)
    };
    materials.push(("garden", blend("grass", "earth")));
    materials.push(("hills", blend("grass", "rock")));
    let grate = [
        texture_line("$basetexture", "grate"),
        line("$alphatest", "1"),
        line("$surfaceprop", "metalgrate"),
    ];
    materials.push(("grate", block("LightmappedGeneric", &grate)));
    for name in ["glow", "embers"] {
        materials.push((
            name,
            block("UnlitGeneric", &[texture_line("$basetexture", name)]),
        ));
    }
    materials.push(("vase", vase_material()));
    // Ripples drift slowly across the pool.
    let proxies = block_in(
        "Proxies",
        "TextureScroll",
        &[
            ("texturescrollvar", "$bumptransform"),
            ("texturescrollrate", "0.04"),
            ("texturescrollangle", "60"),
        ],
    );
    let water = [
        proxies,
        line("$abovewater", "1"),
        line("$bottommaterial", "ironlands/water_beneath"),
        texture_line("$normalmap", "water_normal"),
        texture_line("$basetexture", "water_color"),
        line("$fogenable", "1"),
        line("$fogcolor", "{34 82 92}"),
        line("$fogstart", "0"),
        line("$fogend", "260"),
        line("$surfaceprop", "water"),
        line("%compilewater", "1"),
    ];
    materials.push(("water", block("Water", &water)));
    let beneath = [
        line("$abovewater", "0"),
        texture_line("$normalmap", "water_normal"),
        texture_line("$basetexture", "water_color"),
        line("$fogenable", "1"),
        line("$fogcolor", "{34 82 92}"),
        line("$fogstart", "0"),
        line("$fogend", "260"),
        line("$surfaceprop", "water"),
        line("%compilewater", "1"),
    ];
    materials.push(("water_beneath", block("Water", &beneath)));
    materials
}

fn block(shader: &str, lines: &[String]) -> String {
    format!("\"{shader}\"\n{{\n{}}}\n", lines.concat())
}

/// A block of one block.
fn block_in(outer: &str, inner: &str, lines: &[(&str, &str)]) -> String {
    let lines: String = lines
        .iter()
        .map(|(key, value)| format!("\t\t\t\"{key}\" \"{value}\"\n"))
        .collect();
    format!("\t\"{outer}\"\n\t{{\n\t\t\"{inner}\"\n\t\t{{\n{lines}\t\t}}\n\t}}\n")
}

fn line(key: &str, value: &str) -> String {
    format!("\t\"{key}\" \"{value}\"\n")
}

fn texture_line(key: &str, name: &str) -> String {
    line(key, &format!("ironlands/{name}"))
}

/// Mean color, linear.
fn reflectivity(canvas: &Canvas) -> Vec3 {
    let small = canvas.shrunk_to(16);
    let n = small.rgb.len() as f64;
    [0, 1, 2].map(|k| {
        let linear = |c: f64| libm::pow((c / 255.0).clamp(0.0, 1.0), 2.2);
        small.rgb.iter().map(|rgb| linear(rgb[k])).sum::<f64>() / n
    })
}

/// Height of ripples; repeats.
fn ripple(u: f64, v: f64) -> f64 {
    fbm(901, u * 5.0, v * 5.0, 4, 5)
}

/// Normals of ripples: red and green as x and y.
fn water_normal() -> Canvas {
    let step = 1.0 / 128.0;
    Canvas::paint(128, |u, v| {
        let slope = |du: f64, dv: f64| (ripple(u + du, v + dv) - ripple(u - du, v - dv)) * 2.0;
        let (x, y) = (-slope(step, 0.0), -slope(0.0, step));
        let length = (x * x + y * y + 1.0).sqrt();
        [x, y, 1.0].map(|c| 127.5 + 127.5 * c / length)
    })
}

fn water_color() -> Canvas {
    Canvas::paint(64, |u, v| {
        let light = 1.0 + 0.12 * ripple(u, v);
        [62.0, 120.0, 128.0].map(|c| c * light)
    })
}
