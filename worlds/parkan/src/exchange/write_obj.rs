//! A model as Wavefront OBJ with its MTL and pictures: what one state shows at one level of detail, at rest.
//!
//! +Y up, as readers of OBJ expect: a vertex x, y, z of the model is written as x, z, -y. OBJ counts v from a
//! picture's last row, so v is written as 1 - v. A group is a node, `usemtl` a WEAR row. OBJ knows no nodes, tracks
//! and lightmaps; glTF does.

use std::collections::BTreeMap;
use std::fmt::Write;

use ironlands_assets_loader::parkan::msh::{BatchFlags, Msh, NodeTable, unpack_normal, unpack_uv};
use ironlands_scene::TextureIdx;

use crate::findings::ExchangeFinding;
use crate::geometry::{BatchTriangles, SlotGeometry, slots};
use crate::left_out;
use crate::pose::{Pose, motions, rest_poses};
use crate::source::{ExportError, ModelSource, PictureAlpha, encode_png, main_pass, opacity};

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjOptions {
    /// State, 0 regular, 1 destroyed.
    pub state: u8,
    /// Level of detail, 0 finest; where a node has not got it, the next finer one serves.
    pub lod: u8,
    /// Name of the files without extension: the OBJ asks for `STEM.mtl`, and that for `STEM_K.png`.
    pub stem: String,
}

/// The files; those beside the OBJ must bear the names that it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjFiles {
    /// The OBJ.
    pub obj: String,
    /// The MTL.
    pub mtl: String,
    /// Name of the MTL; a blank in the stem has become `_`.
    pub mtl_name: String,
    /// Name and bytes of each picture.
    pub pngs: Vec<(String, Vec<u8>)>,
    /// What of the model was left out.
    pub findings: Vec<ExchangeFinding>,
}

/// Writes what a model shows in one state at one level of detail, all nodes at frame 0. Batches that are never
/// drawn are left out.
///
/// # Errors
/// As [`write_glb`](crate::write_glb), less the rate and the length; and if there is no face to write.
pub fn write_obj(source: &ModelSource<'_>, options: &ObjOptions) -> Result<ObjFiles, ExportError> {
    let ObjOptions { state, lod, stem } = options;
    let stem = one_word(stem);
    let msh = source.msh;
    let motions = motions(msh)?;
    let world_from_nodes = rest_poses(msh, &motions);
    let slots = slots(msh)?;
    let mut text = Text {
        source,
        obj: format!(
            "# {}, state {state}, level of detail {lod}\nmtllib {stem}.mtl\n",
            source.name.escape_debug()
        ),
        n_vertices: 0,
        materials: BTreeMap::new(),
    };
    if let (NodeTable::Stride24(_), Some(all)) = (&msh.nodes, slots.last()) {
        text.group("all_batches", &Pose::IDENTITY, all)?;
    }
    for (node, world_from_node) in world_from_nodes.iter().enumerate() {
        let lods = (0..=*lod).rev();
        let word =
            lods.map(|lod| msh.nodes.as_slice()[node].slot_word((*state).into(), lod.into()));
        let Some(slot) = word.flatten().next() else {
            continue;
        };
        let name = msh.node_name(node).map(|name| one_word(&name));
        let name = name.unwrap_or_else(|| format!("node_{node}"));
        if let Some(slot) = slots.get(usize::from(slot)) {
            text.group(&name, world_from_node, slot)?;
        }
    }
    if text.n_vertices == 0 {
        let (state, lod) = (*state, *lod);
        return Err(ExportError::NoFace { state, lod });
    }
    let (mtl, pngs) = materials(source, &stem, &text.materials)?;
    Ok(ObjFiles {
        obj: text.obj,
        mtl,
        mtl_name: format!("{stem}.mtl"),
        pngs,
        findings: left_out::of_obj(source, &motions, options).into_list(),
    })
}

/// The OBJ while it grows.
struct Text<'a> {
    source: &'a ModelSource<'a>,
    obj: String,
    /// Vertices so far; normals and texture coordinates are as many.
    n_vertices: usize,
    /// Name of each row in use.
    materials: BTreeMap<usize, String>,
}

