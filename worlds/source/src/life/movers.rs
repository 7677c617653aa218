//! Movers by their classes: which keys say where they go.

use glam::DVec3;
use ironlands_assets_source::entities::Entity;
use ironlands_sim_entities::{Button, Door, DoorOpening, Kind, Rotator, Slide, Track, Train, Way};

use super::keys::{direction, has_flag, is_set, number, number_or};
use super::{BrushBox, Names};

/// Bits of `spawnflags` of doors.
mod door_flags {
    pub const STARTS_OPEN: u32 = 1;
    pub const REVERSED: u32 = 2;
    pub const ONE_WAY: u32 = 16;
    pub const TOGGLE: u32 = 32;
    pub const USE: u32 = 256;
    pub const TOUCH: u32 = 1024;
    pub const LOCKED: u32 = 2048;
}

/// Bits of `spawnflags` of what turns: around which axis.
const AROUND_X: u32 = 64;
const AROUND_Y: u32 = 128;

/// Bits of `spawnflags` of buttons.
const BUTTON_STAYS: u32 = 1;
const BUTTON_TOGGLE: u32 = 32;
const BUTTON_TOUCH: u32 = 256;
const BUTTON_USE: u32 = 1024;
const BUTTON_LOCKED: u32 = 2048;

/// Bits of `spawnflags` of fans.
const FAN_STARTS_ON: u32 = 1;
const FAN_BACKWARD: u32 = 2;
const FAN_AROUND_X: u32 = 4;
const FAN_AROUND_Y: u32 = 8;
const FAN_GAINS_SPEED: u32 = 16;

/// Bits of `spawnflags` of trains and their tracks.
const TRAIN_IS_LEVEL: u32 = 1;
const TRAIN_NEVER_TURNS: u32 = 16;
const TRAIN_IS_FAST_BY_ITSELF: u32 = 256;
const TRACK_DISABLED: u32 = 1;
const TRACK_ONCE: u32 = 2;
const TRACK_LEAPS: u32 = 16;

/// Speed of a train that sounds as a fast one.
const FAST: f64 = 1000.0;
/// How far a platform without a height stays above the floor.
const PLATFORM_LIP: f64 = 8.0;
/// Seconds that a platform stays at its top.
const PLATFORM_WAIT_SECS: f64 = 3.0;
/// Speed where none is written, in units per second.
const USUAL_SPEED: f64 = 100.0;
/// Degrees that a door of a model turns, and how fast, where neither is written.
const USUAL_TURN: f64 = 90.0;

/// A mover of a class; `None` for other classes.
pub(super) fn kind(
    entity: &Entity,
    class: &str,
    brushes: &BrushBox,
    names: &Names,
) -> Option<Kind> {
    let size = brushes.size;
    Some(match class {
        "func_door" | "func_water" | "func_water_analog" => Kind::Door(sliding_door(entity, size)),
        "func_door_rotating" => Kind::Door(hinged_door(entity)),
        "prop_door_rotating" => Kind::Door(model_door(entity)),
        "func_movelinear" | "momentary_door" => Kind::Door(linear(entity)),
        "func_plat" => Kind::Door(platform(entity, size)),
        "func_button" => Kind::Button(sliding_button(entity, size)),
        "func_rot_button" | "momentary_rot_button" => Kind::Button(turning_button(entity)),
        "func_rotating" => Kind::Rotator(rotator(entity)),
        "func_tracktrain" => Kind::Train(track_train(entity, names)),
        "func_train" => Kind::Train(corner_train(entity, brushes.middle, names)),
        "path_track" | "path_corner" => Kind::Track(track(entity, class, names)),
        _ => return None,
    })
}

/// A way along `movedir` by the size of the brushes, less the lip.
fn own_way(entity: &Entity, size: DVec3, speed: f64) -> Slide {
    let direction = direction(entity, "movedir");
    let length = direction.abs().dot(size) - number(entity, "lip");
    Slide::new(Way::Straight(direction), length.max(0.0), speed)
}

fn speed(entity: &Entity) -> f64 {
    match number(entity, "speed") {
        0.0 => USUAL_SPEED,
        speed => speed,
    }
}

