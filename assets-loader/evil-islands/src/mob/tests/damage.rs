//! Files whose bytes do not fit each other: what strict reading says, and how tolerant reading keeps them.

use crate::mob::node_id::{MT_TARGETS, UNIT_QUICK_ITEMS};
use crate::mob::{MAX_DEPTH, Mob, Tolerance, Value};
use ironlands_assets_proof::{Damage, hex};

/// The bytes of a root around these.
fn root_around(bytes: &[u8]) -> Vec<u8> {
    node(0xA000, bytes)
}

fn node(id: u32, payload: &[u8]) -> Vec<u8> {
    let size = payload.len() as u32 + 8;
    [&id.to_le_bytes(), &size.to_le_bytes(), payload].concat()
}

/// What is wrong, the bytes, where and in which field it is reported, and the one rule to waive for it.
fn damaged() -> Vec<(&'static str, Vec<u8>, u64, &'static str, Tolerance)> {
    let nid = node(0xB002, &[1, 0, 0, 0]);
    let mut nested = nid.clone();
    for _ in 0..MAX_DEPTH {
        nested = node(0xB001, &nested);
    }
    // Two targets, of which the size has one float less than it counts, or one more, and a number behind them.
    let targets = |size: u8| {
        let head = [4, 0, 0xAB, 0xBB, size, 0, 0, 0, 2, 0, 0, 0];
        [&head[..], &[0x3F; 16], &nid].concat()
    };
    let items = hex("06 00 BB BB 1A 00 00 00 01 00 00 00 06 00 BB BB 0A 00 00 00 68 64");
    let trap = |payload: &[u8], size_error: i32| {
        let mut bytes = node(0xBBAB_0000, payload);
        let size = (bytes.len() as u32).wrapping_add_signed(size_error);
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        bytes
    };
    vec![
        (
            "another root",
            node(0xB000, &nid),
            0,
            "first id",
            Tolerance::OTHER_ROOT,
        ),
        (
            "no whole id",
            vec![0, 0xA0],
            0,
            "first id",
            Tolerance::OTHER_ROOT | Tolerance::TRAILING_BYTES,
        ),
        (
            "bytes after the root",
            [root_around(&nid), vec![1, 2]].concat(),
            28 - 8,
            "node",
            Tolerance::TRAILING_BYTES,
        ),
        (
            "bytes after the last child",
            root_around(&[nid.clone(), vec![0; 7]].concat()),
            20,
            "node",
            Tolerance::TRAILING_BYTES,
        ),
        (
            "a size below 8",
            root_around(&hex("34 12 00 00 07 00 00 00 00")),
            12,
            "node size",
            Tolerance::TRAILING_BYTES,
        ),
        (
            "a size beyond the record",
            root_around(&hex("34 12 00 00 0A 00 00 00 00")),
            12,
            "node size",
            Tolerance::TRAILING_BYTES,
        ),
        (
            "a byte too short",
            root_around(&node(0xB011, &[])),
            16,
            "OBJ_PLAYER",
            Tolerance::WRONG_SIZE,
        ),
        (
            "a number too long",
            root_around(&node(0xB002, &[0; 5])),
            16,
            "NID",
            Tolerance::WRONG_SIZE,
        ),
        (
            "nothing with something in it",
            root_around(&node(0xC000, &[0])),
            16,
            "SC_OBJECTDBFILE",
            Tolerance::WRONG_SIZE,
        ),
        (
            "relations of two bytes each",
            root_around(&node(0xDDDD_DDD2, &[0; 2048])),
            16,
            "DIPLOMATION_FOF",
            Tolerance::WRONG_SIZE,
        ),
        (
            "statistics cut short",
            root_around(&node(0xBBBB_0004, &[0; 171])),
            16,
            "UNIT_STATS",
            Tolerance::WRONG_SIZE,
        ),
        (
            "a script without a whole key",
            root_around(&node(0xACCE_ECCB, &[1, 2, 3])),
            16,
            "SS_TEXT",
            Tolerance::WRONG_SIZE,
        ),
        (
            "more texts than there are",
            root_around(&node(0xB00D, &[1, 0, 0, 0])),
            16,
            "OBJBODYPARTS",
            Tolerance::WRONG_SIZE,
        ),
        (
            "a text with a size below 8",
            root_around(&node(0xB00D, &hex("01 00 00 00 0D B0 00 00 07 00 00 00"))),
            24,
            "OBJBODYPARTS",
            Tolerance::WRONG_SIZE,
        ),
        (
            "more circles than there are",
            root_around(&node(0xBBAB_0003, &[255; 4])),
            16,
            "MT_AREAS",
            Tolerance::WRONG_SIZE,
        ),
        (
            "a graph of more cells than there are",
            root_around(&node(0x3141_5926, &[1; 20])),
            24,
            "AIGRAPH",
            Tolerance::WRONG_SIZE,
        ),
        (
            "records nested too deep",
            root_around(&nested),
            8 * MAX_DEPTH as u64,
            "OBJECT",
            Tolerance::DEEP,
        ),
        (
            "targets that claim less than they have",
            root_around(&trap(&targets(24), 0)),
            16,
            "node size",
            Tolerance::MISFIT,
        ),
        (
            "targets that claim more than they have",
            root_around(&trap(&targets(32), 0)),
            16,
            "node size",
            Tolerance::MISFIT,
        ),
        (
            "targets beyond the end of their trap",
            root_around(&trap(&targets(32)[..28], 0)),
            20,
            "node size",
            Tolerance::MISFIT,
        ),
        (
            "items that claim more than they have",
            root_around(&node(0xBBBB_0000, &[items, nid.clone()].concat())),
            16,
            "node size",
            Tolerance::MISFIT,
        ),
        (
            "a trap that claims four bytes less",
            root_around(&[trap(&targets(28), -4), nid.clone()].concat()),
            48,
            "node size",
            Tolerance::MISFIT | Tolerance::WRONG_SIZE,
        ),
        (
            "a trap that claims four bytes more",
            root_around(&[trap(&targets(28), 4), nid.clone(), vec![0; 4]].concat()),
            56,
            "node",
            Tolerance::TRAILING_BYTES,
        ),
    ]
}

