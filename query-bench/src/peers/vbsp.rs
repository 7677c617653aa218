//! The crate `vbsp`: reads Source maps of versions 19 to 21.

/// Reads what it knows of a map; the number of faces, or `None` where it cannot.
pub fn read(data: &[u8]) -> Option<usize> {
    let map = vbsp::Bsp::read(data).ok()?;
    Some(map.faces.len())
}