fn sliding_door(entity: &Entity, size: DVec3) -> Door {
    door(entity, own_way(entity, size, speed(entity)))
}

fn hinged_door(entity: &Entity) -> Door {
    let axis = axis(entity, AROUND_X, AROUND_Y);
    let sign = match has_flag(entity, door_flags::REVERSED) {
        true => -1.0,
        false => 1.0,
    };
    let slide = Slide::new(
        Way::Around(axis * sign),
        number_or(entity, "distance", USUAL_TURN),
        speed(entity),
    );
    let mut door = door(entity, slide);
    door.opens_away = axis == DVec3::Y && !has_flag(entity, door_flags::ONE_WAY);
    door
}

/// Pitch, yaw or roll: around y, z or x.
fn axis(entity: &Entity, around_x: u32, around_y: u32) -> DVec3 {
    match () {
        () if has_flag(entity, around_x) => DVec3::Z,
        () if has_flag(entity, around_y) => DVec3::X,
        () => DVec3::Y,
    }
}

fn door(entity: &Entity, slide: Slide) -> Door {
    let opening = DoorOpening {
        by_use: has_flag(entity, door_flags::USE),
        by_touch: has_flag(entity, door_flags::TOUCH),
        by_standing: false,
    };
    let wait_secs = number_or(entity, "wait", 4.0);
    let starts_open = has_flag(entity, door_flags::STARTS_OPEN) || is_set(entity, "spawnpos");
    let door = Door::new(slide, wait_secs, opening);
    let mut door = match starts_open {
        true => door.at_share(1.0),
        false => door,
    };
    door.is_toggle = has_flag(entity, door_flags::TOGGLE);
    door.is_stubborn = is_set(entity, "forceclosed");
    door.is_locked = has_flag(entity, door_flags::LOCKED);
    door
}

/// Opened by a character that uses it, away from it.
fn model_door(entity: &Entity) -> Door {
    let turn = number_or(entity, "distance", USUAL_TURN);
    let slide = Slide::new(Way::Around(DVec3::Y), turn, speed(entity));
    let opening = DoorOpening {
        by_use: true,
        ..DoorOpening::default()
    };
    let wait_secs = number_or(entity, "returndelay", -1.0);
    let door = Door::new(slide, wait_secs, opening);
    let mut door = match is_set(entity, "spawnpos") {
        true => door.at_share(1.0),
        false => door,
    };
    door.is_toggle = wait_secs < 0.0;
    door.is_locked = has_flag(entity, door_flags::LOCKED);
    door.opens_away = true;
    door
}

fn linear(entity: &Entity) -> Door {
    let slide = Slide::new(
        Way::Straight(direction(entity, "movedir")),
        number_or(entity, "movedistance", USUAL_SPEED).max(0.0),
        speed(entity),
    );
    Door::new(slide, -1.0, DoorOpening::default()).at_share(number(entity, "startposition"))
}

/// A platform stands where it was built when it is up. One with a name begins there.
fn platform(entity: &Entity, size: DVec3) -> Door {
    let height = match number(entity, "height") {
        0.0 => size.z - PLATFORM_LIP,
        height => height,
    };
    // Its way leads up from below, so that a character that steps on it opens it.
    let slide = Slide::new(Way::Straight(DVec3::Z), height.max(0.0), speed(entity));
    let is_named = entity.name().is_some_and(|it| !it.is_empty());
    let opening = DoorOpening {
        by_standing: !is_named,
        ..DoorOpening::default()
    };
    let wait_secs = if is_named { -1.0 } else { PLATFORM_WAIT_SECS };
    let door = Door::new(slide, wait_secs, opening);
    if is_named { door.at_share(1.0) } else { door }
}

/// How far along its way a mover is at its place in the file, if that is not the beginning.
pub(super) fn way_before(kind: &Kind, class: &str) -> DVec3 {
    match kind {
        Kind::Door(Door { slide, .. }) => match (slide.way, class) {
            (Way::Straight(up), "func_plat") => up * slide.length,
            (Way::Straight(direction), "func_movelinear") => direction * slide.at,
            _ => DVec3::ZERO,
        },
        _ => DVec3::ZERO,
    }
}

