//! `ironlands geodata mesh PATH --to FILE`: land as OBJ or binary glTF, a box of it if one is given.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use glam::Vec3;
use ironlands_assets_lineage2::level_mesh::{LandMesh, color_coordinates, height_colors};
use ironlands_assets_lineage2::level_scene::N_LEVELS;
use ironlands_exchange::ExportError;
use ironlands_exchange::obj::{MtlText, ObjText, ObjVertex, one_word};
use ironlands_sim_geodata::Profile;
use ironlands_sim_geodata::land::Land;
use ironlands_world_kind::console::interrupt::check_interrupt;
use ironlands_world_kind::console::output::{check_writable, write_files};
use ironlands_world_kind::console::plain;
use ironlands_world_kind::{CommandError, Verdict};

use super::diff::BoxArg;
use super::land_glb::{LandWriter, MAX_BYTES, land_pass};
use super::map::existing;
use super::navmesh::keep_in_box;
use super::source::{SourceArgs, load};
use crate::land_box::LandBox;
use crate::{Lineage2Error, LoadedRegions};

/// The only material.
const MATERIAL: &str = "land";

const HELP: &str = "\
Examples:
  ironlands geodata mesh geodata/22_22.l2j --lod 1 --to 22_22.glb
          Write a region in squares of 2 x 2 cells.
  ironlands geodata mesh geodata --box 81000,145000,86000,150000 --to town.obj
          Write a part of a set with every cell; town.mtl and a picture of the colors of heights are beside it.

Both formats have +Y up: their x, y and z are the game's x, z and y, in points. A square of several cells is as high as the
highest of them. Open sides are not in the file.";

/// What `ironlands geodata mesh` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct MeshArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// File to write, .obj or .glb.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Only the cells of a rectangle, given by two corners.
    #[arg(long = "box", value_name = "X,Y,X,Y", allow_hyphen_values = true)]
    area: Option<BoxArg>,

    /// Level of detail: 0 has each cell, each further one squares of twice the side.
    #[arg(long, value_name = "LEVEL", default_value_t = 0,
        value_parser = clap::value_parser!(u8).range(..i64::from(N_LEVELS)))]
    lod: u8,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

/// Makes the triangles and writes them.
///
/// # Errors
/// If there are no regions, the land is too large for a file, or it cannot be written.
pub fn run(args: &MeshArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    check_writable(&args.to, existing(args.force))?;
    let extension = args.to.extension().unwrap_or_default();
    let is_obj = extension.eq_ignore_ascii_case("obj");
    if !is_obj && !extension.eq_ignore_ascii_case("glb") {
        let text = format!("the name must end in .obj or .glb: {}", args.to.display());
        return Err(CommandError::Arguments(text).into());
    }
    let mut files = args.source.files()?;
    let (first, last) = keep_in_box(&mut files, args.area);
    let LoadedRegions { geodata, left_out } = load(&files)?;
    args.source.broken_regions().log(left_out, files.len())?;
    // The profile only decides how walls are colored, which no file says.
    let land = Land::new(geodata, Profile::PTS);
    let level = args.lod;
    let mut meshes = Vec::new();
    let mut n_bytes = 0;
    for mesh in (LandBox { first, last, level }).meshes(&land) {
        check_interrupt()?;
        n_bytes += size_of_val(&*mesh.positions) + size_of_val(&*mesh.indices);
        if n_bytes > MAX_BYTES {
            let n_regions = files.len();
            return Err(Lineage2Error::LandTooLarge { n_regions });
        }
        meshes.push(mesh);
    }
    let written = match is_obj {
        true => obj_files(&meshes, &args.to)?,
        false => vec![(args.to.clone(), glb(&meshes, &args.to)?)],
    };
    write_files(&written, existing(args.force))?;
    let n_triangles: usize = meshes.iter().map(|mesh| mesh.indices.len() / 3).sum();
    let n_bytes: usize = written.iter().map(|(_, bytes)| bytes.len()).sum();
    let to = plain::path(&args.to);
    writeln!(out, "{to}: {n_triangles} triangles, {n_bytes} bytes")?;
    Ok(Verdict::Done)
}

fn stem(to: &Path) -> String {
    let stem = to.file_stem().unwrap_or_default();
    one_word(&stem.to_string_lossy())
}

fn glb(meshes: &[LandMesh], to: &Path) -> Result<Vec<u8>, ExportError> {
    let mut writer = LandWriter::new()?;
    meshes.iter().for_each(|mesh| writer.add(mesh));
    Ok(writer.finish(&stem(to))?.bytes)
}

