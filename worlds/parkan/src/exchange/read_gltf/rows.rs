//! WEAR rows: which row a material is, and what the rows are called.

use std::collections::BTreeMap;

use gltf_json::Index;
use gltf_json::material::Material;
use ironlands_exchange::read_gltf::{Document, at_most};
use ironlands_exchange::{Findings, ImportError, from_extras};

use super::super::extras::{BatchExtras, MaterialExtras, RootExtras};
use super::super::import::{DEFAULT_MATERIAL, row_name};

/// A batch names its row in a byte.
const MAX_ROWS: usize = 256;

/// The rows while they gather.
pub(super) struct Rows {
    /// `None` for rows that nothing has named yet.
    names: Vec<Option<Vec<u8>>>,
    /// Rows of materials by their index.
    of_material: BTreeMap<usize, u8>,
    /// The row of primitives without a material.
    default: Option<u8>,
}

impl Rows {
    /// The rows that the file speaks of itself.
    pub(super) fn read(
        document: &Document<'_>,
        root_extras: Option<&RootExtras>,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let names = root_extras.map_or(&[][..], |extras| &extras.msh_materials);
        at_most(
            "material rows",
            names.len(),
            MAX_ROWS,
            "extras.msh_materials",
        )?;
        let spelled = names
            .iter()
            .map(|name| Some(row_name(name, "extras.msh_materials", findings)));
        let mut rows = Self {
            names: spelled.collect(),
            of_material: BTreeMap::new(),
            default: None,
        };
        for (index, material) in document.root.materials.iter().enumerate() {
            let extras: Option<MaterialExtras> = from_extras(&material.extras);
            if let Some(extras) = extras {
                let row = usize::from(extras.msh_wear_row);
                let place = format!("materials[{index}].extras.msh_wear_row");
                at_most("material rows", row.saturating_add(1), MAX_ROWS, &place)?;
                rows.claim(row, index, material, findings);
            }
        }
        Ok(rows)
    }

    /// The row of a primitive: that of its material, unless it names a row beyond all that there are, as a batch
    /// can.
    pub(super) fn of_primitive(
        &mut self,
        document: &Document<'_>,
        material: Option<Index<Material>>,
        extras: Option<&BatchExtras>,
        findings: &mut Findings,
    ) -> Result<u8, ImportError> {
        let own = extras.map(|extras| extras.msh_wear_row);
        let Some(index) = material else {
            return match own {
                Some(row) => Ok(row),
                None => self.default_row(),
            };
        };
        if let Some(row) = own.filter(|row| usize::from(*row) >= self.names.len()) {
            return Ok(row);
        }
        if let Some(row) = self.of_material.get(&index.value()) {
            return Ok(*row);
        }
        let material = document.get(index, "materials")?;
        let place = format!("materials[{index}]");
        let name = row_name(
            material.name.as_deref().unwrap_or_default(),
            &place,
            findings,
        );
        let known = self.names.iter().position(|it| it.as_ref() == Some(&name));
        let row = match known.filter(|_| material.name.is_some()) {
            Some(row) => row as u8,
            None => self.add(name)?,
        };
        self.of_material.insert(index.value(), row);
        Ok(row)
    }

    /// Names of all rows; rows that nothing names get the game's own fallback.
    pub(super) fn into_names(self) -> Vec<Vec<u8>> {
        let names = self.names.into_iter();
        names
            .map(|name| name.unwrap_or_else(|| DEFAULT_MATERIAL.to_vec()))
            .collect()
    }

    fn claim(&mut self, row: usize, index: usize, material: &Material, findings: &mut Findings) {
        if self.names.len() <= row {
            self.names.resize(row.saturating_add(1), None);
        }
        let place = format!("materials[{index}]");
        let Some(slot) = self.names.get_mut(row) else {
            return;
        };
        let is_taken = self
            .of_material
            .values()
            .any(|taken| usize::from(*taken) == row);
        if is_taken {
            findings.add(
                place,
                "another material has its row; it gets one of its own",
            );
            return;
        }
        if let Some(name) = &material.name {
            *slot = Some(row_name(name, &place, findings));
        }
        self.of_material.insert(index, row as u8);
    }

    fn default_row(&mut self) -> Result<u8, ImportError> {
        if let Some(row) = self.default {
            return Ok(row);
        }
        let row = match self.names.is_empty() {
            // A model without materials needs no table; row 0 is as good as any.
            true => return Ok(0),
            false => self.add(DEFAULT_MATERIAL.to_vec())?,
        };
        self.default = Some(row);
        Ok(row)
    }

    fn add(&mut self, name: Vec<u8>) -> Result<u8, ImportError> {
        self.names.push(Some(name));
        at_most("material rows", self.names.len(), MAX_ROWS, "materials")?;
        Ok(self.names.len().saturating_sub(1) as u8)
    }
}
