//! Names of materials and textures: to paths, and from what the map compiler made back to the original.

const FOLDER: &str = "materials/";
const MATERIAL: &str = ".vmt";
const TEXTURE: &str = ".vtf";
/// What the compiler adds to a blend that is used on flat ground.
const NO_BLEND: &str = "_wvt_patch";
/// What the compiler adds to water, before the depth.
const WATER: &str = "_depth";

/// Path of a material in the game's files: `materials/...vmt`, lower case, `/`. Takes names as texdata has them, and
/// paths.
pub fn material_path(name: &str) -> String {
    [FOLDER, &bare_name(name, MATERIAL), MATERIAL].concat()
}

/// Path of a texture in the game's files: `materials/...vtf`, lower case, `/`. Takes names as materials have them,
/// and paths.
pub fn texture_path(name: &str) -> String {
    [FOLDER, &texture_name(name), TEXTURE].concat()
}

/// A texture's name by itself: lower case, `/`, without `materials/` and `.vtf`.
pub(super) fn texture_name(name: &str) -> String {
    bare_name(name, TEXTURE)
}

/// The name that the map compiler made this one from (dossier section 3.3): of `maps/MAP/NAME_X_Y_Z`,
/// `maps/MAP/NAME_wvt_patch` and `maps/MAP/NAME_depth_N` it is `NAME`. `None` if it is no such name.
///
/// Takes names as texdata has them, in any case and with either slash.
pub fn original_name(name: &str) -> Option<&str> {
    let rest = name
        .get(..4)
        .filter(|folder| folder.eq_ignore_ascii_case("maps"))
        .and_then(|_| name.get(4..)?.strip_prefix(['/', '\\']))?;
    let (_map, patched) = rest.split_once(['/', '\\'])?;
    let original = without_position(patched)
        .or_else(|| without_suffix(patched, NO_BLEND))
        .or_else(|| without_suffix(without_number(patched)?, WATER))?;
    (!original.is_empty()).then_some(original)
}

/// Without `_X_Y_Z`, the place of a cubemap.
fn without_position(name: &str) -> Option<&str> {
    (0..3).try_fold(name, |name, _| without_number(name))
}

fn without_number(name: &str) -> Option<&str> {
    let (rest, number) = name.rsplit_once('_')?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(rest)
}

fn without_suffix<'n>(name: &'n str, suffix: &str) -> Option<&'n str> {
    let (rest, end) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(rest)
}

/// Lower case, single `/`, none in front, without folder and suffix.
fn bare_name(name: &str, suffix: &str) -> String {
    let lower = name.trim().to_ascii_lowercase();
    let parts: Vec<&str> = lower
        .split(['/', '\\'])
        .filter(|part| !part.is_empty())
        .collect();
    let joined = parts.join("/");
    let bare = joined.strip_prefix(FOLDER).unwrap_or(&joined);
    bare.strip_suffix(suffix).unwrap_or(bare).to_owned()
}
