//! What codes of the Linux kernel mean on a gamepad.
//!
//! From the kernel's `Documentation/input/gamepad.rst` and `input-event-codes.h`; with it, what drivers do that are older:
//! triggers on `ABS_Z` and `ABS_RZ`, or a right stick there.

use super::{Axis, Button, PadEvent};

const ABS_X: u16 = 0x00;
const ABS_Y: u16 = 0x01;
const ABS_Z: u16 = 0x02;
const ABS_RX: u16 = 0x03;
const ABS_RY: u16 = 0x04;
const ABS_RZ: u16 = 0x05;
const ABS_GAS: u16 = 0x09;
const ABS_BRAKE: u16 = 0x0a;
const ABS_HAT0X: u16 = 0x10;
const ABS_HAT0Y: u16 = 0x11;
const ABS_HAT2X: u16 = 0x14;
const ABS_HAT2Y: u16 = 0x15;
const BTN_TL2: u16 = 0x138;
const BTN_TR2: u16 = 0x139;
/// Also called `BTN_GAMEPAD`: what has it is one.
pub const BTN_SOUTH: u16 = 0x130;

/// What an axis reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub min: i32,
    pub max: i32,
    /// How far from the middle a stick still counts as there.
    pub flat: i32,
}

/// What an axis is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Stick(Axis),
    Trigger(Axis),
    /// The cross, which reports as an axis: the button of its lower and of its upper end.
    Cross([Button; 2]),
}

impl Range {
    /// How far a stick is pushed, -1..1.
    pub fn stick(self, value: i32) -> f32 {
        let [min, max, value] = [self.min, self.max, value].map(f64::from);
        let (middle, half) = ((min + max) / 2.0, (max - min) / 2.0);
        let (off, flat) = (value - middle, f64::from(self.flat.max(0)));
        if half <= flat || off.abs() <= flat {
            return 0.0;
        }
        let pushed = (off.abs() - flat) / (half - flat);
        (pushed.min(1.0) * off.signum()) as f32
    }

    /// How far a trigger is pulled, 0..1.
    pub fn trigger(self, value: i32) -> f32 {
        let [min, max, value] = [self.min, self.max, value].map(f64::from);
        let flat = f64::from(self.flat.max(0));
        let (pulled, way) = (value - min - flat, max - min - flat);
        if way <= 0.0 {
            return 0.0;
        }
        (pulled / way).clamp(0.0, 1.0) as f32
    }
}

/// What an axis of a gamepad is that has these axes; `None` for those that do nothing.
pub fn role_of(code: u16, has: impl Fn(u16) -> bool) -> Option<Role> {
    let has_right_stick = has(ABS_RX) && has(ABS_RY);
    let has_triggers = has(ABS_HAT2X) || has(ABS_GAS);
    Some(match code {
        ABS_X => Role::Stick(Axis::LeftX),
        ABS_Y => Role::Stick(Axis::LeftY),
        ABS_RX => Role::Stick(Axis::RightX),
        ABS_RY => Role::Stick(Axis::RightY),
        ABS_Z if has_right_stick && !has_triggers => Role::Trigger(Axis::LeftTrigger),
        ABS_RZ if has_right_stick && !has_triggers => Role::Trigger(Axis::RightTrigger),
        ABS_Z if !has_right_stick => Role::Stick(Axis::RightX),
        ABS_RZ if !has_right_stick => Role::Stick(Axis::RightY),
        ABS_HAT2Y | ABS_BRAKE => Role::Trigger(Axis::LeftTrigger),
        ABS_HAT2X | ABS_GAS => Role::Trigger(Axis::RightTrigger),
        ABS_HAT0X => Role::Cross([Button::DpadLeft, Button::DpadRight]),
        ABS_HAT0Y => Role::Cross([Button::DpadUp, Button::DpadDown]),
        _ => return None,
    })
}

/// What the value of an axis says.
pub fn axis_events(role: Role, range: Range, value: i32) -> Vec<PadEvent> {
    match role {
        Role::Stick(axis) => vec![PadEvent::Moved(axis, range.stick(value))],
        Role::Trigger(axis) => vec![PadEvent::Moved(axis, range.trigger(value))],
        Role::Cross([lower, upper]) => {
            let event = |is_pressed, button| match is_pressed {
                true => PadEvent::Pressed(button),
                false => PadEvent::Released(button),
            };
            vec![event(value < 0, lower), event(value > 0, upper)]
        }
    }
}

