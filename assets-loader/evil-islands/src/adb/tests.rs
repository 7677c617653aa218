use proptest::prelude::*;

use super::*;
use ironlands_assets_core::text::fixed_name;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read,
};

proof! {
    Adb {
        facts: facts(),
        damage: damage().into_iter().map(|(damage, _)| damage).collect::<Vec<_>>(),
        truncations: Truncations::Refused,
        values: any_table(),
        growth: 16,
        runs: 2_000,
        records: [
            RecordPlace::new::<Header>(4, ()),
            RecordPlace::new::<AdbAnimation>(HEADER_SIZE, ()),
        ],
        of_bytes: prove_tolerantly_read::<Adb>,
    }
}

fn walk() -> AdbAnimation {
    let action = PackedAction::default()
        .with_weapons(Weapons::SWORD | Weapons::CROSSBOW)
        .with_state(AllowedState::Wary)
        .with_action(ActionType::Walk)
        .with_modifier(3)
        .with_stage(Stage::Cycle)
        .with_forms(FormsShift::Bit36, ActionForms::STEPS);
    AdbAnimation {
        name: fixed_name(b"cwalk", 15).unwrap(),
        number: 1,
        action,
        action_probability: 50,
        length_ticks: 30,
        movement_speed: 1.0,
        show_hide_starts: [1, 2],
        step_sound_starts: [3, 4, 5, 6],
        hit_frame: 0,
        special_sound_frame: 8,
        special_sounds: [9, 10, 11, 12],
    }
}

fn unit(animations: Vec<AdbAnimation>) -> Adb {
    Adb::draft(
        fixed_name(b"unmosu", 23).unwrap(),
        [0.5, 1.0, 2.0],
        animations,
    )
}

/// One animation: sword and crossbow, wary, walking, modifier 3, a cycle, steps at bit 37.
const ONE: &str = "
    41 44 42 00 01 00 00 00
    75 6E 6D 6F 73 75 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 3F 00 00 80 3F 00 00 00 40
    63 77 61 6C 6B 00 00 00 00 00 00 00 00 00 00 00
    01 00 00 00
    41 00 D6 80 20 00 00 00
    32 00 00 00 1E 00 00 00 00 00 80 3F
    01 00 00 00 02 00 00 00
    03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00
    00 00 00 00 08 00 00 00
    09 00 00 00 0A 00 00 00 0B 00 00 00 0C 00 00 00";

/// Typed from the dossier's tables.
fn facts() -> Vec<Fact<Adb>> {
    let mut none = hex(ONE)[..HEADER_SIZE].to_vec();
    none[4] = 0;
    vec![
        Fact::new("one", unit(vec![walk()]), hex(ONE)),
        Fact::new("none", unit(Vec::new()), none),
    ]
}

#[test]
fn sound_tables_have_no_findings() {
    for Fact {
        name, value, bytes, ..
    } in facts()
    {
        let adb = value.unwrap();
        let n_bytes = HEADER_SIZE + RECORD_SIZE * adb.animations.len();
        assert_eq!(bytes.len(), n_bytes, "{name}");
        assert_eq!(adb.check(), [], "{name}");
    }
}

#[test]
fn bits_are_where_the_document_says() {
    let raw = PackedAction(0x0000_0020_80D6_0041);
    assert_eq!(raw, walk().action);
    assert_eq!(raw.weapons(), Weapons::SWORD | Weapons::CROSSBOW);
    assert_eq!(raw.unknown_7(), 0);
    assert_eq!(PackedAction(0x7F80).unknown_7(), 0xFF);
    assert_eq!(raw.state(), AllowedState::Wary);
    assert_eq!(raw.action(), ActionType::Walk);
    assert_eq!(raw.modifier(), 3);
    assert_eq!(raw.stage(), Stage::Cycle);
    assert_eq!(raw.forms(FormsShift::Bit36), ActionForms::STEPS);
    assert_eq!(raw.forms(FormsShift::Bit32), ActionForms::HIGH_SHAPE);
    let unknown = PackedAction::default()
        .with_state(AllowedState::Unknown(5))
        .with_action(ActionType::Unknown(12));
    assert_eq!(
        (unknown.state(), unknown.action()),
        (AllowedState::Unknown(5), ActionType::Unknown(12))
    );
}

#[test]
fn animations_are_found_by_name() {
    let adb = unit(vec![walk()]);
    assert_eq!(adb.unit_name_text(), "unmosu");
    assert_eq!(adb.find("CWALK"), Some(&walk()));
    assert_eq!(adb.find("cwal"), None);
}

#[test]
fn where_forms_begin_shows_by_steps_and_hits() {
    let with = |shift, forms, hit_frame| AdbAnimation {
        action: PackedAction::default().with_forms(shift, forms),
        step_sound_starts: [0; 4],
        hit_frame,
        ..walk()
    };
    let blow = |shift| with(shift, ActionForms::HIT, 9);
    for shift in [FormsShift::Bit32, FormsShift::Bit36] {
        let adb = unit(vec![blow(shift), with(shift, ActionForms::HIDES, 0)]);
        assert_eq!(adb.forms_shift(), Some(shift));
    }
    let undecided = unit(vec![with(FormsShift::Bit32, ActionForms::empty(), 0)]);
    assert_eq!(undecided.forms_shift(), None);
    assert!(undecided.check()[0].message.contains("32 or 36"));
    assert_eq!(unit(Vec::new()).forms_shift(), None);
}

