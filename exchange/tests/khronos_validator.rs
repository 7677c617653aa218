//! The Khronos glTF validator over written scenes.

#[path = "common/khronos.rs"]
mod khronos;
#[path = "common/lit_scene.rs"]
mod lit_scene;

use std::process::ExitCode;

use ironlands_exchange::write_scene_glb;

const TRIAL: khronos::Validated = ("khronos_scene", || {
    let glb = write_scene_glb(&lit_scene::lit_scene()).expect("a scene that can be written");
    vec![glb.bytes]
});

fn main() -> ExitCode {
    khronos::run([TRIAL])
}
