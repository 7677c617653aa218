//! Gamepads of systems other than Linux, through `gilrs`.

use std::sync::mpsc::Sender;
use std::thread;

use gilrs::{EventType, Gilrs};

use super::{Axis, Button, PadEvent};

/// Sends what gamepads report, until the receiver is gone.
pub fn listen(events: Sender<PadEvent>) {
    let reading = thread::Builder::new().name("gamepads".to_owned());
    let started = reading.spawn(move || {
        let mut gamepads = match Gilrs::new() {
            Ok(gamepads) => gamepads,
            Err(error) => return log::info!("no gamepads are read: {error}"),
        };
        while let Some(event) = gamepads.next_event_blocking(None) {
            if let Some(event) = event_of(event.event)
                && events.send(event).is_err()
            {
                return;
            }
        }
    });
    if let Err(error) = started {
        log::info!("no gamepads are read: {error}");
    }
}

fn event_of(event: EventType) -> Option<PadEvent> {
    Some(match event {
        EventType::ButtonPressed(button, _) => PadEvent::Pressed(button_of(button)?),
        EventType::ButtonReleased(button, _) => PadEvent::Released(button_of(button)?),
        EventType::ButtonChanged(gilrs::Button::LeftTrigger2, value, _) => {
            PadEvent::Moved(Axis::LeftTrigger, value)
        }
        EventType::ButtonChanged(gilrs::Button::RightTrigger2, value, _) => {
            PadEvent::Moved(Axis::RightTrigger, value)
        }
        // Up is positive there.
        EventType::AxisChanged(axis, value, _) => match axis {
            gilrs::Axis::LeftStickX => PadEvent::Moved(Axis::LeftX, value),
            gilrs::Axis::LeftStickY => PadEvent::Moved(Axis::LeftY, -value),
            gilrs::Axis::RightStickX => PadEvent::Moved(Axis::RightX, value),
            gilrs::Axis::RightStickY => PadEvent::Moved(Axis::RightY, -value),
            _ => return None,
        },
        EventType::Disconnected => PadEvent::Gone,
        _ => return None,
    })
}

fn button_of(button: gilrs::Button) -> Option<Button> {
    Some(match button {
        gilrs::Button::South => Button::South,
        gilrs::Button::East => Button::East,
        gilrs::Button::West => Button::West,
        gilrs::Button::North => Button::North,
        gilrs::Button::LeftTrigger => Button::LeftShoulder,
        gilrs::Button::RightTrigger => Button::RightShoulder,
        gilrs::Button::Select => Button::Select,
        gilrs::Button::Start => Button::Start,
        gilrs::Button::LeftThumb => Button::LeftStick,
        gilrs::Button::RightThumb => Button::RightStick,
        gilrs::Button::DPadUp => Button::DpadUp,
        gilrs::Button::DPadDown => Button::DpadDown,
        gilrs::Button::DPadLeft => Button::DpadLeft,
        gilrs::Button::DPadRight => Button::DpadRight,
        _ => return None,
    })
}
