//! Letters of the user's keyboard layout, learned from the keys that were pressed: no system says them before.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use winit::keyboard::{Key, KeyCode};

/// What is on the caps of keys that were pressed.
static CAPS: Mutex<Option<HashMap<KeyCode, String>>> = Mutex::new(None);

fn caps() -> MutexGuard<'static, Option<HashMap<KeyCode, String>>> {
    // A map is whole whatever a thread did that had it.
    CAPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes what a key typed, for its name from now on. Keys that type nothing go by the names that they have.
pub fn learn_key(key: KeyCode, typed: &Key) {
    let Key::Character(text) = typed else {
        return;
    };
    if let Some(cap) = cap_of(text) {
        caps().get_or_insert_default().insert(key, cap);
    }
}

/// What is on the cap of a key, if it was pressed.
pub(super) fn learned_cap(key: KeyCode) -> Option<String> {
    caps().as_ref()?.get(&key).cloned()
}

/// What is on a cap that types a text: one letter. Signs are left out, which Shift changes to others.
fn cap_of(text: &str) -> Option<String> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    let is_one = letters.next().is_none() && letter.is_alphabetic();
    is_one.then(|| letter.to_uppercase().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_have_one_letter() {
        for (typed, cap) in [
            ("w", Some("W")),
            ("ц", Some("Ц")),
            (";", None),
            ("ss", None),
            (" ", None),
            ("\u{8}", None),
            ("", None),
        ] {
            assert_eq!(cap_of(typed).as_deref(), cap, "{typed:?}");
        }
    }

    #[test]
    fn a_pressed_key_is_named_by_what_it_types() {
        // A key that no other test looks at.
        let key = KeyCode::IntlBackslash;
        assert_eq!(learned_cap(key), None);
        learn_key(key, &Key::Character("ё".into()));
        assert_eq!(learned_cap(key).as_deref(), Some("Ё"));
        learn_key(key, &Key::Named(winit::keyboard::NamedKey::Enter));
        assert_eq!(learned_cap(key).as_deref(), Some("Ё"));
    }
}
