use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, assert_refuses_every_truncation, hex, proof, set16,
    set32,
};

proof! {
    ResArchive {
        facts: facts(),
        damage: damage().into_iter().map(|(damage, _)| damage).collect::<Vec<_>>(),
        truncations: Truncations::Refused,
        values: any_archive(),
        growth: 40,
        runs: 2_000,
        records: [
            RecordPlace::new::<Header>(4, ()),
            // The table of the first fact; that of others may begin earlier.
            RecordPlace::new::<directory::Row>(0x30, ()).refused_from(directory::HEADER_SIZE),
        ],
        of_bytes: |data, ()| survives_an_edit(data),
    }
}

/// The directory of a real archive in the order of insertion, `name>slot/next` (dossier section 13.2).
const DIRECTORY: &str = "\
cannotDisplay.bon>26/29; cannotDisplay.mmp>7/-1; cannotDisplay.mod>27/28; default.bon>29/23; default.mod>28/25; \
default_zone.mmp>6/-1; light.bon>1/15; light.mmp>12/14; light.mod>2/13; particle.bon>17/-1; particle.mmp>25/16; \
particle.mod>18/24; point.bon>19/22; point.mmp>0/-1; point.mod>20/-1; sound.bon>24/21; sound.mmp>23/10; \
sound.mod>22/9; trap.bon>21/11; trap.mmp>5/-1; trap.mod>16/8; trapCast.bon>15/-1; trapCast.mmp>14/-1; \
trapCast.mod>13/-1; trapZone.bon>11/-1; trapZone.mmp>10/3; trapZone.mod>9/4; view.bon>8/-1; view.mmp>4/-1; \
view.mod>3/-1";

fn draft(files: &[(&str, &[u8])], names: NamesOrder) -> ResArchive {
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    ResArchive::draft(files.collect(), names)
}

/// `view` and `mesh`, which both belong into slot 1 (dossier section 13.2).
fn view_and_mesh() -> ResArchive {
    draft(&[("view", b"abcd"), ("mesh", b"e")], NamesOrder::Slots)
}

/// Typed from the dossier's tables.
fn facts() -> Vec<Fact<ResArchive>> {
    let two = "
        3C E2 9C 01 02 00 00 00 30 00 00 00 08 00 00 00
        61 62 63 64 00 00 00 00 00 00 00 00 00 00 00 00
        65 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        FF FF FF FF 01 00 00 00 20 00 00 00 80 43 6D 38 04 00 00 00 00 00
        00 00 00 00 04 00 00 00 10 00 00 00 80 43 6D 38 04 00 04 00 00 00
        6D 65 73 68 76 69 65 77";
    let in_order_of_insertion = two
        .replace("38 04 00 00 00 00 00", "38 04 00 AA 00 00 00")
        .replace("38 04 00 04 00 00 00", "38 04 00 00 00 00 00")
        .replace("38 04 00 AA 00 00 00", "38 04 00 04 00 00 00")
        .replace("6D 65 73 68 76 69 65 77", "76 69 65 77 6D 65 73 68");
    let inserted = ResArchive {
        names_order: NamesOrder::Insertion,
        ..view_and_mesh()
    };
    let none = "3C E2 9C 01 00 00 00 00 10 00 00 00 00 00 00 00";
    vec![
        Fact::new("names as slots", view_and_mesh(), hex(two)),
        Fact::new("names as inserted", inserted, hex(&in_order_of_insertion)),
        Fact::new("empty", ResArchive::default(), hex(none)),
    ]
}

#[test]
fn the_order_of_names_is_seen_and_sound_archives_have_no_findings() {
    for fact in facts() {
        let read = ResArchive::read(&fact.bytes).unwrap();
        let value = fact.value.unwrap();
        assert_eq!(read.names_order, value.names_order, "{}", fact.name);
        assert_eq!(read.check(), [], "{}", fact.name);
    }
}

#[test]
fn hashes_are_those_of_the_document() {
    let rows = [
        ("light.bon", 901, 1),
        ("view.mod", 809, 29),
        ("trapZone.mmp", 1259, 29),
        ("mesh", 429, 9),
        ("zone1.mp", 760, 10),
        ("unmosu.mod", 1045, 25),
    ];
    for (name, sum, slot) in rows {
        assert_eq!(hash(name.as_bytes()), sum, "{name}");
        assert_eq!(home_slot(name.as_bytes(), 30), Some(slot), "{name}");
    }
    assert_eq!(home_slot(b"mesh", 0), None);
}

