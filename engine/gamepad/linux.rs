//! Gamepads of Linux: `/dev/input/event*`, which need no library and no header of the system.
//!
//! One thread looks for devices that come, and one for each gamepad waits for what it reports.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use evdev::{AbsoluteAxisCode, Device, EventSummary, KeyCode};

use super::PadEvent;
use super::kernel::{BTN_SOUTH, Range, Role, axis_events, button_event, role_of};

const FOLDER: &str = "/dev/input";
/// How often devices are looked for.
const SCAN_TIME: Duration = Duration::from_secs(2);
/// How often a device is tried that cannot be opened: it gets its permissions a moment after its name.
const N_ATTEMPTS: u32 = 5;

/// Sends what gamepads report, until the receiver is gone.
pub fn listen(events: Sender<PadEvent>) {
    let looking = thread::Builder::new().name("gamepads".to_owned());
    let started = looking.spawn(move || {
        // What was tried at each path, and how often.
        let mut tried: HashMap<PathBuf, u32> = HashMap::new();
        while look(&events, &mut tried) {
            thread::sleep(SCAN_TIME);
        }
    });
    if let Err(error) = started {
        log::info!("no gamepads are read: {error}");
    }
}

/// Begins to read gamepads that are new; false where there is no folder of devices.
fn look(events: &Sender<PadEvent>, tried: &mut HashMap<PathBuf, u32>) -> bool {
    let Ok(entries) = Path::new(FOLDER).read_dir() else {
        return false;
    };
    let paths: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("event"))
        .map(|entry| entry.path())
        .collect();
    tried.retain(|path, _| paths.contains(path));
    for path in paths {
        let attempts = tried.entry(path.clone()).or_default();
        if *attempts >= N_ATTEMPTS {
            continue;
        }
        *attempts += 1;
        if let Ok(device) = Device::open(&path) {
            *attempts = N_ATTEMPTS;
            if is_gamepad(&device) {
                read(device, events.clone());
            }
        }
    }
    true
}

fn is_gamepad(device: &Device) -> bool {
    let keys = device.supported_keys();
    keys.is_some_and(|keys| keys.contains(KeyCode(BTN_SOUTH)))
}

/// Reads a gamepad on a thread of its own, until it is gone.
fn read(mut device: Device, events: Sender<PadEvent>) {
    let name = device.name().unwrap_or("gamepad").to_owned();
    let axes = axes_of(&device);
    log::info!("a gamepad is there: {name}");
    let reading = thread::Builder::new().name("gamepad".to_owned());
    let started = reading.spawn(move || {
        while let Ok(reported) = device.fetch_events() {
            for event in reported.flat_map(|event| events_of(event.destructure(), &axes)) {
                if events.send(event).is_err() {
                    return;
                }
            }
        }
        log::info!("a gamepad is gone: {name}");
        // The receiver may be gone.
        let _ = events.send(PadEvent::Gone);
    });
    if let Err(error) = started {
        log::info!("no gamepads are read: {error}");
    }
}

/// What the axes of a device are, by their codes.
fn axes_of(device: &Device) -> HashMap<AbsoluteAxisCode, (Role, Range)> {
    let Ok(axes) = device.get_absinfo() else {
        return HashMap::new();
    };
    let axes: HashMap<_, _> = axes.collect();
    let has = |code| axes.contains_key(&AbsoluteAxisCode(code));
    let known = axes.iter().filter_map(|(code, info)| {
        let range = Range {
            min: info.minimum(),
            max: info.maximum(),
            flat: info.flat(),
        };
        Some((*code, (role_of(code.0, has)?, range)))
    });
    known.collect()
}

fn events_of(
    event: EventSummary,
    axes: &HashMap<AbsoluteAxisCode, (Role, Range)>,
) -> Vec<PadEvent> {
    match event {
        EventSummary::Key(_, code, value) => button_event(code.0, value).into_iter().collect(),
        EventSummary::AbsoluteAxis(_, code, value) => axes
            .get(&code)
            .map_or_else(Vec::new, |(role, range)| axis_events(*role, *range, value)),
        _ => Vec::new(),
    }
}
