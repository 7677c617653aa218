use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{assert_survives_mutations, hex};

fn record() -> CamRecord {
    CamRecord {
        time: 0.5_f32.to_bits(),
        step: 7,
        position: [1.0, -2.0, 0.5],
        rotation: [1.0, 0.0, -0.0, 0.0],
    }
}

const RECORD: &str = "
    00 00 00 3F  07 00 00 00  00 00 80 3F 00 00 00 C0 00 00 00 3F
    00 00 80 3F 00 00 00 00 00 00 00 80 00 00 00 00";

/// Name, value, bytes typed from the dossier's table.
fn facts() -> Vec<(&'static str, Cam, Vec<u8>)> {
    vec![
        ("none", Cam::default(), Vec::new()),
        ("one", Cam::draft(vec![record()]), hex(RECORD)),
        ("two", Cam::draft(vec![record(); 2]), hex(RECORD).repeat(2)),
    ]
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    for (name, value, bytes) in facts() {
        assert_eq!(Cam::read(&bytes).as_ref(), Ok(&value), "{name}");
        assert_eq!(value.write(), Ok(bytes), "{name}");
    }
}

#[test]
fn raw_words_are_floats_where_that_is_plausible() {
    let float = |value: f32| (value.to_bits(), CamNumber::Float(value));
    let integer = |value: u32| (value, CamNumber::Integer(value));
    let rows = [
        float(0.0),
        float(-12.5),
        float(1e-6),
        float(1e7),
        integer(1),
        integer(1_000_000),
        integer(1.1e7_f32.to_bits()),
        integer(f32::NAN.to_bits()),
        integer(u32::MAX),
    ];
    for (raw, number) in rows {
        assert_eq!(CamNumber::of(raw), number, "{raw:#x}");
    }
    assert_eq!(record().time().value(), 0.5);
    assert_eq!(record().step().value(), 7.0);
}

#[test]
fn damage_is_named_where_it_stands() {
    let good = hex(RECORD).repeat(2);
    for (cut, offset) in [(35, 0), (37, 36), (71, 36)] {
        let error = Cam::read(&good[..cut]).unwrap_err();
        assert_eq!((&*error.field, error.offset), ("record", offset), "{error}");
        let cam = Cam::read_with(&good[..cut], Tolerance::CUT_RECORD).unwrap();
        assert_eq!(cam.write().as_deref(), Ok(&good[..cut]));
        assert_eq!(cam.records.len(), cut / RECORD_SIZE);
        let findings = cam.check();
        let cut_off = findings
            .iter()
            .find(|it| it.message.contains("after the last whole"));
        assert_eq!(cut_off.unwrap().offset, Some(offset), "{findings:?}");
    }
}

/// There is no header: only a cut inside of a record shows.
#[test]
fn every_truncation_inside_of_a_record_is_refused() {
    let good = hex(RECORD).repeat(3);
    for len in 0..good.len() {
        let is_whole = len % RECORD_SIZE == 0;
        assert_eq!(Cam::read(&good[..len]).is_ok(), is_whole, "{len}");
    }
}

#[test]
fn checks_name_the_record() {
    assert_eq!(Cam::draft(vec![record(); 2]).check(), []);
    let long = CamRecord {
        rotation: [1.0, 0.5, 0.0, 0.0],
        ..record()
    };
    let unturned = CamRecord {
        rotation: [0.0; 4],
        ..record()
    };
    let lost = CamRecord {
        position: [f32::NAN, 0.0, 0.0],
        ..record()
    };
    let early = CamRecord {
        time: 0,
        ..record()
    };
    for (bad, told, severity) in [
        (
            long,
            "record 1: the rotation has length 1.118",
            Severity::Warning,
        ),
        (
            unturned,
            "record 1: the rotation has length 0, not 1",
            Severity::Error,
        ),
        (lost, "record 1: a number is not finite", Severity::Error),
        (early, "times do not ascend", Severity::Note),
    ] {
        let findings = Cam::draft(vec![record(), bad]).check();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].message.starts_with(told), "{findings:?}");
        assert_eq!(findings[0].severity, severity);
    }
    assert_eq!(Cam::default().check()[0].message, "no record");
}

#[test]
fn json_reads_as_people_expect() {
    let json = Cam::draft(vec![record()]).to_json().unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["records"][0]["time"]["float"], 0.5);
    assert_eq!(value["records"][0]["step"]["integer"], 7);
    assert_eq!(value["records"][0]["position"][1], -2.0);
    for (from, to) in [("\"cam\"", "\"db\""), ("\"time\"", "\"tome\""), ("7", "-7")] {
        assert!(Cam::from_json(&json.replace(from, to)).is_err(), "{to}");
    }
}

proptest! {
    #[test]
    fn any_path_survives_bytes_and_json(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let cam = Cam::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert_eq!(cam.write(), Ok(bytes.clone()));
        let again = Cam::from_json(&cam.to_json().unwrap()).unwrap();
        prop_assert_eq!(again.write(), Ok(bytes));
    }
}

#[test]
fn damage_never_panics() {
    assert_survives_mutations(&hex(RECORD).repeat(3), 2_000, 16, |data| {
        Cam::read_with(data, Tolerance::all())?.check();
        let cam = Cam::read(data)?;
        assert_eq!(cam.write().as_deref(), Ok(data));
        Ok(())
    });
}