#[test]
fn a_real_directory_is_filled_as_its_packer_did() {
    let rows: Vec<(&str, usize, i32)> = (DIRECTORY.split("; "))
        .map(|row| {
            let (name, places) = row.split_once('>').unwrap();
            let (slot, next) = places.split_once('/').unwrap();
            (name, slot.parse().unwrap(), next.parse().unwrap())
        })
        .collect();
    let entries: Vec<ResEntry> = (rows.iter())
        .map(|(name, ..)| ResEntry::new(name.as_bytes().to_vec(), Vec::new()))
        .collect();
    let slots = draft::slots(&entries);
    assert_eq!(slots.len(), 30);
    for (entry, (name, slot, next)) in rows.into_iter().enumerate() {
        assert_eq!(slots[slot], draft::Slot { entry, next }, "{name}");
    }
}

#[test]
fn one_entry_lies_where_the_document_says() {
    let bytes = draft(&[("mesh", &[7; 96])], NamesOrder::Insertion)
        .write()
        .unwrap();
    assert_eq!(bytes.len(), 138);
    assert_eq!(bytes[8..12], 112_u32.to_le_bytes());
    assert_eq!(bytes[16..112], [7; 96]);
    assert_eq!(bytes[134..], *b"mesh");
    let read = ResArchive::read(&bytes).unwrap();
    assert_eq!(read.entries[0].offset(), 16);
    assert!(!read.entries[0].is_archive());
}

#[test]
fn of_no_data_it_does_not_matter_where_it_begins() {
    let mut bytes = view_and_mesh().write().unwrap();
    set32(&mut bytes, 0x30 + 4, 0);
    set32(&mut bytes, 0x30 + 8, 0);
    let archive = ResArchive::read(&bytes).unwrap();
    assert_eq!(archive.find("mesh").map(|it| it.data.len()), Some(0));
    assert_eq!(archive.write(), Ok(bytes));
}

#[test]
fn names_are_found_whatever_their_case() {
    let archive = ResArchive::read(&view_and_mesh().write().unwrap()).unwrap();
    assert_eq!(&*archive.find("VIEW").unwrap().data, b"abcd");
    assert_eq!(&*archive.find("Mesh").unwrap().data, b"e");
    assert_eq!(archive.find("mes"), None);
    assert_eq!(archive.find("地"), None);
    assert_eq!(ResArchive::default().find("mesh"), None);
    // 0xC0 is a capital letter of CP1251 that ASCII does not fold.
    let mut cyrillic = archive.clone();
    cyrillic.put(&[0xC0], vec![1]);
    let cyrillic = ResArchive::read(&cyrillic.write().unwrap()).unwrap();
    assert!(cyrillic.find("А").is_some());
    assert!(cyrillic.find("а").is_none());
}

/// Entries whose home slot is another than our rule gives, as those of a packer that hashes bytes from 0x80 on
/// otherwise: found by linear scan, and no error.
#[test]
fn names_beyond_ascii_may_be_hashed_by_another_rule() {
    let mut bytes = view_and_mesh().write().unwrap();
    let names = bytes.len() - 8;
    bytes[names] = 0xC1; // Its hash is odd now, and its slot 0 is even.
    assert_eq!(hash(&bytes[names..names + 4]) % 2, 1);
    bytes[names + 4] = 0xC1;
    set32(&mut bytes, 0x30 + 22, u32::MAX);
    let archive = ResArchive::read(&bytes).unwrap();
    assert_eq!(
        archive.find("Бesh").map(|entry| &*entry.data),
        Some(&b"e"[..])
    );
    assert_eq!(archive.check(), []);
}

/// Name, where and what is changed in the first fact, the field and offset that are named, and what waives it.
type Row<'a> = (
    &'static str,
    usize,
    &'a [u8],
    &'static str,
    u64,
    Option<Tolerance>,
);

