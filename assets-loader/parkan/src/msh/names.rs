//! Type 10: the names of nodes (dossier section 7.8).

use std::borrow::Cow;

use super::{FORMAT, Msh};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::text::decode_cp1251;

/// Reads exactly `n_nodes` names, and reports what is wrong with them: the first missing NUL, and what ends the
/// reading early or is left after it. Names that cannot be read are empty.
pub(super) fn read_names(mut r: Reader<'_>, n_nodes: usize) -> (Vec<Vec<u8>>, Vec<FormatError>) {
    let mut names = Vec::new();
    let mut errors = Vec::new();
    while names.len() < n_nodes {
        match read_name(&mut r) {
            Ok((name, no_nul)) => {
                names.push(name.to_vec());
                if errors.is_empty() {
                    errors.extend(no_nul);
                }
            }
            Err(error) => {
                errors.push(error);
                names.resize(n_nodes, Vec::new());
                return (names, errors);
            }
        }
    }
    errors.extend(r.finish("after the last name").err());
    (names, errors)
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
