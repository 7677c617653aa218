use super::*;
use crate::cam;
use ironlands_assets_proof::mutant;

const ALL: [CameraZero; 6] = [
    CameraZero::X,
    CameraZero::MinusX,
    CameraZero::Y,
    CameraZero::MinusY,
    CameraZero::Z,
    CameraZero::MinusZ,
];

/// Turned about +z by 90°, in the order of the file.
const QUARTER: [f32; 4] = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
const UNTURNED: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

fn record(time: u32, rotation: [f32; 4]) -> CamRecord {
    CamRecord {
        time,
        step: 0,
        position: [1.0, -2.0, 3.0],
        rotation,
    }
}

fn seconds(time: f32) -> CamRecord {
    record(time.to_bits(), UNTURNED)
}

fn path_of(records: &[CamRecord], zero: CameraZero) -> (CameraPath, Vec<Finding>) {
    to_camera_path(&Cam::draft(records.to_vec()), "flight", zero).unwrap()
}

fn times(records: &[CamRecord]) -> (Vec<f32>, Severity) {
    let (path, findings) = path_of(records, CameraZero::X);
    assert_eq!(path.validate(), Ok(()));
    let times = path.keys.iter().map(|key| key.time_secs).collect();
    (times, findings[0].severity)
}

/// v + 2w(q x v) + 2q x (q x v): a rotation written without the product under test.
fn turned([x, y, z, w]: [f32; 4], v: [f32; 3]) -> [f32; 3] {
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
}

fn assert_near(found: [f32; 3], expected: [f32; 3], what: &str) {
    let near = found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near, "{what}: {found:?} is not {expected:?}");
}

#[test]
fn an_unturned_camera_looks_where_its_zero_says() {
    for (zero, ahead, up) in [
        (CameraZero::X, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        (CameraZero::MinusX, [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        (CameraZero::Y, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        (CameraZero::MinusY, [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]),
        (CameraZero::Z, [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        (CameraZero::MinusZ, [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]),
    ] {
        let (path, _) = path_of(&[seconds(0.0)], zero);
        let rotation = path.keys[0].rotation;
        assert_near(turned(rotation, [1.0, 0.0, 0.0]), ahead, "ahead");
        assert_near(turned(rotation, [0.0, 0.0, 1.0]), up, "up");
    }
}

#[test]
fn the_file_turns_the_camera_after_its_zero() {
    let (path, _) = path_of(&[record(0, QUARTER)], CameraZero::MinusY);
    let rotation = path.keys[0].rotation;
    // -y, a quarter from +x toward +y, is +x.
    assert_near(turned(rotation, [1.0, 0.0, 0.0]), [1.0, 0.0, 0.0], "ahead");
    assert_eq!(path.keys[0].position, [1.0, -2.0, 3.0]);
    let (path, _) = path_of(&[record(0, QUARTER)], CameraZero::MinusZ);
    let rotation = path.keys[0].rotation;
    assert_near(turned(rotation, [1.0, 0.0, 0.0]), [0.0, 0.0, -1.0], "ahead");
    assert_near(turned(rotation, [0.0, 0.0, 1.0]), [-1.0, 0.0, 0.0], "up");
}

#[test]
fn rotations_of_any_length_are_taken() {
    let doubled = QUARTER.map(|v| v * 2.0);
    for zero in ALL {
        let [plain, long] = [QUARTER, doubled].map(|it| path_of(&[record(0, it)], zero).0);
        assert_eq!(plain.validate(), Ok(()));
        assert_eq!(long.validate(), Ok(()));
        let [plain, long] = [plain, long].map(|it| turned(it.keys[0].rotation, [0.6, 0.0, 0.8]));
        assert_near(long, plain, "doubled");
    }
}

#[test]
fn times_are_seconds_milliseconds_or_ticks_from_the_first_on() {
    let millis = |time: u32| record(time, UNTURNED);
    for (records, expected, severity) in [
        (
            vec![seconds(0.0), seconds(0.5), seconds(4.0)],
            vec![0.0, 0.5, 4.0],
            Severity::Note,
        ),
        (
            vec![seconds(2.0), seconds(2.25)],
            vec![0.0, 0.25],
            Severity::Note,
        ),
        (
            vec![millis(0), millis(500), millis(1250)],
            vec![0.0, 0.5, 1.25],
            Severity::Note,
        ),
        (
            vec![millis(100), millis(1100)],
            vec![0.0, 1.0],
            Severity::Note,
        ),
        (
            vec![seconds(0.0); 3],
            vec![0.0, 1.0 / 15.0, 2.0 / 15.0],
            Severity::Warning,
        ),
        (
            vec![seconds(3.0), seconds(1.0)],
            vec![0.0, 1.0 / 15.0],
            Severity::Warning,
        ),
        (vec![seconds(3.0)], vec![0.0], Severity::Note),
    ] {
        assert_eq!(times(&records), (expected, severity), "{records:?}");
    }
}

#[test]
fn what_is_no_path_is_refused_at_its_place() {
    let mut far = seconds(1.0);
    far.position[1] = f32::INFINITY;
    let flat = record(1.0f32.to_bits(), [0.0; 4]);
    let none = record(1.0f32.to_bits(), [f32::NAN, 0.0, 0.0, 0.0]);
    for (records, offset, field) in [
        (vec![], 0, "record"),
        (vec![seconds(0.0), far], 36 + 8, "position"),
        (vec![seconds(0.0), flat], 36 + 20, "rotation"),
        (vec![none], 20, "rotation"),
    ] {
        let error = to_camera_path(&Cam::draft(records), "", CameraZero::X).unwrap_err();
        assert_eq!((error.offset, &*error.field), (offset, field), "{error}");
    }
}

#[test]
fn a_path_comes_back_from_its_file() {
    let path = CameraPath {
        name: "flight".to_owned(),
        keys: vec![
            CameraKey {
                time_secs: 0.0,
                position: [1.5, 2.0, -3.0],
                rotation: [0.0, 0.6, 0.0, 0.8],
            },
            CameraKey {
                time_secs: 0.75,
                position: [1e4, 0.0, 0.5],
                rotation: [0.5, -0.5, 0.5, -0.5],
            },
        ],
    };
    for zero in ALL {
        let cam = from_camera_path(&path, zero);
        let again = Cam::read(&cam.write().unwrap()).unwrap();
        let (found, _) = to_camera_path(&again, "flight", zero).unwrap();
        for (found, key) in found.keys.iter().zip(&path.keys) {
            assert_eq!(
                (found.time_secs, found.position),
                (key.time_secs, key.position)
            );
            let pairs = found.rotation.iter().zip(key.rotation);
            let is_same = pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(is_same, "{zero:?}: {found:?} is not {key:?}");
        }
    }
}

#[test]
fn what_check_calls_sound_is_a_path() {
    let good = Cam::draft(vec![
        seconds(0.0),
        record(1.0f32.to_bits(), QUARTER),
        seconds(2.5),
    ]);
    let good = good.write().unwrap();
    let mut n_sound = 0;
    for seed in 0..20_000 {
        let Ok(cam) = Cam::read_with(&mutant(&good, seed), cam::Tolerance::all()) else {
            continue;
        };
        if cam.check().iter().any(|it| it.severity == Severity::Error) {
            continue;
        }
        n_sound += 1;
        let (path, _) = to_camera_path(&cam, "flight", CameraZero::X).expect("check said so");
        assert_eq!(path.validate(), Ok(()), "seed {seed}");
    }
    assert!(n_sound > 1000, "{n_sound}");
}