pub(super) fn damage() -> Vec<Damage> {
    let rows = damaged().into_iter();
    let rows = rows.map(|(name, file, offset, field, _)| Damage::new(name, file, field, offset));
    let empty = Damage::new("no byte", [], "first id", 0);
    rows.chain([empty]).collect()
}

#[test]
fn each_waived_rule_lets_its_damage_pass_and_keeps_the_bytes() {
    for (name, file, _, _, rule) in damaged() {
        for needed in rule.iter() {
            let others = Mob::read_with(&file, Tolerance::all() - needed);
            assert!(
                others.is_err() || needed == Tolerance::MISFIT,
                "{name}: {needed:?} is not needed"
            );
        }
        let (mob, findings) = Mob::read_with(&file, rule).unwrap();
        assert!(!findings.is_empty(), "{name}");
        assert_eq!(mob.write().as_ref(), Ok(&file), "{name}");
        assert!(!mob.check().is_empty(), "{name}");
        let json = mob.to_json().unwrap();
        assert_eq!(Mob::from_json(&json).unwrap().write(), Ok(file), "{name}");
    }
}

/// The number behind the list, and the list itself, are read as they were meant.
#[test]
fn lists_of_wrong_size_are_read_as_they_count() {
    for (name, file, ..) in damaged() {
        let (mob, _) = Mob::read_with(&file, Tolerance::all()).unwrap();
        let record = mob.roots.first().and_then(|root| root.children().first());
        match name {
            "targets that claim less than they have" | "targets that claim more than they have" => {
                let trap = record.unwrap();
                let targets = &trap.child(MT_TARGETS).unwrap().value;
                assert!(
                    matches!(targets, Value::PointArray(points) if points.len() == 2),
                    "{name}"
                );
                assert_eq!(trap.children()[1].value, Value::Dword(1), "{name}");
            }
            "targets beyond the end of their trap" => {
                let targets = &record.unwrap().child(MT_TARGETS).unwrap().value;
                assert!(
                    matches!(targets, Value::PointArray(points) if points.len() == 2),
                    "{name}"
                );
            }
            "items that claim more than they have" => {
                let unit = record.unwrap();
                let items = unit.child(UNIT_QUICK_ITEMS).unwrap().value.as_texts();
                assert_eq!(items, Some(vec!["hd".to_owned()]), "{name}");
                assert_eq!(unit.children()[1].value, Value::Dword(1), "{name}");
            }
            "a trap that claims four bytes less" => {
                // The number in the trap is cut, that behind it is whole.
                assert_eq!(mob.roots[0].children()[1].value, Value::Dword(1), "{name}");
            }
            _ => {}
        }
    }
}

#[test]
fn who_changes_a_node_of_wrong_size_rights_it() {
    let rows = damaged();
    let (_, file, ..) = rows
        .iter()
        .find(|row| row.0.starts_with("targets that claim less"))
        .unwrap();
    let (mut mob, _) = Mob::read_with(file, Tolerance::all()).unwrap();
    let targets = mob.node_mut("OBJECTDBFILE/MAGIC_TRAP/MT_TARGETS").unwrap();
    targets.set(Value::PointArray(vec![[1.0, 2.0]; 3])).unwrap();
    let read = Mob::read(&mob.write().unwrap()).unwrap();
    assert_eq!(
        read.node("OBJECTDBFILE/MAGIC_TRAP/NID").unwrap().value,
        Value::Dword(1)
    );
    for (name, file, ..) in rows {
        let (mut mob, _) = Mob::read_with(&file, Tolerance::all()).unwrap();
        mob.heal();
        let healed = mob.write().unwrap();
        if healed.is_empty() {
            continue;
        }
        let (again, findings) = Mob::read_with(
            &healed,
            Tolerance::all() - Tolerance::MISFIT - Tolerance::TRAILING_BYTES,
        )
        .unwrap();
        assert_eq!(again.write(), Ok(healed), "{name}");
        assert!(findings.len() <= 1, "{name}: {findings:?}");
    }
}

#[test]
fn only_a_file_without_a_byte_is_refused_by_all_means() {
    assert_eq!(
        Mob::read_with(&[], Tolerance::all()).unwrap_err().field,
        "first id"
    );
    for len in 1..40 {
        let noise = vec![0xA5; len];
        let (mob, _) = Mob::read_with(&noise, Tolerance::all()).unwrap();
        assert_eq!(mob.write(), Ok(noise));
    }
}

#[test]
fn hostile_depth_neither_recurses_nor_takes_long() {
    // Each record holds the next, up to the end of the file.
    let depth = 100_000u32;
    let heads = (0..depth).flat_map(|at| [0xA000, (depth - at) * 8]);
    let file: Vec<u8> = heads.flat_map(u32::to_le_bytes).collect();
    assert!(Mob::read(&file).is_err());
    let (mob, findings) = Mob::read_with(&file, Tolerance::all()).unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(mob.write(), Ok(file));
    // Lists that count far beyond themselves, one after the other: none is walked but to its end.
    let list = hex("06 00 BB BB 0C 00 00 00 FF FF FF 00");
    let file = root_around(&list.repeat(40_000));
    let (mob, findings) = Mob::read_with(&file, Tolerance::all()).unwrap();
    assert!(findings.len() <= 65);
    assert_eq!(mob.write(), Ok(file));
}
