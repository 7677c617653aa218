//! The strict policy for names from game data (dossier section 1.4): none leaves the folders it is looked up in.

use thiserror::Error;

use super::VfsError;

/// The rule that a name breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathFault {
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
    match fault(name, &components) {
        None => Ok(components),
        Some(fault) => Err(VfsError::PathRefused {
            name: name.to_owned(),
            fault,
        }),
    }
}

/// The rule that a name breaks, if it breaks one.
pub fn fault_of(name: &str) -> Option<PathFault> {
    let components: Vec<&str> = name.split(['/', '\\']).collect();
    fault(name, &components)
}

fn fault(name: &str, components: &[&str]) -> Option<PathFault> {
    if name.is_empty() {
        return Some(PathFault::Empty);
    }
    if name.contains('\0') {
        return Some(PathFault::Nul);
    }
    if name.starts_with(['/', '\\']) {
        return Some(PathFault::Absolute);
    }
    if matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Some(PathFault::Drive);
    }
    if components
        .iter()
        .any(|component| matches!(*component, "." | ".."))
    {
        return Some(PathFault::Dots);
    }
    let has_empty = components.iter().any(|component| component.is_empty());
    has_empty.then_some(PathFault::EmptyComponent)
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
            ("", PathFault::Empty),
            ("a\0b", PathFault::Nul),
            ("/etc", PathFault::Absolute),
            (r"\\server", PathFault::Absolute),
            ("C:", PathFault::Drive),
            (r"c:\DATA", PathFault::Drive),
            ("..", PathFault::Dots),
            (r"DATA\..\MAPS", PathFault::Dots),
            ("DATA/./MAPS", PathFault::Dots),
            ("DATA//MAPS", PathFault::EmptyComponent),
            ("DATA/", PathFault::EmptyComponent),
        ];
        for (name, expected) in cases {
            match components(name) {
                Err(VfsError::PathRefused { fault, .. }) => assert_eq!(fault, expected, "{name}"),
                other => panic!("{name:?}: {other:?}"),
            }
        }
    }
}