fn button(entity: &Entity, slide: Slide) -> Button {
    let mut button = Button::new(slide, number_or(entity, "wait", 1.0));
    button.is_toggle = has_flag(entity, BUTTON_TOGGLE);
    button.by_use = has_flag(entity, BUTTON_USE);
    button.by_touch = has_flag(entity, BUTTON_TOUCH);
    button.is_locked = has_flag(entity, BUTTON_LOCKED);
    button
}

fn sliding_button(entity: &Entity, size: DVec3) -> Button {
    let mut slide = own_way(entity, size, number_or(entity, "speed", 40.0));
    if has_flag(entity, BUTTON_STAYS) {
        slide.length = 0.0;
    }
    button(entity, slide)
}

fn turning_button(entity: &Entity) -> Button {
    let sign = match has_flag(entity, door_flags::REVERSED) {
        true => -1.0,
        false => 1.0,
    };
    let axis = axis(entity, AROUND_X, AROUND_Y) * sign;
    let turn = number_or(entity, "distance", USUAL_TURN);
    let slide = Slide::new(Way::Around(axis), turn, number_or(entity, "speed", 50.0));
    button(entity, slide)
}

fn rotator(entity: &Entity) -> Rotator {
    let friction = number_or(entity, "fanfriction", 20.0).max(0.1);
    let max_speed = number_or(entity, "maxspeed", USUAL_SPEED);
    let mut rotator = Rotator::new(axis(entity, FAN_AROUND_X, FAN_AROUND_Y), max_speed);
    rotator.is_on = has_flag(entity, FAN_STARTS_ON);
    rotator.share = if has_flag(entity, FAN_BACKWARD) {
        -1.0
    } else {
        1.0
    };
    // A hundredth of the full speed, times the friction, in each tenth of a second.
    rotator.acceleration =
        has_flag(entity, FAN_GAINS_SPEED).then_some(max_speed.abs() * friction / 100.0 * 10.0);
    rotator
}

fn track_train(entity: &Entity, names: &Names) -> Train {
    let speed = number(entity, "speed");
    let max_speed = match number(entity, "startspeed") {
        0.0 if speed != 0.0 => speed,
        0.0 => USUAL_SPEED,
        max_speed => max_speed,
    };
    let mut train = Train::new(names.of_key(entity, "target"), max_speed);
    train.speed = speed;
    train.offset = DVec3::Z * number(entity, "height");
    train.wheels =
        (!has_flag(entity, TRAIN_NEVER_TURNS)).then(|| number_or(entity, "wheels", 50.0));
    train.is_level = has_flag(entity, TRAIN_IS_LEVEL);
    train.fast = (!has_flag(entity, TRAIN_IS_FAST_BY_ITSELF)).then_some(FAST);
    let calls = entity.get_bytes("MovePingSound").is_some();
    let secs = ["MoveSoundMaxTime", "MoveSoundMinTime"];
    train.call_secs = calls.then(|| secs.map(|key| number(entity, key).max(0.0)));
    train
}

/// The middle of its brushes runs along the corners; one without a name at once.
fn corner_train(entity: &Entity, middle: DVec3, names: &Names) -> Train {
    let max_speed = speed(entity);
    let is_named = entity.name().is_some_and(|it| !it.is_empty());
    let mut train = Train::new(names.of_key(entity, "target"), max_speed);
    train.speed = if is_named { 0.0 } else { max_speed };
    train.offset = -middle;
    train
}

fn track(entity: &Entity, class: &str, names: &Names) -> Track {
    let is_track = class == "path_track";
    Track {
        next: [
            names.of_key(entity, "target"),
            names.of_key(entity, "altpath"),
        ],
        // That is known once all nodes are.
        previous: None,
        takes_other: false,
        is_disabled: is_track && has_flag(entity, TRACK_DISABLED),
        speed: number(entity, "speed"),
        wait_secs: if is_track {
            0.0
        } else {
            number(entity, "wait")
        },
        leaps: match is_track {
            true => has_flag(entity, TRACK_LEAPS),
            false => has_flag(entity, 2),
        },
        is_once: is_track && has_flag(entity, TRACK_ONCE),
    }
}
