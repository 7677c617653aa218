//! Conditions of keys and blocks (dossier section 10.2), evaluated for a PC with DirectX 9 and a good graphics card.

use super::LightRange;

/// 9.5 in tenths: DirectX 9 with shader model 3.
const DX_LEVEL: u32 = 95;
/// The highest that materials test for.
const GPU_LEVEL: u32 = 3;
const CPU_LEVEL: u32 = 2;
const PLATFORM: [&str; 3] = ["$win32", "$windows", "$pc"];

/// Evaluates a condition in brackets, as in `!$X360` or `$WIN32||$OSX`.
pub(super) fn holds_on_this_platform(condition: &str) -> bool {
    let holds = |term: &str| {
        let term = term.trim().to_ascii_lowercase();
        let (name, expected) = match term.strip_prefix('!') {
            Some(name) => (name.trim(), false),
            None => (term.as_str(), true),
        };
        PLATFORM.contains(&name) == expected
    };
    let mut alternatives = condition.split("||");
    alternatives.any(|terms| terms.split("&&").all(holds))
}

/// Evaluates the condition before a key, as in `hdr?$key` or `gpu>=2?$key`; what is not known is not so.
pub(super) fn holds_here(condition: &str, range: LightRange) -> bool {
    let lower = condition.trim().to_ascii_lowercase();
    if let Some(negated) = lower.strip_prefix('!') {
        return !holds_here(negated, range);
    }
    match lower.as_str() {
        "hdr" => range == LightRange::Hdr,
        "ldr" => range == LightRange::Ldr,
        // The hardware blends in linear light.
        "srgb" => true,
        comparison => compares(comparison).unwrap_or(false),
    }
}

/// Evaluates a block's name like `>=dx90` or `gpu<2`; `None` if it is no comparison.
pub(super) fn compares(name: &str) -> Option<bool> {
    let lower = name.trim().to_ascii_lowercase();
    let (subject, rest) = lower.split_at_checked(lower.find(['<', '>', '='])?)?;
    let n_operator = rest.find(|c| !matches!(c, '<' | '>' | '='))?;
    let (operator, operand) = rest.split_at_checked(n_operator)?;
    let (ours, theirs) = match subject {
        "" => (DX_LEVEL, dx_level(operand)?),
        "gpu" => (GPU_LEVEL, number(operand)?),
        "cpu" => (CPU_LEVEL, number(operand)?),
        _ => return None,
    };
    match operator {
        ">=" => Some(ours >= theirs),
        "<=" => Some(ours <= theirs),
        ">" => Some(ours > theirs),
        "<" => Some(ours < theirs),
        "=" | "==" => Some(ours == theirs),
        _ => None,
    }
}

/// `dx9`, `dx90` and `dx90_20b` are 90.
fn dx_level(operand: &str) -> Option<u32> {
    match number(operand.strip_prefix("dx")?)? {
        version @ 0..10 => version.checked_mul(10),
        level => Some(level),
    }
}

/// The digits in front.
fn number(text: &str) -> Option<u32> {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..n_digits)?.parse().ok()
}
