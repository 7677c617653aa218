//! Type 10: the names of nodes (dossier section 7.8).

use std::borrow::Cow;

use super::{FORMAT, Msh};
use crate::bytes::{FormatError, Reader, Writer};
use crate::parkan::text::decode_cp1251;

/// Reads exactly `n_nodes` names. `waive` decides about each error: where it is waived, a missing NUL is taken as
/// one, bytes that are left are dropped, and names that cannot be read are empty.
pub(super) fn read_names(
    mut r: Reader<'_>,
    n_nodes: usize,
    mut waive: impl FnMut(FormatError) -> Result<(), FormatError>,
) -> Result<Vec<Vec<u8>>, FormatError> {
    let mut names = Vec::new();
    let mut unterminated = false;
    for _ in 0..n_nodes {
        match read_name(&mut r) {
            Ok((name, None)) => names.push(name.to_vec()),
            Ok((name, Some(no_nul))) => {
                // The first one is reported; a file of them would drown everything else.
                if !std::mem::replace(&mut unterminated, true) {
                    waive(no_nul)?;
                }
                names.push(name.to_vec());
            }
            Err(error) => {
                waive(error)?;
                names.resize(n_nodes, Vec::new());
                return Ok(names);
            }
        }
    }
    if let Err(error) = r.finish("after the last name") {
        waive(error)?;
    }
    Ok(names)
}

/// The bytes of a name, and the error that no NUL follows them.
fn read_name<'a>(r: &mut Reader<'a>) -> Result<(&'a [u8], Option<FormatError>), FormatError> {
    let len = r.count("name length", 1)?;
    if len == 0 {
        return Ok((&[], None));
    }
    let name = r.bytes("name", len)?;
    let at_nul = r.clone();
    let nul = r.u8("NUL after the name")?;
    let no_nul =
        (nul != 0).then(|| at_nul.unexpected("NUL after the name", "0x00", format!("{nul:#04x}")));
    Ok((name, no_nul))
}

/// Bytes of the chunk.
pub(super) fn write_names(names: &[Vec<u8>]) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    for name in names {
        w.count("name length", name.len())?;
        w.bytes(name);
        if !name.is_empty() {
            w.u8(0);
        }
    }
    Ok(w.finish())
}

impl Msh {
    /// The name of a node, decoded from CP1251; `None` where it has none.
    pub fn node_name(&self, node: usize) -> Option<Cow<'_, str>> {
        let name = self.names.as_ref()?.get(node)?;
        (!name.is_empty()).then(|| decode_cp1251(name))
    }
}