/// The OBJ, its MTL and the picture with the colors of heights.
fn obj_files(meshes: &[LandMesh], to: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
    let stem = stem(to);
    let mtl_name = format!("{stem}.mtl");
    let mut mtl = MtlText::new(&stem);
    mtl.material(MATERIAL, Some(&land_pass()), &[height_colors()])?;
    let mut obj = ObjText::new("Lineage II geodata, in points, +Y up", &mtl_name);
    for mesh in meshes {
        obj.group(&one_word(&mesh.name));
        obj.material(MATERIAL);
        let (vertices, indices) = flat_shaded(mesh);
        let first = obj.vertices(&vertices);
        obj.triangles(first, &indices);
    }
    let mut files = vec![
        (to.to_owned(), obj.finish().into_bytes()),
        (to.with_file_name(mtl_name), mtl.text.into_bytes()),
    ];
    let pngs = mtl.pngs.into_iter();
    files.extend(pngs.map(|(name, bytes)| (to.with_file_name(name), bytes)));
    Ok(files)
}

/// A vertex for each direction in which the triangles around it face.
fn flat_shaded(mesh: &LandMesh) -> (Vec<ObjVertex>, Vec<u32>) {
    let mut known = HashMap::new();
    let (mut vertices, mut indices) = (Vec::new(), Vec::with_capacity(mesh.indices.len()));
    for triangle in mesh.indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|at| Vec3::from(mesh.positions[at as usize]));
        let normal = (b - a).cross(c - a).normalize_or_zero().to_array();
        for &at in triangle {
            let next = vertices.len() as u32;
            let index = *known.entry((at, normal.map(f32::to_bits))).or_insert(next);
            if index == next {
                let position = mesh.positions[at as usize];
                vertices.push(ObjVertex {
                    position,
                    uv: color_coordinates(position[2]),
                    normal,
                });
            }
            indices.push(index);
        }
    }
    (vertices, indices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_sim_geodata::test_world::{cell, random};
    use serde_json::Value;

    type Triangle = [[i32; 3]; 3];

    fn of_obj(text: &str) -> Vec<Triangle> {
        let words = |key: &'static str| {
            let lines = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
            lines.filter(move |line| line[0] == key)
        };
        let numbers = |line: Vec<&str>| [1, 2, 3].map(|at| line[at].parse().unwrap());
        let positions: Vec<[i32; 3]> = words("v").map(numbers).collect();
        let corner = |word: &str| {
            let (number, _) = word.split_once('/').unwrap();
            positions[number.parse::<usize>().unwrap() - 1]
        };
        words("f")
            .map(|line| [1, 2, 3].map(|at| corner(line[at])))
            .collect()
    }

    /// In +Y up, as the node above all meshes turns them.
    fn of_glb(glb: &[u8]) -> Vec<Triangle> {
        let n = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&glb[20..20 + n]).unwrap();
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        // Each number as its bytes; small meshes have indices of 16 bits.
        let numbers = |accessor: &Value, n_components: usize| -> Vec<Vec<u8>> {
            let accessor = &json["accessors"][number(accessor)];
            let size = if accessor["componentType"] == 5123 {
                2
            } else {
                4
            };
            let view = &json["bufferViews"][number(&accessor["bufferView"])];
            let start = 28 + n + number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
            let bytes = &glb[start..][..size * n_components * number(&accessor["count"])];
            bytes.chunks_exact(size).map(<[u8]>::to_vec).collect()
        };
        let mut triangles = Vec::new();
        for mesh in json["meshes"].as_array().unwrap() {
            let primitive = &mesh["primitives"][0];
            let positions = numbers(&primitive["attributes"]["POSITION"], 3);
            let positions: Vec<i32> = positions
                .iter()
                .map(|it| f32::from_le_bytes(it[..].try_into().unwrap()) as i32)
                .collect();
            let indices = numbers(&primitive["indices"], 1);
            let corner = |at: &[u8]| {
                let at = at
                    .iter()
                    .rev()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
                let at = 3 * at;
                [positions[at], positions[at + 2], -positions[at + 1]]
            };
            let of_mesh = indices.as_chunks::<3>().0.iter();
            triangles.extend(of_mesh.map(|at| at.each_ref().map(|it| corner(it))));
        }
        triangles
    }

    #[test]
    fn both_formats_hold_the_same_triangles() {
        let land = Land::new(random(7).geodata(), Profile::PTS);
        let (first, last) = (cell(5, 5), cell(150, 90));
        for level in [0, 2] {
            let meshes: Vec<_> = LandBox { first, last, level }.meshes(&land).collect();
            let files = obj_files(&meshes, Path::new("a.obj")).unwrap();
            let names: Vec<_> = files
                .iter()
                .map(|(path, _)| path.to_str().unwrap())
                .collect();
            assert_eq!(names, ["a.obj", "a.mtl", "a_0.png"]);
            let in_obj = of_obj(std::str::from_utf8(&files[0].1).unwrap());
            let in_glb = of_glb(&glb(&meshes, Path::new("a.glb")).unwrap());
            assert!(in_obj.len() > 100);
            assert_eq!(in_obj, in_glb, "{level}");
        }
    }
}