/// What is broken, and what waives it.
fn damage() -> Vec<(Damage, Option<Tolerance>)> {
    let good = facts().swap_remove(0).bytes;
    let [mesh, view] = [0x30_usize, 0x46];
    let chains = Some(Tolerance::CHAINS);
    let rows: [Row<'_>; 16] = [
        ("other magic", 0, &[0], "magic", 0, None),
        ("a slot more", 4, &[3], "table offset", 8, None),
        ("table in the header", 8, &[15], "table offset", 8, None),
        ("table behind the end", 8, &[0x31], "table offset", 8, None),
        ("names behind the end", 12, &[9], "table offset", 8, None),
        (
            "data in the header",
            mesh + 8,
            &[15],
            "data offset",
            0x38,
            None,
        ),
        (
            "data behind the end",
            mesh + 4,
            &[0x50],
            "data offset",
            0x38,
            None,
        ),
        (
            "data in the table",
            mesh + 4,
            &[0x11],
            "data offset",
            0x38,
            None,
        ),
        (
            "data in other data",
            mesh + 8,
            &[0x13],
            "data offset",
            0x38,
            None,
        ),
        (
            "name behind the names",
            mesh + 18,
            &[5],
            "name offset",
            0x42,
            None,
        ),
        ("long name", mesh + 16, &[9], "name offset", 0x42, None),
        (
            "chain outside",
            mesh,
            &[2, 0, 0, 0],
            "next slot",
            0x30,
            chains,
        ),
        ("chain below -1", mesh, &[0xFE], "next slot", 0x30, chains),
        ("circle", mesh, &[1, 0, 0, 0], "next slot", 0x30, chains),
        ("cut chain", view, &[0xFF; 4], "next slot", 0x30, chains),
        (
            "same name",
            0x5C,
            b"VIEW",
            "name",
            0x46,
            Some(Tolerance::DUPLICATE_NAME),
        ),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset, waived_by)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        (Damage::new(name, bad, field, offset), waived_by)
    });
    rows.to_vec()
}

#[test]
fn each_leniency_waives_one_rule() {
    for (damage, waived_by) in damage() {
        let Damage {
            name,
            bytes,
            offset,
            ..
        } = damage;
        let waived = ResArchive::read_with(&bytes, Tolerance::all());
        assert_eq!(waived.is_ok(), waived_by.is_some(), "{name}");
        if let (Ok(archive), Some(rule)) = (waived, waived_by) {
            assert_eq!(archive.write().as_ref(), Ok(&bytes), "{name}");
            let findings = archive.check();
            let reported = |finding: &Finding| {
                finding.severity == Severity::Warning && finding.offset == Some(offset)
            };
            assert!(findings.iter().any(reported), "{name}: {findings:?}");
            let others = Tolerance::all().difference(rule);
            assert!(ResArchive::read_with(&bytes, others).is_err(), "{name}");
            assert_eq!(&*archive.find("view").unwrap().data, b"abcd", "{name}");
        }
    }
}

/// Slots 0 and 1 both lead to slot 2, as no packer's chains do.
#[test]
fn chains_that_run_into_each_other_are_reported() {
    let archive = draft(&[("c", b""), ("a", b""), ("b", b"")], NamesOrder::Insertion);
    let mut bytes = archive.write().unwrap();
    for (slot, next) in [(0, 2), (1, 2), (2, u32::MAX)] {
        set32(&mut bytes, 16 + 22 * slot, next);
    }
    let error = ResArchive::read(&bytes).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("next slot", 38), "{error}");
    assert!(error.to_string().contains("slot 2 once more"), "{error}");
    assert!(ResArchive::read_with(&bytes, Tolerance::CHAINS).is_ok());
}

#[test]
fn leniencies_are_named_one_by_one() {
    let good = facts().swap_remove(0).bytes;
    let mut longer = good.clone();
    longer.extend(b"xy");
    let mut unnamed = good.clone();
    set16(&mut unnamed, 0x30 + 16, 0);
    // Both names are `mesh` now, and `view` is reached by scan only.
    let mut twice = good.clone();
    set32(&mut twice, 0x46 + 18, 0);
    let rows = [
        (
            "trailing",
            longer,
            Tolerance::TRAILING_BYTES,
            "after the names",
        ),
        ("unnamed", unnamed, Tolerance::EMPTY_NAME, "name"),
        ("twice", twice, Tolerance::DUPLICATE_NAME, "name"),
    ];
    for (name, bytes, rule, field) in rows {
        let error = ResArchive::read_with(&bytes, rule.complement()).unwrap_err();
        assert_eq!(error.field, field, "{name}: {error}");
        let archive = ResArchive::read_with(&bytes, rule | Tolerance::CHAINS).unwrap();
        assert_eq!(archive.write(), Ok(bytes), "{name}");
        assert!(!archive.check().is_empty(), "{name}");
    }
}

/// Of two entries of one name that counts which the chain reaches first: slot 1.
#[test]
fn the_first_of_one_name_counts() {
    let mut twice = facts().swap_remove(0).bytes;
    set32(&mut twice, 0x46 + 18, 0);
    let archive = ResArchive::read_with(&twice, Tolerance::all()).unwrap();
    assert_eq!(&*archive.find("mesh").unwrap().data, b"abcd");
}

