//! Names of targets.

/// Whether a name is meant by a target: the same, in any case, as far as an asterisk.
pub fn matches_name(target: &str, name: &str) -> bool {
    match target.split_once('*') {
        Some((start, _)) => name
            .get(..start.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(start)),
        None => target.eq_ignore_ascii_case(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asterisk_stands_for_any_end() {
        for (target, name, expected) in [
            ("door", "Door", true),
            ("door", "door2", false),
            ("door*", "DOOR2", true),
            ("door*", "door", true),
            ("door*", "doo", false),
            ("*", "anything", true),
            ("é*", "ä", false),
        ] {
            assert_eq!(matches_name(target, name), expected, "{target} {name}");
        }
    }
}
