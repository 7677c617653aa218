use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{FormatErrorKind, Severity};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Rng, Truncations, proof};

proof! {
    NRes {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_archive(),
        growth: 16,
        runs: 2_000,
        records: records(),
        // Also what only a tolerance reads is written back, and every name finds an entry.
        also: |archive, bytes| {
            assert_eq!(archive.write().as_deref(), Ok(bytes));
            let found = |entry: &Entry| archive.find(entry.name_bytes()).is_some();
            assert!(archive.entries.iter().all(found));
            let canonical = archive.write_canonical();
            let _read_or_refused = canonical.and_then(|file| NRes::read(&file));
        },
    }
}

/// Two entries, `b` with 3 bytes before `A` with 8; the table names `A` first. Typed from dossier 2.1-2.3.
const TWO_ENTRIES: &[u8] = b"NRes\
    \x00\x01\x00\x00\
    \x02\x00\x00\x00\
    \xA0\x00\x00\x00\
    \x01\x02\x03\0\0\0\0\0\
    ABCDEFGH\
    \x15\x00\x00\x00\
    \x01\x00\x00\x00\
    \x02\x00\x00\x00\
    \x03\x00\x00\x00\
    \x1C\x00\x00\x00\
    b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x10\x00\x00\x00\
    \x01\x00\x00\x00\
    Texm\
    \x00\x00\x00\x00\
    \x00\x00\x00\x00\
    \x08\x00\x00\x00\
    \x00\x00\x00\x00\
    A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x18\x00\x00\x00\
    \x00\x00\x00\x00";
const NO_ENTRIES: &[u8] = b"NRes\x00\x01\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00";
const ROW_0: usize = 32;
const ROW_1: usize = 96;

fn two_entries() -> NRes {
    NRes::from_entries(vec![
        Entry::new(21, 1, 2, 28, "b", vec![1, 2, 3]).unwrap(),
        Entry::new(0x6D78_6554, 0, 0, 0, "A", b"ABCDEFGH".to_vec()).unwrap(),
    ])
}

/// The header, and the first row of the archive of two.
fn records() -> [RecordPlace; 2] {
    let header = [
        ("magic", 4),
        ("version", 4),
        ("entry count", 4),
        ("total size", 4),
    ];
    let row = [
        ("entry type", 4),
        ("entry attr1", 4),
        ("entry attr2", 4),
        ("entry size", 4),
        ("entry attr3", 4),
        ("entry name", NAME_SIZE),
        ("entry data offset", 4),
        ("entry sort index", 4),
    ];
    let first_row = TWO_ENTRIES.len() - 2 * ROW_SIZE;
    [
        RecordPlace::from_fields(0, header),
        RecordPlace::from_fields(first_row, row).refused_from(0),
    ]
}

fn facts() -> Vec<Fact<NRes>> {
    vec![
        Fact::new("no entries", NRes::new(), NO_ENTRIES),
        Fact::new("two entries", two_entries(), TWO_ENTRIES),
        Fact::from_bytes("a file as editors leave it", lived_in_file()),
    ]
}

#[test]
fn new_archives_are_canonical_and_have_no_findings() {
    for (value, bytes) in [(NRes::new(), NO_ENTRIES), (two_entries(), TWO_ENTRIES)] {
        assert_eq!(value.write_canonical().as_deref(), Ok(bytes));
        assert_eq!(NRes::read(bytes).unwrap().check(), []);
    }
}

fn damage() -> Vec<Damage> {
    type Row = (&'static str, fn(&mut Vec<u8>), &'static str, u64);
    let rows: [Row; 14] = [
        ("magic", |f| f[3] = b'S', "magic", 0),
        ("version", |f| f[4] = 1, "version", 4),
        ("negative count", |f| f[11] = 0x80, "entry count", 8),
        ("a row too many", |f| f[8] = 3, "entry count", 8),
        ("a byte too many", |f| f.push(0), "total size", 12),
        (
            "no NUL",
            |f| f[ROW_0 + 20..ROW_0 + 56].fill(b'x'),
            "entry name",
            52,
        ),
        (
            "payload in the header",
            |f| f[ROW_0 + 56] = 8,
            "entry data offset",
            88,
        ),
        (
            "payload in the directory",
            |f| f[ROW_1 + 12] = 9,
            "entry data offset",
            152,
        ),
        (
            "offset of 4 GiB",
            |f| f[ROW_1 + 56..ROW_1 + 60].fill(0xFF),
            "entry data offset",
            152,
        ),
        (
            "odd offset",
            |f| f[ROW_0 + 56] = 0x14,
            "entry data offset",
            88,
        ),
        ("overlap", |f| f[ROW_0 + 12] = 9, "entry data offset", 152),
        (
            "sort index beyond",
            |f| f[ROW_0 + 60] = 2,
            "entry sort index",
            92,
        ),
        (
            "sort index twice",
            |f| f[ROW_1 + 60] = 1,
            "entry sort index",
            156,
        ),
        (
            "names out of order",
            |f| {
                f[ROW_0 + 60] = 0;
                f[ROW_1 + 60] = 1;
            },
            "entry sort index",
            156,
        ),
    ];
    let damaged = rows.map(|(name, damage, field, offset)| {
        let mut file = TWO_ENTRIES.to_vec();
        damage(&mut file);
        Damage::new(name, file, field, offset)
    });
    damaged.to_vec()
}

