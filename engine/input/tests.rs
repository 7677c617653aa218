use crate::camera::Controls;

use super::help::{key_name, trigger_name};
use super::*;

#[test]
fn no_trigger_is_bound_twice() {
    for (index, binding) in BINDINGS.iter().enumerate() {
        let again = BINDINGS[..index]
            .iter()
            .find(|earlier| earlier.trigger == binding.trigger);
        assert!(again.is_none(), "{binding:?} and {again:?}");
    }
}

#[test]
fn every_binding_stands_in_the_help_under_its_group() {
    let lines = [Relevance::EVERYTHING, Relevance::MODEL_ALONE].map(|level| help_lines(&level));
    let lines = lines.concat();
    for binding in BINDINGS {
        let name = trigger_name(binding.trigger);
        let line = lines
            .iter()
            .find(|line| line.group == binding.group && line.help == binding.help)
            .unwrap_or_else(|| panic!("{binding:?} has no line"));
        assert!(line.keys.contains(&name), "{name} in {line:?}");
    }
    let n_lines = help_lines(&Relevance::EVERYTHING).len();
    assert!(
        n_lines < BINDINGS.len(),
        "keys with the same help share a line"
    );
}

#[test]
fn every_feature_has_a_key_and_a_label_of_its_own() {
    for feature in Feature::ALL {
        assert!(key_of(Command::Toggle(feature)).is_some(), "{feature:?}");
        let same = Feature::ALL
            .iter()
            .filter(|other| other.label() == feature.label());
        assert_eq!(same.count(), 1, "{feature:?}");
    }
}

#[test]
fn keys_read_as_on_their_caps() {
    let keys = [
        KeyCode::KeyW,
        KeyCode::ArrowLeft,
        KeyCode::F12,
        KeyCode::Escape,
        KeyCode::Comma,
    ];
    assert_eq!(keys.map(key_name), ["W", "Left", "F12", "Esc", ","]);
}

#[test]
fn held_keys_become_controls_and_opposites_cancel() {
    let mut keys = HeldKeys::default();
    for key in [
        KeyCode::KeyW,
        KeyCode::KeyA,
        KeyCode::ShiftLeft,
        KeyCode::ArrowUp,
    ] {
        keys.press(key);
    }
    let expected = Controls {
        forward: 1.0,
        right: -1.0,
        turn_up: 1.0,
        fast: true,
        ..Controls::default()
    };
    assert_eq!(keys.controls(), expected);
    keys.press(KeyCode::KeyS);
    assert_eq!(keys.controls().forward, 0.0);
    keys.release(KeyCode::KeyS);
    assert_eq!(keys.controls().forward, 1.0);
    keys.release_all();
    assert_eq!(keys.controls(), Controls::default());
}

#[test]
fn both_shift_keys_are_one_wish() {
    let mut keys = HeldKeys::default();
    keys.press(KeyCode::ShiftLeft);
    keys.press(KeyCode::ShiftRight);
    keys.release(KeyCode::ShiftLeft);
    assert!(keys.controls().fast);
}

#[test]
fn ctrl_distinguishes_storing_from_recalling() {
    let once = |command| Some(Pressed::Once(command));
    assert_eq!(
        on_key(KeyCode::Digit1, true),
        once(Command::StoreBookmark(0))
    );
    assert_eq!(
        on_key(KeyCode::Numpad9, false),
        once(Command::RecallBookmark(8))
    );
    assert_eq!(on_key(KeyCode::Digit0, false), None);
    assert_eq!(on_key(KeyCode::KeyQ, true), once(Command::Quit));
    assert_eq!(
        on_key(KeyCode::KeyQ, false),
        Some(Pressed::Hold(Held::Down))
    );
}

#[test]
fn a_field_takes_what_is_typed_and_no_more() {
    for (key, ctrl, acts) in [
        (KeyCode::KeyQ, true, true),
        (KeyCode::Digit1, true, true),
        (KeyCode::F1, false, true),
        (KeyCode::F12, false, true),
        // Text, and what edits it.
        (KeyCode::KeyQ, false, false),
        (KeyCode::KeyF, false, false),
        (KeyCode::Digit1, false, false),
        (KeyCode::Space, false, false),
        (KeyCode::ArrowLeft, false, false),
        (KeyCode::Backspace, false, false),
        (KeyCode::KeyA, true, false),
        (KeyCode::KeyV, true, false),
        (KeyCode::ArrowLeft, true, false),
        // They leave the field.
        (KeyCode::Escape, false, false),
        (KeyCode::Enter, false, false),
        // In no table.
        (KeyCode::F24, false, false),
    ] {
        assert_eq!(acts_while_typing(key, ctrl), acts, "{key:?}, {ctrl}");
    }
}

#[test]
fn dragging_turns_and_moves_a_model() {
    assert_eq!(on_drag(MouseButton::Left), Some(Drag::Turn));
    assert_eq!(on_drag(MouseButton::Right), Some(Drag::Pan));
    assert_eq!(on_drag(MouseButton::Back), None);
}
