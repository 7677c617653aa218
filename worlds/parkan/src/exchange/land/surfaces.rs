//! Which rows and flags the faces of a glTF material have.

use std::collections::BTreeMap;

use gltf_json::mesh::Primitive;
use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_msh::NO_MATERIAL;
use ironlands_exchange::read_gltf::{Document, at_most};
use ironlands_exchange::{Findings, ImportError, from_extras};

use super::extras::{RootExtras, SurfaceExtras};

/// Rows have one byte, of which one value means "none".
const MAX_ROWS: usize = NO_MATERIAL as usize;
/// The first row that faces of known maps name; the one before it is that of foundations.
const FIRST_ROW: usize = 1;

/// What a face is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FaceSurface {
    pub(super) flags: FaceFlags,
    pub(super) first: u8,
    pub(super) second: u8,
}

/// The rows of names while materials are looked up.
pub(super) struct Surfaces {
    /// Names of rows, as far as they are known.
    names: Vec<String>,
    of_material: BTreeMap<usize, FaceSurface>,
}

impl Surfaces {
    pub(super) fn new(known: Option<&RootExtras>) -> Self {
        let names = known.map(|it| it.land_materials.clone());
        let mut names = names.unwrap_or_default();
        if names.len() < FIRST_ROW {
            names.resize(FIRST_ROW, String::new());
        }
        Self {
            names,
            of_material: BTreeMap::new(),
        }
    }

    /// That of a primitive: as its material says, else by the name of that.
    pub(super) fn of_primitive(
        &mut self,
        document: &Document<'_>,
        primitive: &Primitive,
        findings: &mut Findings,
    ) -> Result<FaceSurface, ImportError> {
        let Some(index) = primitive.material else {
            return self.of_name("ground", "primitives without a material", findings);
        };
        if let Some(known) = self.of_material.get(&index.value()) {
            return Ok(*known);
        }
        let material = document.get(index, "materials")?;
        let place = format!("materials[{index}]");
        let extras: Option<SurfaceExtras> = from_extras(&material.extras);
        let surface = match extras {
            Some(extras) => {
                let SurfaceExtras {
                    land_first,
                    land_second,
                    land_flags,
                } = extras;
                let mut flags = FaceFlags::from_bits_retain(land_flags);
                flags.set(FaceFlags::SECOND_MATERIAL, land_second != NO_MATERIAL);
                FaceSurface {
                    flags,
                    first: land_first,
                    second: land_second,
                }
            }
            None => {
                let name = material.name.as_deref().unwrap_or("unnamed");
                self.of_name(name, &place, findings)?
            }
        };
        self.of_material.insert(index.value(), surface);
        Ok(surface)
    }

    /// Ordinary ground with the row of a name, a new one if no row has it.
    fn of_name(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<FaceSurface, ImportError> {
        let known = self.names.iter().enumerate().skip(FIRST_ROW);
        let known = known
            .filter(|(_, it)| it.eq_ignore_ascii_case(name))
            .map(|(row, _)| row)
            .next();
        let row = match known {
            Some(row) => row,
            None => {
                let row = self.names.len();
                at_most("material rows", row.saturating_add(1), MAX_ROWS, place)?;
                self.names.push(name.to_owned());
                let what = format!(
                    "no row is known for the material {name:?}; it is row {row}, which Land1.wea and Land2.wea need"
                );
                findings.add(place, what);
                row
            }
        };
        Ok(FaceSurface {
            flags: FaceFlags::GROUND,
            first: row as u8,
            second: NO_MATERIAL,
        })
    }
}
