//! The strict policy for names from game data (dossier section 1.4): none leaves the folders it is looked up in.

use thiserror::Error;

use super::VfsError;
use crate::bytes::{Finding, Severity};

/// The rule that a name breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// There is no name.
    #[error("it is empty")]
    Empty,
    /// A NUL byte.
    #[error("it holds a NUL")]
    Nul,
    /// A separator in front.
    #[error("it is absolute")]
    Absolute,
    /// A drive, as in `C:`.
    #[error("it names a drive")]
    Drive,
    /// A component `.` or `..`.
    #[error("it holds a component of dots")]
    Dots,
    /// Two separators in a row, or one at the end.
    #[error("it holds an empty component")]
    EmptyComponent,
}

/// The components of a name, split at `/` and `\`.
pub fn components(name: &str) -> Result<Vec<&str>, VfsError> {
    let components: Vec<&str> = name.split(['/', '\\']).collect();
    match broken_rule(name, &components) {
        None => Ok(components),
        Some(reason) => Err(VfsError::PathRefused {
            name: name.to_owned(),
            reason,
        }),
    }
}

/// The rule that a name breaks, if it breaks one.
pub fn path_error(name: &str) -> Option<PathError> {
    let components: Vec<&str> = name.split(['/', '\\']).collect();
    broken_rule(name, &components)
}

/// What is wrong with a name under which an entry cannot be taken out of an archive of the format. One without a name
/// can be.
pub fn name_finding(format: &'static str, name: &str) -> Option<Finding> {
    let problem = path_error(name).filter(|problem| *problem != PathError::Empty)?;
    let message = format!("the name breaks the path policy: {problem}");
    let finding = Finding::new(Severity::Error, format, message);
    Some(finding.in_part(&name.escape_debug().to_string()))
}

fn broken_rule(name: &str, components: &[&str]) -> Option<PathError> {
    if name.is_empty() {
        return Some(PathError::Empty);
    }
    if name.contains('\0') {
        return Some(PathError::Nul);
    }
    if name.starts_with(['/', '\\']) {
        return Some(PathError::Absolute);
    }
    if matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Some(PathError::Drive);
    }
    if components
        .iter()
        .any(|component| matches!(*component, "." | ".."))
    {
        return Some(PathError::Dots);
    }
    let has_empty = components.iter().any(|component| component.is_empty());
    has_empty.then_some(PathError::EmptyComponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_separators_split() {
        assert_eq!(
            components(r"DATA\MAPS/SC_3\land.msh").unwrap(),
            ["DATA", "MAPS", "SC_3", "land.msh"]
        );
        assert_eq!(components("...").unwrap(), ["..."]);
    }

    #[test]
    fn each_rule_of_the_policy_refuses() {
        let cases = [
            ("", PathError::Empty),
            ("a\0b", PathError::Nul),
            ("/etc", PathError::Absolute),
            (r"\\server", PathError::Absolute),
            ("C:", PathError::Drive),
            (r"c:\DATA", PathError::Drive),
            ("..", PathError::Dots),
            (r"DATA\..\MAPS", PathError::Dots),
            ("DATA/./MAPS", PathError::Dots),
            ("DATA//MAPS", PathError::EmptyComponent),
            ("DATA/", PathError::EmptyComponent),
        ];
        for (name, expected) in cases {
            match components(name) {
                Err(VfsError::PathRefused { reason, .. }) => assert_eq!(reason, expected, "{name}"),
                other => panic!("{name:?}: {other:?}"),
            }
        }
    }
}