#[test]
fn each_tolerance_waives_its_rule_only() {
    type Damage = (Tolerance, fn(&mut Vec<u8>), &'static str);
    let damages: [Damage; 3] = [
        (
            Tolerance::SORT_TABLE,
            |f| f[ROW_0 + 60] = 0xEE,
            "sort table",
        ),
        (
            Tolerance::MISALIGNED_PAYLOAD,
            |f| f[ROW_0 + 56] = 0x13,
            "multiple of 8",
        ),
        (
            Tolerance::UNTERMINATED_NAME,
            |f| {
                f[ROW_0 + 20..ROW_0 + 56].fill(b'x');
            },
            "no NUL",
        ),
    ];
    for (tolerance, damage, finding) in damages {
        let mut file = TWO_ENTRIES.to_vec();
        damage(&mut file);
        assert!(NRes::read(&file).is_err());
        assert!(NRes::read_with(&file, tolerance.complement()).is_err());
        let read = NRes::read_with(&file, tolerance).unwrap();
        assert_eq!(read.write().as_deref(), Ok(&file[..]), "{tolerance:?}");
        let findings = read.check();
        assert!(
            findings.iter().any(|f| f.message.contains(finding)),
            "{findings:?}"
        );
        assert_eq!(read.find(b"a"), Some(1), "found without a good table");
    }
}

#[test]
fn overlapping_payloads_are_refused_by_every_tolerance() {
    let mut file = TWO_ENTRIES.to_vec();
    file[ROW_0 + 12] = 16;
    let error = NRes::read_with(&file, Tolerance::all()).unwrap_err();
    assert_eq!((error.format, &*error.field), ("nres", "entry data offset"));
}

/// A file as the original's editors left them: dirty padding, an unindexed region before the second
/// payload, an empty entry that points into the first, garbage after a name and before the directory.
fn lived_in_file() -> Vec<u8> {
    let mut w = Writer::new("test");
    w.bytes(b"NRes\x00\x01\x00\x00\x03\x00\x00\x00");
    w.u32(16 + 48 + 3 * 64);
    w.bytes(b"elevenbytes"); // 16..27
    w.bytes(b"dirty"); // 27..32
    w.bytes(b"an unindexed one"); // 32..48
    w.bytes(b"sixteen is even!"); // 48..64
    let rows: [(&[u8], u32, u32, u32); 3] = [
        (b"second\0garbage", 48, 16, 2),
        (b"First", 16, 11, 1),
        (b"empty", 24, 0, 0),
    ];
    for (name, offset, size, sort_index) in rows {
        for word in [7, 0, 0, size, 0] {
            w.u32(word);
        }
        w.bytes(name);
        w.bytes(&[0; 36][name.len()..]);
        w.u32(offset);
        w.u32(sort_index);
    }
    w.finish()
}

fn data_region(file: &[u8], n_entries: usize) -> &[u8] {
    &file[16..file.len() - 64 * n_entries]
}

fn stored_offsets(file: &[u8]) -> Vec<u64> {
    let read = NRes::read(file).unwrap();
    read.entries.iter().map(Entry::offset).collect()
}

#[test]
fn an_untouched_file_is_written_back_with_all_its_dirt() {
    let file = lived_in_file();
    let read = NRes::read(&file).unwrap();
    assert_eq!(read.write().as_deref(), Ok(&file[..]));
    let notes: Vec<(Option<u64>, Severity)> = read
        .check()
        .iter()
        .map(|f| (f.offset, f.severity))
        .collect();
    assert_eq!(notes, [(Some(27), Severity::Note)]);
    let canonical = NRes::read(&read.write_canonical().unwrap()).unwrap();
    assert_eq!(canonical.entries[0].name[7..], [0; 29]);
    assert_eq!(canonical.entries[1].data, b"elevenbytes");
}

#[test]
fn changed_attributes_and_equal_sizes_move_nothing() {
    let file = lived_in_file();
    let mut read = NRes::read(&file).unwrap();
    read.entries[1].attr3 = 0x0102_0304;
    read.entries[0].data[0] = b'S';
    let mut expected = file.clone();
    expected[64 + 64 + 16..64 + 64 + 20].copy_from_slice(&[4, 3, 2, 1]);
    expected[48] = b'S';
    assert_eq!(read.write(), Ok(expected));
}

#[test]
fn a_grown_payload_pushes_what_follows() {
    let mut read = NRes::read(&lived_in_file()).unwrap();
    read.entries[1].data.extend(b" and ten");
    let file = read.write().unwrap();
    assert_eq!(
        data_region(&file, 3),
        b"elevenbytes and tendirtyan unindexed onesixteen is even!"
    );
    assert_eq!(stored_offsets(&file), [56, 16, 24]);
    read.entries[1].data.push(b'!');
    let file = read.write().unwrap();
    assert_eq!(
        data_region(&file, 3),
        b"elevenbytes and ten!dirtan unindexed onesixteen is even!"
    );
}

#[test]
fn a_removed_entry_leaves_the_unindexed_region() {
    let mut read = NRes::read(&lived_in_file()).unwrap();
    read.entries.remove(1);
    let file = read.write().unwrap();
    assert_eq!(data_region(&file, 2), b"an unindexed onesixteen is even!");
    assert_eq!(stored_offsets(&file), [32, 16]);
    assert_eq!(NRes::read(&file), Ok(read));
}

#[test]
fn new_copied_and_foreign_entries_come_last() {
    let file = lived_in_file();
    let mut read = NRes::read(&file).unwrap();
    let copy = read.entries[0].clone();
    let foreign = NRes::read(TWO_ENTRIES).unwrap().entries.remove(0);
    let filled = &mut read.entries[2];
    filled.data = vec![9; 4];
    read.entries
        .insert(0, Entry::new(1, 0, 0, 0, "new", vec![5]).unwrap());
    read.entries.push(copy);
    read.entries.push(foreign);
    let edited = read.write().unwrap();
    assert_eq!(NRes::read(&edited).as_ref(), Ok(&read));
    let (kept, added) = data_region(&edited, 6).split_at(48);
    assert_eq!(kept, &file[16..64]);
    assert_eq!(
        added,
        b"\x05\0\0\0\0\0\0\0\x09\x09\x09\x09\0\0\0\0sixteen is even!\x01\x02\x03\0\0\0\0\0"
    );
}

#[test]
fn reordered_and_renamed_entries_keep_their_places_in_the_file() {
    let mut read = NRes::read(&lived_in_file()).unwrap();
    read.entries.swap(0, 1);
    read.entries[2].name = fixed_name(b"Zero", MAX_NAME_LEN).unwrap();
    let file = read.write().unwrap();
    assert_eq!(data_region(&file, 3), data_region(&lived_in_file(), 3));
    let again = NRes::read(&file).unwrap();
    assert_eq!(again, read);
    assert_eq!(again.find(b"ZERO"), Some(2));
    assert_eq!(again.find(b"empty"), None);
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let field = |name: &str| Entry::new(0, 0, 0, 0, name, Vec::new()).map(|e| e.name[35]);
    assert_eq!(field(&"x".repeat(35)), Ok(0));
    let too_long = field(&"x".repeat(36)).unwrap_err();
    assert_eq!(
        too_long.kind,
        FormatErrorKind::TooLargeToWrite {
            value: 36,
            limit: 35
        }
    );
    assert!(field("a\0b").is_err());
    assert!(field("地").is_err());
    assert_eq!(
        Entry::new(0, 0, 0, 0, "Земля", Vec::new())
            .unwrap()
            .name_bytes(),
        [0xC7, 0xE5, 0xEC, 0xEB, 0xFF]
    );
    let mut archive = NRes::read(TWO_ENTRIES).unwrap();
    archive.entries[0].name = [b'x'; 36];
    assert_eq!(archive.write().unwrap_err().field, "entry name");
    assert_eq!(archive.write_canonical().unwrap_err().field, "entry name");
}

#[test]
fn equal_names_are_found_in_directory_order() {
    let entry = |name, n| Entry::new(n, 0, 0, 0, name, vec![n as u8]).unwrap();
    let built = NRes::from_entries(vec![
        entry("b", 1),
        entry("A", 2),
        entry("B", 3),
        entry("a", 4),
    ]);
    let file = built.write().unwrap();
    let sorted: Vec<u8> = (0..4)
        .map(|i| file[file.len() - 256 + 64 * i + 60])
        .collect();
    assert_eq!(sorted, [1, 3, 0, 2], "stable, as a bubble sort is");
    for archive in [built, NRes::read(&file).unwrap()] {
        assert_eq!(archive.find(b"B"), Some(0));
        assert_eq!(archive.find(b"a"), Some(1));
        assert_eq!(archive.find_type(3), Some(2));
        assert_eq!(archive.find_type(5), None);
        assert_eq!(archive.check(), [], "a search by type finds each");
    }
}

#[test]
fn entries_that_no_search_finds_are_noted_and_soon_only_counted() {
    let of_type = |type_id: &[u8; 4], name: &str| {
        Entry::new(u32::from_le_bytes(*type_id), 0, 0, 0, name, Vec::new()).unwrap()
    };
    let numbered = (0..40).map(|n| Entry::new(n, 0, 0, 0, "Land", Vec::new()).unwrap());
    let tree = [b"TRF0", b"TRF1", b"TRFA"].map(|type_id| of_type(type_id, "ResTree"));
    let by_number = (0..4000).map(|_| of_type(b"DSCR", "DSCR"));
    let found: Vec<Entry> = numbered.chain(tree).chain(by_number).collect();
    assert_eq!(NRes::from_entries(found).check(), []);

    let hidden = (0..1000).map(|_| of_type(b"TEXM", "grass.0"));
    let hidden = hidden.chain([of_type(b"TEXM", "GRASS.0")]).collect();
    let findings = NRes::from_entries(hidden).check();
    let first = "entry 1 \"grass.0\" has the name and type of entry 0; a search finds the first";
    assert_eq!(findings[0].message, first);
    assert_eq!(findings.len(), 17);
    assert_eq!(findings[16].message, "984 more of the kind before");
}

#[test]
fn entries_without_a_name_are_warned_of() {
    let entries = vec![
        Entry::new(12, 0, 0, 0, "ArealMap", Vec::new()).unwrap(),
        Entry::new(u32::from_le_bytes(*b"MAT0"), 0, 0, 0, "", Vec::new()).unwrap(),
    ];
    let findings = NRes::from_entries(entries).check();
    let reported: Vec<_> = findings
        .iter()
        .map(|it| (it.severity, &*it.message))
        .collect();
    assert_eq!(
        reported,
        [(Severity::Warning, "entry 1 of type MAT0 has no name")]
    );
}

#[test]
fn names_are_found_after_edits_that_the_stored_table_does_not_know() {
    let mut archive = NRes::read(TWO_ENTRIES).unwrap();
    archive.entries[0].name = fixed_name(b"0", MAX_NAME_LEN).unwrap();
    assert_eq!(archive.find(b"0"), Some(0));
    assert_eq!(archive.find(b"a"), Some(1));
    archive.entries.remove(0);
    assert_eq!(archive.find(b"a"), Some(0));
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let name = "[A-Ca-c]{0,3}";
    let data = prop::collection::vec(any::<u8>(), 0..20);
    (any::<[u32; 4]>(), name, data).prop_map(|([type_id, attr1, attr2, attr3], name, data)| {
        Entry::new(type_id, attr1, attr2, attr3, &name, data).unwrap()
    })
}

fn any_archive() -> impl Strategy<Value = NRes> {
    prop::collection::vec(any_entry(), 0..12).prop_map(NRes::from_entries)
}

proptest! {
    /// The slow method: the first entry whose folded name is equal.
    #[test]
    fn search_agrees_with_a_linear_scan(
        entries in prop::collection::vec(any_entry(), 0..12),
        name in "[A-Da-d]{0,3}",
    ) {
        let archive = NRes::read(&NRes::from_entries(entries).write().unwrap()).unwrap();
        let folded = name.to_ascii_lowercase();
        let expected = archive
            .entries
            .iter()
            .position(|entry| entry.name_text().to_ascii_lowercase() == folded);
        prop_assert_eq!(archive.find(name.as_bytes()), expected);
    }

    #[test]
    fn any_edits_write_a_strict_file_that_keeps_the_unindexed_region(
        seed in any::<u64>(),
        n_edits in 0..8,
    ) {
        let mut archive = NRes::read(&lived_in_file()).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..n_edits {
            edit(&mut archive, &mut rng);
        }
        let file = archive.write().unwrap();
        let read = NRes::read(&file).unwrap();
        prop_assert_eq!(&read, &archive);
        prop_assert_eq!(read.write().unwrap(), &file[..]);
        prop_assert!(file.windows(16).any(|bytes| bytes == b"an unindexed one"));
    }
}

fn edit(archive: &mut NRes, rng: &mut Rng) {
    let at = rng.below(archive.entries.len());
    let name = format!("n{}", rng.below(5));
    match (rng.below(6), archive.entries.get_mut(at)) {
        (0, Some(_)) => drop(archive.entries.remove(at)),
        (1, Some(entry)) => entry.data.truncate(at),
        (2, Some(entry)) => entry.data.extend(vec![1; rng.below(20)]),
        (3, Some(entry)) => entry.name = fixed_name(name.as_bytes(), MAX_NAME_LEN).unwrap(),
        (4, Some(entry)) => {
            let copy = entry.clone();
            archive.entries.push(copy);
        }
        _ => {
            let data = vec![2; rng.below(9)];
            let new = Entry::new(0, 0, 0, 0, &name, data).unwrap();
            archive.entries.insert(at, new);
        }
    }
}