#[test]
fn every_truncation_is_refused_by_all_means() {
    for fact in facts() {
        assert_refuses_every_truncation(&fact.bytes, |data| {
            ResArchive::read_with(data, Tolerance::all()).map(drop)
        });
    }
}

#[test]
fn edits_rebuild_the_table_and_keep_the_rest() {
    let mut bytes = view_and_mesh().write().unwrap();
    // Unused bytes in the padding after `abcd`, and behind the end.
    bytes[0x1F] = 9;
    bytes.extend(b"tail");
    set32(&mut bytes, 0x30 + 12, 77);
    let read = ResArchive::read_with(&bytes, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(read.write().as_ref(), Ok(&bytes));

    let mut edited = read.clone();
    edited.put(b"VIEW", b"longer than sixteen bytes".to_vec());
    edited.put(b"third", b"3".to_vec());
    let again = edited.write().unwrap();
    let again = ResArchive::read_with(&again, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(again, edited);
    assert_eq!(again.names_order, NamesOrder::Slots);
    let written = again.write().unwrap();
    assert!(written.ends_with(b"tail"));
    // The gap still lies before `mesh`: 12 bytes of it, of which the last is ours.
    assert_eq!(&*again.find("mesh").unwrap().data, b"e");
    let mesh = again.find("mesh").unwrap();
    assert_eq!(mesh.mtime, 77);
    let at = mesh.offset() as usize;
    assert_eq!(
        written[at - 16..at],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0]
    );

    let mut fewer = read.clone();
    assert!(fewer.remove(b"view").is_some());
    assert!(fewer.remove(b"view").is_none());
    let again = fewer.write().unwrap();
    let again = ResArchive::read_with(&again, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(again, fewer);

    // An edit that is taken back leaves the file as it was; a new time is no reason to move anything.
    let mut restored = edited;
    restored.remove(b"third");
    restored.entries[0].data = read.entries[0].data.clone();
    assert_eq!(restored.write().as_ref(), Ok(&bytes));
    let mut newer = read;
    newer.entries[0].mtime = 0x0102_0304;
    set32(&mut bytes, 0x46 + 12, 0x0102_0304);
    assert_eq!(newer.write(), Ok(bytes));
}

#[test]
fn equal_contents_can_share_their_bytes() {
    let files: [(&str, &[u8]); 4] = [
        ("s\\a", b"same"),
        ("s\\b", b"other"),
        ("t\\a", b"same"),
        ("e", b""),
    ];
    let mut archive = draft(&files, NamesOrder::Insertion);
    let apart = archive.write().unwrap();
    archive.share_equal_data();
    let shared = archive.write().unwrap();
    assert_eq!(shared.len(), apart.len() - 16);
    let mut read = ResArchive::read(&shared).unwrap();
    assert_eq!(read.write(), Ok(shared));
    let offset = |archive: &ResArchive, name| archive.find(name).unwrap().offset();
    assert_eq!(offset(&read, "s\\a"), offset(&read, "t\\a"));
    for (name, data) in files {
        assert_eq!(&*read.find(name).unwrap().data, data);
    }
    // What was shared stays shared when another entry changes, and no longer when it changes itself.
    read.put(b"s\\b", b"changed".to_vec());
    let again = ResArchive::read(&read.write().unwrap()).unwrap();
    assert_eq!(offset(&again, "s\\a"), offset(&again, "t\\a"));
    read.put(b"t\\a", b"changed too".to_vec());
    let again = ResArchive::read(&read.write().unwrap()).unwrap();
    assert_eq!(&*again.find("s\\a").unwrap().data, b"same");
    assert_eq!(&*again.find("t\\a").unwrap().data, b"changed too");
}

#[test]
fn what_fields_cannot_hold_is_not_written() {
    let long = ResArchive::draft(vec![(vec![b'a'; 0x1_0000], Vec::new())], NamesOrder::Slots);
    assert_eq!(long.write().unwrap_err().field, "name length");
}

#[test]
fn new_archives_of_doubtful_names_are_reported() {
    let doubtful = draft(&[("", b""), ("a", b""), ("A", b"")], NamesOrder::Slots);
    assert_eq!(doubtful.check().len(), 2);
}

#[test]
fn archives_on_disk_behave_like_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.res");
    let files: Vec<(Vec<u8>, Vec<u8>)> = (0..40)
        .map(|i: u8| {
            (
                format!("Name{}", u32::from(i) * 7).into_bytes(),
                vec![i; i.into()],
            )
        })
        .collect();
    let archive = ResArchive::draft(files, NamesOrder::Insertion);
    let bytes = archive.write().unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let file = ResFile::open(&path).unwrap();
    assert_eq!(file.names().len(), 40);
    for entry in &archive.entries {
        let name = entry.name_text().to_uppercase();
        assert_eq!(
            file.read(&name).unwrap().as_deref(),
            Some(&*entry.data),
            "{name}"
        );
    }
    assert_eq!(file.read("name").unwrap(), None);
    assert_eq!(file.read("地").unwrap(), None);
    // A file that became shorter under our hands gives no half contents.
    std::fs::write(&path, &bytes[..400]).unwrap();
    assert!(file.read("Name273").is_err());
    assert!(ResFile::open(&path).is_err());
    std::fs::write(&path, b"no archive at all").unwrap();
    assert!(
        ResFile::open(&path)
            .unwrap_err()
            .to_string()
            .contains("magic")
    );
}

prop_compose! {
    /// Any files, as old as it happens. No file says in which order empty files come back.
    fn any_archive()(
        files in prop::collection::btree_map("[a-e\\\\.]{1,3}", prop::collection::vec(any::<u8>(), 1..40), 0..24),
        by_slots in any::<bool>(),
        mtime in any::<u32>(),
    ) -> ResArchive {
        let names = if by_slots { NamesOrder::Slots } else { NamesOrder::Insertion };
        let files = files.into_iter().map(|(name, data)| (name.into_bytes(), data));
        let mut archive = ResArchive::draft(files.collect(), names);
        for entry in &mut archive.entries {
            entry.mtime = mtime;
        }
        archive
    }
}

proptest! {
    #[test]
    fn any_files_survive_packing(
        files in prop::collection::btree_map("[a-e\\\\.]{1,3}", prop::collection::vec(any::<u8>(), 0..40), 0..24),
        by_slots in any::<bool>(),
        mtime in any::<u32>(),
    ) {
        let names = if by_slots { NamesOrder::Slots } else { NamesOrder::Insertion };
        let list = files.iter().map(|(name, data)| (name.clone().into_bytes(), data.clone()));
        let mut archive = ResArchive::draft(list.collect(), names);
        for entry in &mut archive.entries {
            entry.mtime = mtime;
        }
        let bytes = archive.write().unwrap();
        let read = ResArchive::read(&bytes).unwrap();
        prop_assert_eq!(read.write(), Ok(bytes));
        prop_assert_eq!(read.check(), []);
        prop_assert_eq!(read.entries.len(), files.len());
        for (name, data) in &files {
            let entry = read.find(&name.to_uppercase()).unwrap();
            prop_assert_eq!(&*entry.data, &data[..]);
            prop_assert_eq!(entry.mtime, mtime);
        }
    }

    #[test]
    fn any_edits_keep_the_other_files(
        files in prop::collection::btree_map("[a-e]{1,3}", prop::collection::vec(any::<u8>(), 0..40), 1..16),
        edits in prop::collection::vec(("[a-e]{1,3}", prop::option::of(prop::collection::vec(any::<u8>(), 0..40))), 0..8),
    ) {
        let list = files.iter().map(|(name, data)| (name.clone().into_bytes(), data.clone()));
        let bytes = ResArchive::draft(list.collect(), NamesOrder::Slots).write().unwrap();
        let mut archive = ResArchive::read(&bytes).unwrap();
        let mut expected = files;
        for (name, data) in edits {
            match data {
                Some(data) => {
                    archive.put(name.as_bytes(), data.clone());
                    expected.insert(name, data);
                }
                None => {
                    archive.remove(name.as_bytes());
                    expected.remove(&name);
                }
            }
        }
        let again = ResArchive::read(&archive.write().unwrap()).unwrap();
        prop_assert_eq!(again.entries.len(), expected.len());
        for (name, data) in &expected {
            prop_assert_eq!(&*again.find(name).unwrap().data, &data[..]);
        }
    }
}

/// What is read is written back, its entries are found by their names, and it can be edited.
fn survives_an_edit(data: &[u8]) {
    let Ok(archive) = ResArchive::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(archive.write().as_deref(), Ok(data));
    for entry in &archive.entries {
        assert!(archive.find_bytes(&entry.name).is_some());
    }
    let mut edited = archive;
    edited.put(b"new", b"1".to_vec());
    // What is damaged need not be writable: only a panic would be a bug.
    let _ = edited
        .write()
        .and_then(|bytes| ResArchive::read_with(&bytes, Tolerance::all()));
}