/// What is broken, and what waives it.
fn damage() -> Vec<(Damage, Option<Tolerance>)> {
    let good = hex(ONE);
    let mut other_magic = good.clone();
    other_magic[3] = 1;
    let mut more = good.clone();
    more[4] = 2;
    let mut fewer = good.clone();
    fewer[4] = 0;
    let mut longer = good.clone();
    longer.push(9);
    let cut = good[..100].to_vec();
    let (after, count) = ("after the last animation", "animation count");
    vec![
        (Damage::new("magic", other_magic, "magic", 0), None),
        (
            Damage::new("more", more, count, 4),
            Some(Tolerance::CUT_TABLE),
        ),
        (
            Damage::new("cut", cut, count, 4),
            Some(Tolerance::CUT_TABLE),
        ),
        (
            Damage::new("fewer", fewer, after, 44),
            Some(Tolerance::TRAILING_BYTES),
        ),
        (
            Damage::new("longer", longer, after, 132),
            Some(Tolerance::TRAILING_BYTES),
        ),
    ]
}

#[test]
fn each_leniency_waives_one_rule() {
    for (Damage { name, bytes, .. }, waived_by) in damage() {
        let waived = Adb::read_with(&bytes, waived_by.unwrap_or(Tolerance::all()));
        assert_eq!(waived.is_ok(), waived_by.is_some(), "{name}");
        if let Ok(adb) = waived {
            assert_eq!(adb.write().as_ref(), Ok(&bytes), "{name}");
            assert!(!adb.check().is_empty(), "{name}");
            let others = waived_by.unwrap().complement();
            assert!(Adb::read_with(&bytes, others).is_err(), "{name}");
        }
    }
}

/// The files of several units end inside of a record.
#[test]
fn a_cut_table_keeps_what_it_promised_until_it_is_filled() {
    let mut promising = hex(ONE);
    promising[4] = 3;
    promising.extend([1, 2, 3]);
    let mut adb = Adb::read_with(&promising, Tolerance::CUT_TABLE).unwrap();
    assert_eq!(adb.animations.len(), 1);
    assert_eq!(adb.write().as_ref(), Ok(&promising));
    adb.animations.extend([walk(); 3]);
    assert_eq!(adb.write().unwrap()[4], 4);
}

#[test]
fn checks_name_the_animation() {
    let likely = AdbAnimation {
        action_probability: 101,
        ..walk()
    };
    let fast = AdbAnimation {
        movement_speed: f32::INFINITY,
        ..walk()
    };
    for (bad, reported) in [(likely, "101 percent"), (fast, "not finite")] {
        let findings = unit(vec![walk(), bad]).check();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].message.contains(reported), "{findings:?}");
        assert_eq!(findings[0].offset, Some(132));
    }
    let low = Adb::draft([b'a'; 24], [1.0, 0.5, f32::NAN], vec![walk()]);
    assert_eq!(low.check().len(), 2);
}

fn any_records() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), RECORD_SIZE), 0..4)
}

fn any_table() -> impl Strategy<Value = Adb> {
    any_records().prop_map(|records| {
        let mut bytes = hex(ONE)[..HEADER_SIZE].to_vec();
        bytes[4] = records.len() as u8;
        bytes.extend(records.concat());
        Adb::read(&bytes).unwrap()
    })
}

proptest! {
    #[test]
    fn any_cut_table_survives_writing(records in any_records(), tail in prop::collection::vec(any::<u8>(), 0..90), count in 0_u8..6) {
        let mut bytes = hex(ONE)[..HEADER_SIZE].to_vec();
        bytes[4] = count;
        bytes.extend(records.concat());
        bytes.extend(tail);
        let adb = Adb::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert!(adb.animations.len() <= count.into());
        prop_assert_eq!(adb.write(), Ok(bytes));
    }

    #[test]
    fn bits_change_alone(raw in any::<u64>(), weapons in 0_u8..128, modifier in any::<u8>(), forms in 0_u8..64) {
        let action = PackedAction(raw);
        let same = action
            .with_weapons(action.weapons())
            .with_state(action.state())
            .with_action(action.action())
            .with_modifier(action.modifier())
            .with_stage(action.stage())
            .with_forms(FormsShift::Bit32, action.forms(FormsShift::Bit32))
            .with_forms(FormsShift::Bit36, action.forms(FormsShift::Bit36));
        prop_assert_eq!(same, action);
        let weapons = Weapons::from_bits(weapons).unwrap();
        let forms = ActionForms::from_bits(forms).unwrap();
        let changed = action.with_weapons(weapons).with_modifier(modifier).with_forms(FormsShift::Bit32, forms);
        prop_assert_eq!(changed.weapons(), weapons);
        prop_assert_eq!(changed.modifier(), modifier);
        prop_assert_eq!(changed.forms(FormsShift::Bit32), forms);
        prop_assert_eq!((changed.unknown_7(), changed.state(), changed.action(), changed.stage()), (action.unknown_7(), action.state(), action.action(), action.stage()));
        prop_assert_eq!(changed.0 >> 38, raw >> 38);
    }
}