impl Text<'_> {
    fn group(
        &mut self,
        name: &str,
        world_from_node: &Pose,
        slot: &SlotGeometry,
    ) -> Result<(), ExportError> {
        let msh: &Msh = self.source.msh;
        let suppressed = BatchFlags::SPECIAL_PASS | BatchFlags::SUPPRESSED;
        let is_drawn =
            |batch: &&BatchTriangles| !msh.batches[batch.batch_idx].flags.contains(suppressed);
        let batches: Vec<&BatchTriangles> = slot.batches.iter().filter(is_drawn).collect();
        if batches.is_empty() {
            return Ok(());
        }
        self.line(format_args!("g {name}"));
        for vertex in &slot.vertices {
            let [x, y, z] = y_up(world_from_node.transform_point(msh.positions[*vertex]));
            self.line(format_args!("v {x} {y} {z}"));
        }
        // Neutral values where a stream is absent keep one number for all three.
        let uv0 = msh.uv0.as_deref().unwrap_or_default();
        for vertex in &slot.vertices {
            let [u, v] = unpack_uv(uv0.get(*vertex).copied().unwrap_or_default());
            self.line(format_args!("vt {u} {}", 1.0 - v));
        }
        let normals = msh.normals.as_deref().unwrap_or_default();
        for vertex in &slot.vertices {
            let normal = unpack_normal(normals.get(*vertex).copied().unwrap_or([0, 0, 127, 0]));
            let [x, y, z] = y_up(world_from_node.rotate(normal));
            self.line(format_args!("vn {x} {y} {z}"));
        }
        for batch in batches {
            if let Some(row) = self.source.row(&msh.batches[batch.batch_idx]) {
                let name = self.material_name(row)?;
                self.line(format_args!("usemtl {name}"));
            }
            let first = self.n_vertices + 1;
            for corners in batch.indices.chunks_exact(3) {
                let corner = |k: usize| first + corners[k] as usize;
                let [a, b, c] = [corner(0), corner(1), corner(2)];
                self.line(format_args!("f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}"));
            }
        }
        self.n_vertices += slot.vertices.len();
        Ok(())
    }

    /// The name of a row, made different from those of other rows.
    fn material_name(&mut self, row: usize) -> Result<String, ExportError> {
        if let Some(known) = self.materials.get(&row) {
            return Ok(known.clone());
        }
        let mut name = one_word(&self.source.row_name(row)?);
        while self.materials.values().any(|other| *other == name) {
            let _ = write!(name, "_{row}");
        }
        self.materials.insert(row, name.clone());
        Ok(name)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A String takes everything.
        let _ = writeln!(self.obj, "{line}");
    }
}

type Pictures = Vec<(String, Vec<u8>)>;

fn materials(
    source: &ModelSource<'_>,
    stem: &str,
    rows: &BTreeMap<usize, String>,
) -> Result<(String, Pictures), ExportError> {
    let mut mtl = String::new();
    let mut pngs: Pictures = Vec::new();
    let mut names: BTreeMap<(TextureIdx, PictureAlpha), String> = BTreeMap::new();
    for (row, name) in rows {
        let _ = writeln!(mtl, "newmtl {name}");
        let Some(pass) = main_pass(source.material(*row)?) else {
            continue;
        };
        let [r, g, b, _] = pass.diffuse;
        let alpha = opacity(pass).clamp(0.0, 1.0);
        let [er, eg, eb] = pass.emissive;
        let _ = writeln!(mtl, "Kd {r} {g} {b}\nKe {er} {eg} {eb}\nd {alpha}");
        let Some(texture) = pass.texture else {
            continue;
        };
        let key = (texture, PictureAlpha::of(pass));
        if !names.contains_key(&key) {
            let png = format!("{stem}_{}.png", names.len());
            let picture = encode_png(source.texture(texture.0 as usize)?, key.1)?;
            pngs.push((png.clone(), picture));
            names.insert(key, png);
        }
        let png = &names[&key];
        let _ = writeln!(mtl, "map_Kd {png}");
        if pass.blend.is_some() || pass.alpha_test.is_some() {
            let _ = writeln!(mtl, "map_d {png}");
        }
    }
    Ok((mtl, pngs))
}

fn y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    // Adding 0 makes a negative zero positive.
    [x, z, 0.0 - y]
}

/// Names in OBJ end at a blank; an empty one cannot be told.
fn one_word(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    let word: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    if word.is_empty() {
        "_".to_owned()
    } else {
        word
    }
}
