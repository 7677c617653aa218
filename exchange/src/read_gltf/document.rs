//! The JSON, the buffers, and how much work may be done on them.

use std::borrow::Cow;
use std::cell::Cell;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf_json::mesh::Semantic;
use gltf_json::root::Get;
use gltf_json::validation::{self, Checked, Validate};
use gltf_json::{Index, Path, Root};

use crate::container;
use crate::error::{ImportError, at_most_of};
use crate::findings::Findings;

/// What errors call the format.
pub const FORMAT: &str = "gltf";

/// Extensions that change only what surfaces look like, so that a model can do without.
const LOOKS_ONLY: [&str; 5] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
];

/// Small numbers for positions and the like, which are read as any others.
const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Elements that are looked at, in all. Files can name the same elements again and again.
const MAX_WORK: u64 = 1 << 24;

/// Bytes of all buffers together.
const MAX_BUFFER_BYTES: usize = 1 << 30;

/// A file that is named in a file: its bytes.
pub type Fetch<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// A glTF file, taken apart.
pub struct Document<'a> {
    /// The JSON, of which every index leads somewhere.
    pub root: Root,
    buffers: Vec<Cow<'a, [u8]>>,
    work_left: Cell<u64>,
}

impl<'a> Document<'a> {
    /// Reads glTF, binary or text; `fetch` gets the files that it names. Extensions that it uses are findings.
    ///
    /// # Errors
    /// No glTF 2.0, a broken rule of it, an unknown extension that is required, and files that cannot be had.
    pub fn read(
        data: &'a [u8],
        fetch: &mut Fetch<'_>,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let (json, bin) = match container::is_glb(data) {
            true => container::read(data)?,
            false => (data, None),
        };
        let root: Root = serde_json::from_slice(json)?;
        if !root.asset.version.starts_with("2.") {
            return Err(unexpected("asset.version", "2.0", &root.asset.version));
        }
        check_positions(&root)?;
        validate(&root)?;
        let extensions = root.extensions_used.iter();
        for extension in extensions.filter(|it| *it != QUANTIZATION) {
            findings.add(
                "extensionsUsed",
                format!("what {extension} adds is left out"),
            );
        }
        let buffers = read_buffers(&root, bin, fetch)?;
        Ok(Self {
            root,
            buffers,
            work_left: Cell::new(MAX_WORK),
        })
    }

    /// An object that something at `place` names.
    ///
    /// # Errors
    /// There is none.
    pub fn get<T>(&self, index: Index<T>, place: &str) -> Result<&T, ImportError>
    where
        Root: Get<T>,
    {
        let found = self.root.get(index);
        found.ok_or_else(|| unexpected(place, "the index of an object", index))
    }

    /// The bytes of a view.
    ///
    /// # Errors
    /// It reaches beyond its buffer.
    pub fn view(&self, index: Index<gltf_json::buffer::View>) -> Result<&[u8], ImportError> {
        let place = format!("bufferViews[{index}]");
        let view = self.get(index, &place)?;
        let number = |value: u64| usize::try_from(value).ok();
        let start = number(view.byte_offset.unwrap_or_default().0);
        let end = start.and_then(|start| start.checked_add(number(view.byte_length.0)?));
        let buffer = self.buffers.get(view.buffer.value());
        let bytes = buffer.and_then(|buffer| buffer.get(start?..end?));
        bytes.ok_or_else(|| {
            let len = buffer.map_or(0, |buffer| buffer.len());
            let expected = format!(
                "a range inside of the {len} bytes of buffer {}",
                view.buffer
            );
            let found = format!(
                "{} bytes from {}",
                view.byte_length.0,
                view.byte_offset.unwrap_or_default().0
            );
            unexpected(&place, &expected, found)
        })
    }

    /// Counts elements that are about to be looked at.
    ///
    /// # Errors
    /// There have been too many: a file can name the same elements again and again.
    pub fn spend(&self, n_elements: usize, place: &str) -> Result<(), ImportError> {
        let left = self.work_left.get().checked_sub(n_elements as u64);
        let left = left.ok_or_else(|| {
            unsupported(
                place,
                format!("more than {MAX_WORK} elements in all are named"),
            )
        })?;
        self.work_left.set(left);
        Ok(())
    }
}

