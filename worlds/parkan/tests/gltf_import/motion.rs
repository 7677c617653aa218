//! Animation as keys at whole frames.

use glam::{DQuat, DVec3};
use ironlands_assets_parkan::msh::stored_rotation;
use ironlands_world_parkan::exchange::{ImportOptions, ImportedModel, read_glb};
use serde_json::json;

use crate::{File, reported};

#[test]
fn keys_at_whole_frames_stay_and_others_are_sampled() {
    let mut file = File::triangle();
    let values = [0.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    file.animate("translation", "LINEAR", &[0.0, 0.2], &values);
    let imported = file.read();
    let x = |imported: &ImportedModel| -> Vec<(f32, f32)> {
        let keys = imported.draft.nodes[0].keys.iter();
        keys.map(|key| (key.time, key.position[0])).collect()
    };
    assert_eq!(x(&imported), [(0.0, 0.0), (3.0, 3.0)]);
    // At 24 frames a second the second key lies at frame 4.8.
    let options = ImportOptions {
        frames_per_sec: Some(24.0),
    };
    let sampled = read_glb(&file.text(), &options).unwrap();
    let sampled = x(&sampled);
    assert_eq!(sampled.len(), 6);
    for (time, x) in &sampled[..5] {
        assert!((x - time * 3.0 / 4.8).abs() < 1e-5, "{sampled:?}");
    }
    assert_eq!(sampled[5], (5.0, 3.0), "after the end the last key holds");
    // The first key holds before it.
    file.animate("translation", "LINEAR", &[0.2, 0.4], &values);
    assert_eq!(x(&file.read()), [(0.0, 0.0), (3.0, 0.0), (6.0, 3.0)]);
}

#[test]
fn steps_and_curves_are_sampled_at_every_frame() {
    let mut file = File::triangle();
    file.animate(
        "translation",
        "STEP",
        &[0.0, 0.2],
        &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0],
    );
    let x = |file: &File| -> Vec<f32> {
        let imported = file.read();
        assert!(
            reported(&imported)
                .iter()
                .any(|it| it.contains("straight lines"))
        );
        imported.draft.nodes[0]
            .keys
            .iter()
            .map(|key| key.position[0])
            .collect()
    };
    assert_eq!(x(&file), [0.0, 0.0, 0.0, 3.0]);
    // In-tangent, value, out-tangent of two keys: from 0 to 1 over four frames, flat at the start.
    let (times, tangent) = ([0.0, 4.0 / 15.0], 6.0);
    let mut values = [0.0; 18];
    (values[9], values[12]) = (tangent, 1.0);
    file.animate("translation", "CUBICSPLINE", &times, &values);
    let found = x(&file);
    assert_eq!(found.len(), 5);
    for (frame, x) in found.iter().enumerate() {
        // (-2a^3 + 3a^2) p1 + t (a^3 - a^2) m1
        let a = frame as f32 / 4.0;
        let wanted = 3.0 * a * a - 2.0 * a * a * a + times[1] * (a * a * a - a * a) * tangent;
        assert!((x - wanted).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn rotations_go_the_short_way_and_are_stored_as_conjugates() {
    let mut file = File::triangle();
    let half = 0.5f32.sqrt();
    // A quarter turn about +Y of glTF, written with the other sign; it is about +Z of the model.
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, -half, 0.0, -half];
    file.animate("rotation", "LINEAR", &[0.0, 0.1], &values);
    let draft = file.read().draft;
    assert_eq!(draft.nodes[0].keys.len(), 3, "frame 1.5 is sampled");
    let turned = |frame: usize| {
        let [w, x, y, z] = stored_rotation(draft.nodes[0].keys[frame].rotation).map(f64::from);
        DQuat::from_xyzw(x, y, z, w) * DVec3::Z
    };
    let (sin, cos) = (std::f64::consts::FRAC_PI_2 / 1.5).sin_cos();
    // The node's own +Z, which is -Y of the model at rest.
    assert!((turned(0) - DVec3::new(0.0, -1.0, 0.0)).length() < 1e-6);
    assert!(
        (turned(1) - DVec3::new(sin, -cos, 0.0)).length() < 1e-6,
        "{}",
        turned(1)
    );
    assert!(
        (turned(2) - DVec3::new(1.0, 0.0, 0.0)).length() < 1e-6,
        "{}",
        turned(2)
    );
}

#[test]
fn a_turn_below_a_scale_that_differs_by_axis_is_refused() {
    let mut file = File::triangle();
    file.animate(
        "rotation",
        "LINEAR",
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
    );
    file.json["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"children": [0], "scale": [1.0, 2.0, 1.0]}));
    file.json["scenes"][0]["nodes"] = json!([1]);
    let error = file.try_read().unwrap_err().to_string();
    let wanted =
        "gltf: nodes[0]: it turns below a scale that differs by axis, which no rigid node can show";
    assert_eq!(error, wanted);
    // Under one scale for all axes it is fine.
    file.json["nodes"][1]["scale"] = json!([2.0, 2.0, 2.0]);
    assert!(file.try_read().is_ok());
}
