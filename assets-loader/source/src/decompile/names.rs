//! Names of materials as the editor knew them. Dossier sections 3.3 and 12.3.

/// A material's name before compilers made a variant of it for one map, and the cubemap that the variant is bound to.
///
/// `maps/MAP/` at the front goes, and so does what follows the name: `_X_Y_Z`, `_wvt_patch`, `_depth_N`.
pub fn original_material(name: &str) -> (&str, Option<[i32; 3]>) {
    let mut cubemap = None;
    let mut original = name;
    while let Some(rest) = without_map(original) {
        original = rest;
        loop {
            if let Some((rest, place)) = without_place(original) {
                cubemap = cubemap.or(Some(place));
                original = rest;
            } else if let Some(rest) = without_suffix(original) {
                original = rest;
            } else {
                break;
            }
        }
    }
    (original, cubemap)
}

/// What follows `maps/MAP/`, with either slash.
fn without_map(name: &str) -> Option<&str> {
    let is_slash = |c: char| c == '/' || c == '\\';
    let (maps, rest) = name.split_once(is_slash)?;
    let (_, rest) = rest.split_once(is_slash)?;
    (maps.eq_ignore_ascii_case("maps") && !rest.is_empty()).then_some(rest)
}

/// The text before three numbers, and these.
fn without_place(name: &str) -> Option<(&str, [i32; 3])> {
    let mut parts = name.rsplitn(4, '_');
    let mut number = || parts.next()?.parse().ok();
    let (z, y, x) = (number()?, number()?, number()?);
    let rest = parts.next().filter(|rest| !rest.is_empty())?;
    Some((rest, [x, y, z]))
}

/// The text before the mark of a blend on a flat face, or of the depth of water.
fn without_suffix(name: &str) -> Option<&str> {
    let patch = "_wvt_patch";
    if let Some(at) = name.len().checked_sub(patch.len())
        && name
            .get(at..)
            .is_some_and(|end| end.eq_ignore_ascii_case(patch))
    {
        return name.get(..at);
    }
    let (rest, depth) = name.rsplit_once('_')?;
    let (rest, word) = rest.rsplit_once('_')?;
    let is_depth = word.eq_ignore_ascii_case("depth") && depth.parse::<i32>().is_ok();
    (is_depth && !rest.is_empty()).then_some(rest)
}
