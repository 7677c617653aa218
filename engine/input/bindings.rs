//! The table of all keys and buttons.

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use super::{Binding, Command, Does, Drag, Held, Trigger};
use crate::editing::EditCommand;
use crate::land_options::LandCommand;
use crate::model_options::ModelCommand;
use crate::view_options::Feature;

const MOVE: &str = "Move";
const POINT: &str = "Point";
const MODELS: &str = "Models";
const TILED_LAND: &str = "Tiled land";
const SHOW: &str = "Show";
const PICTURE: &str = "Picture";
const PROGRAM: &str = "Program";
/// Help of both ways to use something.
const USE: &str = "use a door or button under the crosshair";

/// Every key and button. The window acts on nothing that is not in here.
pub const BINDINGS: &[Binding] = &[
    hold(KeyCode::KeyW, Held::Forward, "forward, back"),
    hold(KeyCode::KeyS, Held::Back, "forward, back"),
    hold(KeyCode::KeyA, Held::Left, "left, right"),
    hold(KeyCode::KeyD, Held::Right, "left, right"),
    hold(KeyCode::KeyE, Held::Up, "up, down; walking: jump, duck"),
    hold(KeyCode::KeyQ, Held::Down, "up, down; walking: jump, duck"),
    hold(KeyCode::ArrowLeft, Held::TurnLeft, "turn without the mouse"),
    hold(
        KeyCode::ArrowRight,
        Held::TurnRight,
        "turn without the mouse",
    ),
    hold(KeyCode::ArrowUp, Held::TurnUp, "turn without the mouse"),
    hold(KeyCode::ArrowDown, Held::TurnDown, "turn without the mouse"),
    hold(KeyCode::ShiftLeft, Held::Fast, "four times as fast"),
    hold(KeyCode::ShiftRight, Held::Fast, "four times as fast"),
    Binding {
        group: MOVE,
        trigger: Trigger::Wheel,
        does: Does::Roll,
        help: "faster, slower; around a model: nearer, farther",
    },
    once(
        MOVE,
        KeyCode::KeyM,
        Command::ToggleMode,
        "walk or fly; with a model: turn it or fly",
    ),
    once(
        MOVE,
        KeyCode::Enter,
        Command::TogglePath,
        "follow the camera path, or leave it",
    ),
    Binding {
        group: MOVE,
        ..ctrl(
            KeyCode::KeyK,
            Command::AddPathKey,
            "add this place to a camera path",
        )
    },
    once(MOVE, KeyCode::Home, Command::GoHome, "back to the start"),
    Binding {
        group: MOVE,
        trigger: Trigger::CtrlDigit,
        does: Does::OnBookmark(Command::StoreBookmark),
        help: "remember this place",
    },
    Binding {
        group: MOVE,
        trigger: Trigger::Digit,
        does: Does::OnBookmark(Command::RecallBookmark),
        help: "go to a remembered place",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Button(MouseButton::Left),
        does: Does::Once(Command::GrabOrPick),
        help: "hold the mouse; then pick; again: the way from the last pick",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Motion,
        does: Does::Look,
        help: "look around, while the mouse is held",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Button(MouseButton::Right),
        does: Does::Once(Command::Unpick),
        help: "forget what is picked",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Button(MouseButton::Middle),
        does: Does::Once(Command::Use),
        help: USE,
    },
    Binding {
        group: POINT,
        ..ctrl(KeyCode::KeyU, Command::Use, USE)
    },
    once(
        POINT,
        KeyCode::Escape,
        Command::Release,
        "leave the camera path; let the mouse go; close this",
    ),
    Binding {
        group: POINT,
        ..ctrl(KeyCode::KeyC, Command::CopyPlace, "copy the place as text")
    },
    edit(KeyCode::KeyE, EditCommand::Toggle),
    edit(KeyCode::KeyZ, EditCommand::Undo),
    edit(KeyCode::KeyY, EditCommand::Redo),
    edit(KeyCode::KeyS, EditCommand::Save),
    drag(MouseButton::Left, Drag::Turn, "turn the model"),
    drag(MouseButton::Middle, Drag::Pan, "move the model across"),
    drag(MouseButton::Right, Drag::Pan, "move the model across"),
    models(
        KeyCode::Space,
        ModelCommand::TogglePause,
        "stop models, let them go on",
    ),
    models(
        KeyCode::KeyT,
        ModelCommand::NextPlay,
        "what plays in a level: all, nothing, what it says",
    ),
    models(
        KeyCode::Comma,
        ModelCommand::StepFrame(-1),
        "one frame back, on, of a model alone",
    ),
    models(
        KeyCode::Period,
        ModelCommand::StepFrame(1),
        "one frame back, on, of a model alone",
    ),
    models(
        KeyCode::KeyU,
        ModelCommand::NextState,
        "next state, next level of detail",
    ),
    models(
        KeyCode::KeyI,
        ModelCommand::NextLod,
        "next state, next level of detail",
    ),
    models(KeyCode::KeyN, ModelCommand::ToggleNames, "names, bones"),
    models(KeyCode::KeyJ, ModelCommand::ToggleBones, "names, bones"),
    land(KeyCode::Tab, LandCommand::NextColorBy, "what colors show"),
    land(
        KeyCode::Quote,
        LandCommand::ToggleShape,
        "slopes, or each cell level",
    ),
    land(
        KeyCode::Minus,
        LandCommand::ToggleSides,
        "closed sides, lines between cells",
    ),
    land(
        KeyCode::Equal,
        LandCommand::ToggleGrid,
        "closed sides, lines between cells",
    ),
    land(
        KeyCode::Slash,
        LandCommand::NextLayer,
        "one layer after the other alone",
    ),
    land(
        KeyCode::PageUp,
        LandCommand::MoveCut(1),
        "cut off above a height, higher or lower",
    ),
    land(
        KeyCode::PageDown,
        LandCommand::MoveCut(-1),
        "cut off above a height, higher or lower",
    ),
    land(KeyCode::Backspace, LandCommand::Uncut, "cut off nothing"),
    once(SHOW, KeyCode::F1, Command::ToggleHelp, "this help"),
    once(SHOW, KeyCode::F2, Command::TogglePanel, "panel"),
    once(SHOW, KeyCode::F3, Command::ToggleCrosshair, "crosshair"),
    overlay(KeyCode::F5, 0),
    overlay(KeyCode::F6, 1),
    overlay(KeyCode::F7, 2),
    overlay(KeyCode::F8, 3),
    Binding {
        group: SHOW,
        ..ctrl(KeyCode::KeyM, Command::ToggleMinimap, "map of the level")
    },
    once(SHOW, KeyCode::F11, Command::ToggleFullscreen, "full screen"),
    once(
        PICTURE,
        KeyCode::BracketLeft,
        Command::StepHour(-1),
        "an hour back, on, in a level that has a day",
    ),
    once(
        PICTURE,
        KeyCode::BracketRight,
        Command::StepHour(1),
        "an hour back, on, in a level that has a day",
    ),
    once(
        PICTURE,
        KeyCode::Backslash,
        Command::ToggleDay,
        "let the day go by, or stop it",
    ),
    once(
        PICTURE,
        KeyCode::F4,
        Command::ToggleStyle,
        "faithful to the game, or enhanced",
    ),
    feature(KeyCode::KeyF, Feature::Fog),
    feature(KeyCode::KeyG, Feature::Water),
    feature(KeyCode::KeyR, Feature::WaterReflection),
    feature(KeyCode::Insert, Feature::DeepWater),
    feature(KeyCode::Delete, Feature::Mirrors),
    feature(KeyCode::KeyB, Feature::SeaBeyondEdge),
    feature(KeyCode::KeyK, Feature::Sky),
    feature(KeyCode::KeyC, Feature::Clouds),
    feature(KeyCode::Semicolon, Feature::RichSky),
    feature(KeyCode::Backquote, Feature::Haze),
    feature(KeyCode::KeyX, Feature::Decal),
    feature(KeyCode::KeyZ, Feature::Detail),
    feature(KeyCode::KeyO, Feature::Models),
    feature(KeyCode::Pause, Feature::Particles),
    ctrl_feature(KeyCode::KeyG, Feature::Foliage),
    feature(KeyCode::KeyH, Feature::Lightmap),
    feature(KeyCode::KeyL, Feature::Lod),
    feature(KeyCode::KeyY, Feature::Visibility),
    feature(KeyCode::End, Feature::SunShadows),
    feature(KeyCode::F10, Feature::LocalLights),
    ctrl_feature(KeyCode::KeyL, Feature::AmbientOcclusion),
    ctrl_feature(KeyCode::KeyJ, Feature::LampShadows),
    ctrl_feature(KeyCode::KeyB, Feature::Bloom),
    ctrl_feature(KeyCode::End, Feature::BlobShadows),
    ctrl_feature(KeyCode::KeyH, Feature::AutoExposure),
    ctrl_feature(KeyCode::KeyR, Feature::ColorCorrection),
    ctrl_feature(KeyCode::Delete, Feature::Ripples),
    Binding {
        group: PICTURE,
        ..ctrl(
            KeyCode::KeyT,
            Command::NextSurfaceView,
            "wireframe, normals and the like",
        )
    },
    compare(KeyCode::Slash, Command::SwapSides),
    compare(KeyCode::Comma, Command::MoveSplit(-1)),
    compare(KeyCode::Period, Command::MoveSplit(1)),
    once(
        PICTURE,
        KeyCode::KeyP,
        Command::ToggleFrozenCulling,
        "keep drawing only what is seen from here",
    ),
    once(
        PICTURE,
        KeyCode::F9,
        Command::ToggleLockedVisibility,
        "keep leaving out what this cell does not see",
    ),
    once(
        PICTURE,
        KeyCode::KeyV,
        Command::ToggleVsync,
        "wait for the display (vsync)",
    ),
    once(
        PROGRAM,
        KeyCode::F12,
        Command::Screenshot,
        "write the picture as PNG into the current folder",
    ),
    ctrl(
        KeyCode::KeyP,
        Command::TogglePhoto,
        "photo mode: only the level, and time stands still",
    ),
    ctrl(
        KeyCode::Space,
        Command::ToggleTime,
        "let time stand still, or pass",
    ),
    ctrl(
        KeyCode::Home,
        Command::ShowStart,
        "start screen: all levels",
    ),
    ctrl(KeyCode::KeyO, Command::OpenFile, "open a file"),
    ctrl(KeyCode::KeyQ, Command::Quit, "quit"),
];