/// gltf-json 1.4.1 looks at the bounds of positions before it has checked their index, and panics
/// (`primitive_validate_hook`). This can go when it uses `get`.
fn check_positions(root: &Root) -> Result<(), ImportError> {
    for (mesh_idx, mesh) in root.meshes.iter().enumerate() {
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let positions = primitive
                .attributes
                .get(&Checked::Valid(Semantic::Positions));
            if let Some(positions) = positions.filter(|it| root.get(**it).is_none()) {
                let place =
                    format!("meshes[{mesh_idx}].primitives[{index}].attributes[\"POSITION\"]");
                return Err(unexpected(&place, "the index of an object", positions));
            }
        }
    }
    Ok(())
}

/// The first thing that the glTF library finds wrong.
fn validate(root: &Root) -> Result<(), ImportError> {
    let mut first = None;
    root.validate(root, Path::new, &mut |path: &dyn Fn() -> Path, error| {
        let path = path().0;
        let mut harmless = LOOKS_ONLY.iter().chain([&QUANTIZATION]);
        let is_harmless =
            error == validation::Error::Unsupported && harmless.any(|prefix| path.contains(prefix));
        if first.is_none() && !is_harmless {
            first = Some((path, error));
        }
    });
    let Some((place, error)) = first else {
        return Ok(());
    };
    Err(match error {
        validation::Error::Unsupported => unsupported(&place, "a required extension is not known"),
        validation::Error::Missing => unexpected(&place, "a value", "none"),
        validation::Error::IndexOutOfBounds => {
            unexpected(&place, "the index of an object", "one that leads nowhere")
        }
        validation::Error::Invalid => unexpected(&place, "a value of glTF 2.0", "another"),
        validation::Error::Oversize => unsupported(&place, "the size is beyond this machine"),
    })
}

fn read_buffers<'a>(
    root: &Root,
    bin: Option<&'a [u8]>,
    fetch: &mut Fetch<'_>,
) -> Result<Vec<Cow<'a, [u8]>>, ImportError> {
    let mut buffers = Vec::with_capacity(root.buffers.len());
    let mut n_bytes = 0usize;
    for (index, buffer) in root.buffers.iter().enumerate() {
        let place = format!("buffers[{index}]");
        let mut bytes = match (&buffer.uri, bin) {
            (Some(uri), _) => Cow::Owned(read_uri(uri, &place, fetch)?),
            (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
            (None, _) => return Err(unexpected(&place, "a uri", "none")),
        };
        let wanted = usize::try_from(buffer.byte_length.0).unwrap_or(usize::MAX);
        if bytes.len() < wanted {
            let expected = format!("{wanted} bytes");
            return Err(unexpected(&place, &expected, bytes.len()));
        }
        match &mut bytes {
            Cow::Owned(bytes) => bytes.truncate(wanted),
            Cow::Borrowed(bytes) => *bytes = bytes.get(..wanted).unwrap_or_default(),
        }
        n_bytes = n_bytes.saturating_add(bytes.len());
        if n_bytes > MAX_BUFFER_BYTES {
            return Err(unsupported(&place, "the buffers together exceed 1 GiB"));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn read_uri(uri: &str, place: &str, fetch: &mut Fetch<'_>) -> Result<Vec<u8>, ImportError> {
    let Some(data) = uri.strip_prefix("data:") else {
        return fetch(uri).map_err(|source| ImportError::Fetch {
            place: place.to_owned(),
            uri: uri.to_owned(),
            source,
        });
    };
    let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
    let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    decoded.ok_or_else(|| {
        let start: String = uri.chars().take(40).collect();
        unexpected(place, "a data URI in base64", start)
    })
}

/// A rule of glTF is broken at a place, a JSON path.
pub fn unexpected(place: &str, expected: &str, found: impl std::fmt::Display) -> ImportError {
    ImportError::unexpected(FORMAT, place, expected, found)
}

/// Something at a place is valid and cannot be taken.
pub fn unsupported(place: &str, what: impl Into<String>) -> ImportError {
    ImportError::unsupported(FORMAT, place, what)
}

/// Refuses numbers of things that no model has.
///
/// # Errors
/// `count` is beyond `limit`.
pub fn at_most(what: &str, count: usize, limit: usize, place: &str) -> Result<(), ImportError> {
    at_most_of(FORMAT, what, count, limit, place)
}