/// What a button says; nothing for those that do nothing, and for repetitions. Triggers that are buttons are pulled fully.
pub fn button_event(code: u16, value: i32) -> Option<PadEvent> {
    let is_pressed = match value {
        0 => false,
        1 => true,
        _ => return None,
    };
    let pulled = f32::from(u8::from(is_pressed));
    let button = match code {
        BTN_TL2 => return Some(PadEvent::Moved(Axis::LeftTrigger, pulled)),
        BTN_TR2 => return Some(PadEvent::Moved(Axis::RightTrigger, pulled)),
        BTN_SOUTH => Button::South,
        0x131 => Button::East,
        0x133 => Button::North,
        0x134 => Button::West,
        0x136 => Button::LeftShoulder,
        0x137 => Button::RightShoulder,
        0x13a => Button::Select,
        0x13b => Button::Start,
        0x13d => Button::LeftStick,
        0x13e => Button::RightStick,
        0x220 => Button::DpadUp,
        0x221 => Button::DpadDown,
        0x222 => Button::DpadLeft,
        0x223 => Button::DpadRight,
        _ => return None,
    };
    Some(match is_pressed {
        true => PadEvent::Pressed(button),
        false => PadEvent::Released(button),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STICK: Range = Range {
        min: -32768,
        max: 32767,
        flat: 128,
    };

    #[test]
    fn a_stick_reaches_both_ends_and_is_still_within_its_flat_middle() {
        assert_eq!(STICK.stick(-32768), -1.0);
        assert_eq!(STICK.stick(32767), 1.0);
        for middle in [-120, 0, 127] {
            assert_eq!(STICK.stick(middle), 0.0, "{middle}");
        }
        assert!((STICK.stick(16448) - 0.5).abs() < 1e-3);
        let bytes = Range {
            min: 0,
            max: 255,
            flat: 15,
        };
        assert_eq!(
            [0, 128, 255].map(|value| bytes.stick(value)),
            [-1.0, 0.0, 1.0]
        );
        assert_eq!(
            [0, 15, 255].map(|value| bytes.trigger(value)),
            [0.0, 0.0, 1.0]
        );
        assert!((bytes.trigger(135) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn ranges_that_make_no_sense_move_nothing() {
        for (min, max, flat) in [(0, 0, 0), (5, 5, 9), (i32::MAX, i32::MIN, 1), (0, 10, 99)] {
            let range = Range { min, max, flat };
            for value in [i32::MIN, 0, i32::MAX] {
                assert_eq!(range.stick(value), 0.0, "{range:?} {value}");
                assert_eq!(range.trigger(value), 0.0, "{range:?} {value}");
            }
        }
        let most = Range {
            min: i32::MIN,
            max: i32::MAX,
            flat: -3,
        };
        assert_eq!((most.stick(i32::MIN), most.trigger(i32::MAX)), (-1.0, 1.0));
    }

    #[test]
    fn axes_are_what_they_are_beside_the_others() {
        // As a pad of the kernel's document has them, as `xpad` does, and a pad with four axes.
        let by_document = [0, 1, 3, 4, 0x10, 0x11, 0x14, 0x15];
        let xpad = [0, 1, 2, 3, 4, 5, 0x10, 0x11];
        let four = [0, 1, 2, 5, 0x10, 0x11];
        let roles = |axes: &[u16]| -> Vec<_> {
            let role = |code: &u16| role_of(*code, |it| axes.contains(&it));
            axes.iter().map(role).collect()
        };
        use Axis::{LeftTrigger, LeftX, LeftY, RightTrigger, RightX, RightY};
        let sticks = [LeftX, LeftY].map(|axis| Some(Role::Stick(axis)));
        assert_eq!(roles(&by_document)[..2], sticks);
        assert_eq!(
            roles(&by_document)[6..],
            [RightTrigger, LeftTrigger].map(|axis| Some(Role::Trigger(axis)))
        );
        assert_eq!(roles(&xpad)[2], Some(Role::Trigger(LeftTrigger)));
        assert_eq!(roles(&xpad)[3], Some(Role::Stick(RightX)));
        assert_eq!(roles(&xpad)[5], Some(Role::Trigger(RightTrigger)));
        assert_eq!(
            roles(&four)[2..4],
            [RightX, RightY].map(|axis| Some(Role::Stick(axis)))
        );
        assert_eq!(role_of(0x28, |_| true), None);
    }

    #[test]
    fn the_cross_is_buttons_whether_it_is_an_axis_or_not() {
        let range = Range {
            min: -1,
            max: 1,
            flat: 0,
        };
        let role = role_of(ABS_HAT0Y, |_| true).expect("the cross");
        use Button::{DpadDown, DpadUp};
        assert_eq!(
            axis_events(role, range, -1),
            [PadEvent::Pressed(DpadUp), PadEvent::Released(DpadDown)]
        );
        assert_eq!(
            axis_events(role, range, 0),
            [PadEvent::Released(DpadUp), PadEvent::Released(DpadDown)]
        );
        assert_eq!(button_event(0x220, 1), Some(PadEvent::Pressed(DpadUp)));
        assert_eq!(button_event(0x220, 2), None, "a repetition");
        assert_eq!(button_event(0x2c0, 1), None);
        let pulled = PadEvent::Moved(Axis::LeftTrigger, 1.0);
        assert_eq!(button_event(BTN_TL2, 1), Some(pulled));
    }
}
