//! The sounds that a door has by itself: those of the block `door_options` in the key values of its model. What its keys mean
//! is from Valve's developer wiki, page `prop_door_rotating`, and the source SDK of 2013.

use crate::key_values::{Entry, KeyValues, Tolerance};

const FORMAT: &str = "model key values";
const OPTIONS: &str = "door_options";
/// What counts where a skin or a handle has no sound of its own.
const USUAL: &str = "defaults";

/// The options of a model.
#[derive(Debug, Clone, Default)]
pub(super) struct DoorOptions(Vec<Entry>);

impl DoorOptions {
    /// Those of the key values of a model; none where there are none, or where they cannot be read.
    pub fn read(text: &[u8]) -> Self {
        let text = KeyValues::read_with(FORMAT, text, Tolerance::all()).unwrap_or_default();
        // All of it is in one block, whose name does not matter.
        let inner = text.entries.iter().flat_map(Entry::entries);
        let options = inner.chain(&text.entries).find(|it| it.is(OPTIONS));
        Self(options.map_or_else(Vec::new, |it| it.entries().to_vec()))
    }

    /// What opening, closing or moving sounds like for a skin: `open`, `close` or `move`.
    pub fn of_skin(&self, skin: i32, key: &str) -> Option<&str> {
        self.sound(&format!("skin{skin}"), key)
    }

    /// What a handle sounds like: `locked` or `unlocked`.
    pub fn of_hardware(&self, hardware: i32, key: &str) -> Option<&str> {
        self.sound(&format!("hardware{hardware}"), key)
    }

    fn sound(&self, block: &str, key: &str) -> Option<&str> {
        let named = |block: &str| {
            let block = self.0.iter().find(|it| it.is(block))?;
            block.get(key).filter(|it| !it.trim().is_empty())
        };
        named(block).or_else(|| named(USUAL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_are_those_of_the_skin_the_handle_and_the_others() {
        let text = br#"mdlkeyvalue
            {
                prop_data { "base" "Wooden.Large" }
                door_options
                {
                    "defaults" { "open" "Door.Open" "move" "Door.Move" "locked" "Door.Locked" }
                    "skin1" { "open" "Metal.Open" "move" "" }
                    "hardware2" { "locked" "Lever.Locked" "unlocked" "Lever.Unlocked" }
                }
            }"#;
        let options = DoorOptions::read(text);
        assert_eq!(options.of_skin(0, "open"), Some("Door.Open"));
        assert_eq!(options.of_skin(1, "open"), Some("Metal.Open"));
        assert_eq!(
            options.of_skin(1, "move"),
            Some("Door.Move"),
            "its own is empty"
        );
        assert_eq!(options.of_skin(1, "close"), None);
        assert_eq!(options.of_hardware(2, "unlocked"), Some("Lever.Unlocked"));
        assert_eq!(options.of_hardware(1, "locked"), Some("Door.Locked"));
        assert_eq!(options.of_hardware(1, "unlocked"), None);
        let bare = DoorOptions::read(b"door_options { skin0 { close Wood.Close } }");
        assert_eq!(bare.of_skin(0, "close"), Some("Wood.Close"));
        for none in [&b""[..], b"mdlkeyvalue { }", b"{{{{"] {
            assert_eq!(DoorOptions::read(none).of_skin(0, "close"), None);
        }
    }
}
