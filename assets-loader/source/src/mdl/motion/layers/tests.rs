use super::*;
use crate::mdl::Mdl;
use crate::mdl::motion::sample::{Kind, moving, put, word};

/// Comes from 0.2 to 0.4 of a sequence, goes from 0.6 to 0.8.
const RAMP: SequenceLayer = SequenceLayer {
    sequence: 0,
    parameter: 0,
    flags: 0,
    start: 0.2,
    peak: 0.4,
    tail: 0.6,
    end: 0.8,
};

fn assert_at(layer: SequenceLayer, at: (f32, f32, Option<f32>), expected: Option<(f32, f32)>) {
    let (weight, cycle, value) = at;
    let found = layer.at(weight, cycle, value);
    let found = found.map(|it| (it.weight, it.cycle));
    let is_near = match (found, expected) {
        (Some(a), Some(b)) => (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6,
        (found, expected) => found == expected,
    };
    assert!(is_near, "{layer:?} at {at:?}: {found:?}, not {expected:?}");
}

#[test]
fn a_layer_comes_and_goes_along_its_ramps() {
    for (cycle, expected) in [
        (0.1, None),
        (0.2, Some((0.0, 0.0))),
        (0.3, Some((0.5, 1.0 / 6.0))),
        (0.4, Some((1.0, 1.0 / 3.0))),
        (0.5, Some((1.0, 0.5))),
        (0.6, Some((1.0, 2.0 / 3.0))),
        (0.7, Some((0.5, 5.0 / 6.0))),
        (0.75, Some((0.25, 11.0 / 12.0))),
        (0.8, None),
        (0.9, None),
    ] {
        assert_at(RAMP, (1.0, cycle, None), expected);
        let half = expected.map(|(weight, own)| (weight / 2.0, own));
        assert_at(RAMP, (0.5, cycle, None), half);
    }
}

#[test]
fn flags_bend_the_ramps() {
    let flagged = |flags| SequenceLayer { flags, ..RAMP };
    // At a quarter of the way a curve of third degree is 3/16 - 2/64 high.
    let quarter = Some((0.156_25, 1.0 / 12.0));
    assert_at(flagged(0x40), (1.0, 0.25, None), quarter);
    assert_at(flagged(0x200), (0.5, 0.3, None), Some((0.5, 1.0 / 6.0)));
    // Half of a half, of that and the half that is not the sequence.
    let fading = Some((1.0 / 3.0, 5.0 / 6.0));
    assert_at(flagged(0x80), (0.5, 0.7, None), fading);
    assert_at(flagged(0x80), (0.5, 0.3, None), Some((0.25, 1.0 / 6.0)));
    assert_at(flagged(0x80), (1.0, 0.7, None), Some((1.0, 5.0 / 6.0)));
}

#[test]
fn a_parameter_counts_in_place_of_time() {
    let layer = SequenceLayer {
        flags: 0x4000,
        start: -90.0,
        peak: -45.0,
        tail: 45.0,
        end: 90.0,
        ..RAMP
    };
    for (value, expected) in [
        (Some(-91.0), None),
        (Some(-67.5), Some((0.5, 0.1))),
        (Some(0.0), Some((1.0, 0.1))),
        (None, Some((1.0, 0.1))),
        (Some(81.0), Some((0.2, 0.1))),
        (Some(90.0), None),
    ] {
        assert_at(layer, (1.0, 0.1, value), expected);
    }
    // A local layer follows the time.
    let local = SequenceLayer {
        flags: 0x5000,
        ..RAMP
    };
    assert_at(local, (1.0, 0.3, Some(9.0)), Some((0.5, 1.0 / 6.0)));
}

#[test]
fn a_layer_without_ramps_is_always_seen() {
    let always = SequenceLayer {
        start: 0.0,
        peak: 0.0,
        tail: 0.0,
        end: 0.0,
        ..RAMP
    };
    assert_at(always, (0.7, 0.9, None), Some((0.7, 0.9)));
    // With a parameter it rises from peak to tail.
    let rising = SequenceLayer {
        flags: 0x4000,
        tail: 2.0,
        ..always
    };
    assert_at(rising, (1.0, 0.9, Some(0.5)), Some((0.25, 0.9)));
    assert_at(rising, (0.5, 0.9, Some(3.0)), Some((0.5, 0.9)));
    assert_at(rising, (1.0, 0.9, Some(-1.0)), Some((0.0, 0.9)));
    assert_at(rising, (1.0, 0.9, None), None);
    let curved = SequenceLayer {
        flags: 0x4040,
        ..rising
    };
    assert_at(curved, (1.0, 0.9, Some(0.5)), Some((0.156_25, 0.9)));
    let flat = SequenceLayer {
        flags: 0x4000,
        ..always
    };
    assert_at(flat, (1.0, 0.9, None), Some((1.0, 0.9)));
}

#[test]
fn ramps_of_a_sequence_of_one_frame_are_no_numbers_and_always_seen() {
    let (none, endless) = (f32::NAN, f32::INFINITY);
    for [start, peak, tail, end] in [
        [none; 4],
        [none, endless, endless, endless],
        [0.0, none, none, endless],
    ] {
        let layer = SequenceLayer {
            start,
            peak,
            tail,
            end,
            ..RAMP
        };
        let found = layer.at(0.5, 0.0, None).expect("it is seen");
        assert!(
            (0.0..=1.0).contains(&found.weight) && found.cycle == 0.0,
            "{found:?}"
        );
    }
}

/// The sample with a layer of its sequence over itself, in bytes typed by hand.
fn layered() -> (Vec<u8>, usize) {
    let mut data = moving(Kind::Runs);
    let row = data.len();
    data.extend([0, 0, 0, 0, 0x40, 0x40, 0, 0]);
    for number in [-90.0_f32, -45.0, 45.0, 90.0] {
        data.extend(number.to_le_bytes());
    }
    let sequence = word(&data, 0xC0);
    put(&mut data, sequence + 148, 1);
    put(&mut data, sequence + 152, (row - sequence) as i32);
    let len = data.len() as i32;
    put(&mut data, 76, len);
    (data, row)
}

#[test]
fn layers_are_read_and_described() {
    let (data, row) = layered();
    let mdl = Mdl::read(&data).unwrap();
    assert_eq!(mdl.write().unwrap(), data, "byte for byte");
    let motion = Motion::read(&mdl).unwrap();
    let expected = SequenceLayer {
        flags: 0x4040,
        start: -90.0,
        peak: -45.0,
        tail: 45.0,
        end: 90.0,
        ..RAMP
    };
    assert_eq!(motion.sequences[0].layers, [expected]);
    assert_eq!(
        motion.facts(0),
        "turn, ACT_TURN, loops, at 0.50: AE_STEP left, lays turn over it (-90.00, -45.00 to 45.00, 90.00 of move_yaw)"
    );
    assert_eq!(motion.facts(1), "");
    let mut wrong = data;
    wrong[row] = 1;
    let error = Motion::read(&Mdl::read(&wrong).unwrap()).unwrap_err();
    assert_eq!(
        (&*error.field, error.offset),
        ("layer sequence", row as u64)
    );
}

#[test]
fn damaged_layers_are_errors_or_seen_as_much_as_they_may() {
    let (data, _) = layered();
    ironlands_assets_proof::assert_survives_mutations(&data, 2_000, 64, |data| {
        let motion = Motion::read(&Mdl::read(data)?)?;
        for (number, sequence) in motion.sequences.iter().enumerate() {
            motion.facts(number);
            for layer in &sequence.layers {
                let value = layer.parameter_among(&motion.pose_parameters);
                let value = value.map(|it| it.nearest_to(0.0));
                if let Some(found) = layer.at(1.0, 0.5, value) {
                    assert!((0.0..=1.0).contains(&found.weight), "{found:?}");
                    assert!(found.cycle.is_finite(), "{found:?}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_sequence_that_is_only_declared_has_no_animations() {
    let mut data = moving(Kind::Runs);
    let sequence = word(&data, 0xC0);
    put(&mut data, sequence + 12, 0x800);
    for at in [56, 68, 72] {
        put(&mut data, sequence + at, 0);
    }
    let motion = Motion::read(&Mdl::read(&data).unwrap()).unwrap();
    assert!(motion.sequences[0].is_declared());
    assert!(motion.sequences[0].animations.is_empty());
    put(&mut data, sequence + 12, 0);
    let error = Motion::read(&Mdl::read(&data).unwrap()).unwrap_err();
    assert_eq!(error.field, "sequence grid");
}
