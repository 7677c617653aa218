use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read,
};

proof! {
    Cam {
        facts: facts(),
        damage: damage(),
        // There is no header: only a cut inside of a record shows.
        truncations: Truncations::ValidIf(|cut| cut.len().is_multiple_of(RECORD_SIZE)),
        values: any_path(),
        growth: 16,
        runs: 1_000,
        records: [RecordPlace::new::<CamRecord>(0, ())],
        of_bytes: prove_tolerantly_read::<Cam>,
    }
}

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

/// Typed from the dossier's table.
fn facts() -> Vec<Fact<Cam>> {
    let path = |n_records| Cam::draft(vec![record(); n_records]);
    vec![
        Fact::new("none", Cam::default(), []),
        Fact::new("one", path(1), hex(RECORD)),
        Fact::new("two", path(2), hex(RECORD).repeat(2)),
        Fact::new("three", path(3), hex(RECORD).repeat(3)),
    ]
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
        assert_eq!(CamNumber::from_raw(raw), number, "{raw:#x}");
    }
    assert_eq!(record().time().value(), 0.5);
    assert_eq!(record().step().value(), 7.0);
}

fn damage() -> Vec<Damage> {
    let good = hex(RECORD).repeat(2);
    let rows = [
        ("in one", 35, 0),
        ("behind one", 37, 36),
        ("in two", 71, 36),
    ];
    let rows = rows.map(|(name, cut, offset)| Damage::new(name, &good[..cut], "record", offset));
    rows.to_vec()
}

#[test]
fn a_cut_record_is_kept_and_reported() {
    for Damage { bytes, offset, .. } in damage() {
        let cam = Cam::read_with(&bytes, Tolerance::CUT_RECORD).unwrap();
        assert_eq!(cam.write().as_ref(), Ok(&bytes));
        assert_eq!(cam.records.len(), bytes.len() / RECORD_SIZE);
        let findings = cam.check();
        let is_cut = |it: &&Finding| it.message.contains("after the last whole");
        let cut_off = findings.iter().find(is_cut);
        assert_eq!(cut_off.unwrap().offset, Some(offset), "{findings:?}");
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
    for (bad, reported, severity) in [
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
        assert!(findings[0].message.starts_with(reported), "{findings:?}");
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

/// Words of any bits.
fn any_path() -> impl Strategy<Value = Cam> {
    let record = any::<[u32; 9]>().prop_map(|[time, step, x, y, z, rotation @ ..]| CamRecord {
        time,
        step,
        position: [x, y, z].map(f32::from_bits),
        rotation: rotation.map(f32::from_bits),
    });
    prop::collection::vec(record, 0..4).prop_map(Cam::draft)
}