const fn hold(key: KeyCode, held: Held, help: &'static str) -> Binding {
    Binding {
        group: MOVE,
        trigger: Trigger::Key(key),
        does: Does::Hold(held),
        help,
    }
}

const fn once(group: &'static str, key: KeyCode, command: Command, help: &'static str) -> Binding {
    Binding {
        group,
        trigger: Trigger::Key(key),
        does: Does::Once(command),
        help,
    }
}

const fn ctrl(key: KeyCode, command: Command, help: &'static str) -> Binding {
    Binding {
        trigger: Trigger::CtrlKey(key),
        ..once(PROGRAM, key, command, help)
    }
}

const fn edit(key: KeyCode, command: EditCommand) -> Binding {
    Binding {
        group: POINT,
        ..ctrl(
            key,
            Command::Edit(command),
            "edit the level; undo, redo, save",
        )
    }
}

const fn drag(button: MouseButton, drag: Drag, help: &'static str) -> Binding {
    Binding {
        group: MODELS,
        trigger: Trigger::Drag(button),
        does: Does::Drag(drag),
        help,
    }
}

const fn models(key: KeyCode, command: ModelCommand, help: &'static str) -> Binding {
    once(MODELS, key, Command::Models(command), help)
}

const fn land(key: KeyCode, command: LandCommand, help: &'static str) -> Binding {
    once(TILED_LAND, key, Command::Land(command), help)
}

const fn feature(key: KeyCode, feature: Feature) -> Binding {
    once(PICTURE, key, Command::Toggle(feature), feature.label())
}

const fn ctrl_feature(key: KeyCode, feature: Feature) -> Binding {
    Binding {
        trigger: Trigger::CtrlKey(key),
        ..self::feature(key, feature)
    }
}

const fn compare(key: KeyCode, command: Command) -> Binding {
    Binding {
        group: PICTURE,
        ..ctrl(
            key,
            command,
            "of two levels: swap the sides, move the split",
        )
    }
}

const fn overlay(key: KeyCode, index: usize) -> Binding {
    once(
        SHOW,
        key,
        Command::ToggleOverlay(index),
        "first to fourth overlay of the level",
    )
}
