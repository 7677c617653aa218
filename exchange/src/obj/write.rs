//! Lines of an OBJ and of its MTL, as they gather.

use std::collections::BTreeMap;
use std::fmt::Write;

use ironlands_scene::{Pass, Texture};

use crate::error::ExportError;
use crate::picture::{PictureAlpha, encode_png, opacity, texture_at};

/// A vertex. +Z up, v from the first row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjVertex {
    /// In the model's units.
    pub position: [f32; 3],
    /// One repeat is 1.
    pub uv: [f32; 2],
    /// Of length 1.
    pub normal: [f32; 3],
}

/// An OBJ while it grows.
#[derive(Debug)]
pub struct ObjText {
    text: String,
    n_vertices: usize,
}

impl ObjText {
    /// Begins with a comment, which must be one line, and the name of the MTL.
    pub fn new(comment: &str, mtl_name: &str) -> Self {
        Self {
            text: format!("# {comment}\nmtllib {mtl_name}\n"),
            n_vertices: 0,
        }
    }

    /// Begins a group; its name is [`one_word`].
    pub fn group(&mut self, name: &str) {
        self.line(format_args!("g {name}"));
    }

    /// The triangles that follow have a material; its name is [`one_word`].
    pub fn material(&mut self, name: &str) {
        self.line(format_args!("usemtl {name}"));
    }

    /// Adds vertices; returns the number of the first, which counts from 1 on.
    pub fn vertices(&mut self, vertices: &[ObjVertex]) -> usize {
        for vertex in vertices {
            let [x, y, z] = y_up(vertex.position);
            self.line(format_args!("v {x} {y} {z}"));
        }
        for vertex in vertices {
            let [u, v] = vertex.uv;
            self.line(format_args!("vt {u} {}", 1.0 - v));
        }
        for vertex in vertices {
            let [x, y, z] = y_up(vertex.normal);
            self.line(format_args!("vn {x} {y} {z}"));
        }
        let first = self.n_vertices + 1;
        self.n_vertices += vertices.len();
        first
    }

    /// Adds triangles, three indices each into the vertices from `first` on.
    pub fn triangles(&mut self, first: usize, indices: &[u32]) {
        for corners in indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| first + corner as usize);
            self.line(format_args!("f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}"));
        }
    }

    /// Whether there is no vertex yet.
    pub fn is_empty(&self) -> bool {
        self.n_vertices == 0
    }

    /// The file.
    pub fn finish(self) -> String {
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A String takes everything.
        let _ = writeln!(self.text, "{line}");
    }
}

/// An MTL while it grows, and the pictures that it names.
#[derive(Debug, Default)]
pub struct MtlText {
    stem: String,
    /// The file.
    pub text: String,
    /// Name and bytes of each picture, `STEM_K.png`.
    pub pngs: Vec<(String, Vec<u8>)>,
    /// By texture.
    names: BTreeMap<(usize, PictureAlpha), String>,
}

impl MtlText {
    /// With the name of its pictures' files, without number and extension.
    pub fn new(stem: &str) -> Self {
        Self {
            stem: stem.to_owned(),
            ..Self::default()
        }
    }

    /// Adds a material that looks like a pass; one without a pass is only named. `textures` are what passes name.
    ///
    /// # Errors
    /// A texture that does not exist, or cannot be encoded.
    pub fn material(
        &mut self,
        name: &str,
        pass: Option<&Pass>,
        textures: &[Texture],
    ) -> Result<(), ExportError> {
        self.line(format_args!("newmtl {name}"));
        let Some(pass) = pass else {
            return Ok(());
        };
        let [r, g, b, _] = pass.diffuse;
        let alpha = opacity(pass).clamp(0.0, 1.0);
        let [er, eg, eb] = pass.emissive;
        self.line(format_args!("Kd {r} {g} {b}\nKe {er} {eg} {eb}\nd {alpha}"));
        let Some(texture) = pass.texture else {
            return Ok(());
        };
        let png = self.picture(texture.0 as usize, PictureAlpha::from_pass(pass), textures)?;
        self.line(format_args!("map_Kd {png}"));
        if pass.blend.is_some() || pass.alpha_test.is_some() {
            self.line(format_args!("map_d {png}"));
        }
        Ok(())
    }

    /// The name of the picture of a texture, which is encoded once for each alpha.
    fn picture(
        &mut self,
        index: usize,
        alpha: PictureAlpha,
        textures: &[Texture],
    ) -> Result<String, ExportError> {
        if let Some(known) = self.names.get(&(index, alpha)) {
            return Ok(known.clone());
        }
        let name = format!("{}_{}.png", self.stem, self.names.len());
        let picture = encode_png(texture_at(textures, index)?, alpha)?;
        self.pngs.push((name.clone(), picture));
        self.names.insert((index, alpha), name.clone());
        Ok(name)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A String takes everything.
        let _ = writeln!(self.text, "{line}");
    }
}

/// Names in OBJ end at a blank; an empty one cannot be written.
pub fn one_word(name: &str) -> String {
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

fn y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    // Adding 0 makes a negative zero positive.
    [x, z, 0.0 - y]
}
