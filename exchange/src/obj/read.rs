//! Lines of an OBJ, one after the other.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use crate::error::{ImportError, at_most_of, within_reach};
use crate::findings::Findings;

/// What errors call the format.
pub const FORMAT: &str = "obj";

/// A corner of a triangle, without what the file does not say. +Z up, v from the first row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjCorner {
    /// Finite, and within 1e12 on every axis.
    pub position: [f32; 3],
    /// Finite.
    pub uv: Option<[f32; 2]>,
    /// Finite; of any length.
    pub normal: Option<[f32; 3]>,
}

/// Takes what an OBJ says, in the order of its lines. `place` is the line, counted from 1.
pub trait ObjVisitor {
    /// The triangles that follow belong to a group or object of this name, which may be empty.
    ///
    /// # Errors
    /// The groups are too many.
    fn group(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError>;

    /// The triangles that follow have the material of this name.
    ///
    /// # Errors
    /// The materials are too many.
    fn material(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError>;

    /// A triangle, counter-clockwise.
    ///
    /// # Errors
    /// It cannot be held, or the triangles are too many.
    fn triangle(
        &mut self,
        corners: [ObjCorner; 3],
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError>;
}

/// Reads an OBJ. Faces of more than three corners are cut into fans; what a model does not have is a finding.
///
/// # Errors
/// A line that cannot be understood, an index that leads nowhere, no face at all, and what the visitor refuses.
pub fn read_obj_text(
    data: &[u8],
    visitor: &mut dyn ObjVisitor,
    findings: &mut Findings,
) -> Result<(), ImportError> {
    let mut obj = Obj {
        positions: Vec::new(),
        uvs: Vec::new(),
        normals: Vec::new(),
        has_face: false,
        visitor,
        findings,
    };
    for (number, line) in (1usize..).zip(data.split(|byte| *byte == b'\n')) {
        obj.line(&String::from_utf8_lossy(line), &format!("line {number}"))?;
    }
    match obj.has_face {
        true => Ok(()),
        false => Err(unexpected("the whole file", "a face", "none")),
    }
}

/// What has been read so far.
struct Obj<'a> {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    has_face: bool,
    visitor: &'a mut dyn ObjVisitor,
    findings: &'a mut Findings,
}

impl Obj<'_> {
    fn line(&mut self, line: &str, place: &str) -> Result<(), ImportError> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "v" => {
                let [x, y, z] = numbers(rest, 3, place)?;
                let position = within_reach([x, 0.0 - z, y], FORMAT, place)?;
                self.positions.push(position);
            }
            "vt" => {
                let [u, v, _] = numbers(rest, 1, place)?;
                self.uvs.push([u, 1.0 - v]);
            }
            "vn" => {
                let [x, y, z] = numbers(rest, 3, place)?;
                self.normals.push([x, 0.0 - z, y]);
            }
            "f" => self.face(rest, place)?,
            "g" | "o" => self.visitor.group(rest, place, self.findings)?,
            "usemtl" => self.visitor.material(rest, place, self.findings)?,
            "mtllib" => {
                let what = "colors and textures are left out: a model only names its materials";
                self.findings.add(place, what);
            }
            // Smoothing stands in the normals.
            "s" => {}
            _ if line.ends_with('\\') => {
                return Err(unexpected(
                    place,
                    "a whole line",
                    "one that continues in the next",
                ));
            }
            other => {
                let word: String = other.chars().take(20).collect();
                self.findings
                    .add(place, format!("{word:?} means nothing to a model"));
            }
        }
        Ok(())
    }

    fn face(&mut self, rest: &str, place: &str) -> Result<(), ImportError> {
        let corners = rest
            .split_whitespace()
            .map(|corner| self.corner(corner, place));
        let corners: Vec<ObjCorner> = corners.collect::<Result<_, _>>()?;
        let Some((first, others)) = corners.split_first().filter(|(_, others)| others.len() > 1)
        else {
            return Err(unexpected(place, "three corners or more", corners.len()));
        };
        if corners.len() > 4 {
            let what = "faces of more than four corners are cut into fans; bulging ones need care";
            self.findings.add(place, what);
        }
        for pair in others.windows(2) {
            if let [second, third] = pair {
                let triangle = [*first, *second, *third];
                self.visitor.triangle(triangle, place, self.findings)?;
            }
        }
        self.has_face = true;
        Ok(())
    }

    /// A corner: position, then perhaps texture coordinate and normal.
    fn corner(&self, text: &str, place: &str) -> Result<ObjCorner, ImportError> {
        let mut parts = text.split('/');
        let position = pick(&self.positions, parts.next().unwrap_or_default(), place)?;
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let uv = part()
            .map(|part| pick(&self.uvs, part, place))
            .transpose()?;
        let normal = part()
            .map(|part| pick(&self.normals, part, place))
            .transpose()?;
        if parts.next().is_some() {
            return Err(unexpected(
                place,
                "a corner as v/vt/vn",
                format!("{text:?}"),
            ));
        }
        Ok(ObjCorner {
            position,
            uv,
            normal,
        })
    }
}

/// Three numbers, of which this many must be there; the others are 0, and more are passed over.
fn numbers(text: &str, needed: usize, place: &str) -> Result<[f32; 3], ImportError> {
    let mut values = [0.0; 3];
    let mut words = text.split_whitespace();
    for (index, value) in values.iter_mut().enumerate() {
        let word = match words.next() {
            None if index >= needed => break,
            word => word.unwrap_or_default(),
        };
        let number = word.parse().ok().filter(|number: &f32| number.is_finite());
        *value = number.ok_or_else(|| {
            let word: String = word.chars().take(20).collect();
            unexpected(place, "a finite number", format!("{word:?}"))
        })?;
    }
    Ok(values)
}

/// An element by its number: from 1 on, or back from the last one.
fn pick<T: Copy>(list: &[T], number: &str, place: &str) -> Result<T, ImportError> {
    let parsed: Option<i64> = number.parse().ok();
    let index = parsed.and_then(|number| match number {
        1.. => usize::try_from(number.saturating_sub(1)).ok(),
        _ => {
            let back = usize::try_from(number.unsigned_abs())
                .ok()
                .filter(|back| *back > 0)?;
            list.len().checked_sub(back)
        }
    });
    let element = index.and_then(|index| list.get(index)).copied();
    element.ok_or_else(|| {
        let number: String = number.chars().take(20).collect();
        let expected = format!("a number of one of the {} before", list.len());
        unexpected(place, &expected, format!("{number:?}"))
    })
}

fn unexpected(place: &str, expected: &str, found: impl std::fmt::Display) -> ImportError {
    ImportError::unexpected(FORMAT, place, expected, found)
}

/// Refuses numbers of things that no model has.
///
/// # Errors
/// `count` is beyond `limit`.
pub fn at_most(what: &str, count: usize, limit: usize, place: &str) -> Result<(), ImportError> {
    at_most_of(FORMAT, what, count, limit, place)
}
