use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_core::text::fixed_name;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    RsLi {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_library(),
        growth: 64,
        runs: 2_000,
        records: records(),
        // Also what only a tolerance reads is written back; payloads unpack or are refused.
        also: |library, bytes| {
            assert_eq!(library.write().as_deref(), Ok(bytes));
            for entry in &library.entries {
                for position in [LzhPosition::Classic, LzhPosition::Peer] {
                    if let Ok(unpacked) = entry.unpack_with(position, Tolerance::all()) {
                        assert_eq!(unpacked.len(), entry.unpacked_size as usize);
                    }
                }
            }
            let canonical = library.write_canonical();
            let _read_or_refused = canonical.and_then(|file| RsLi::read(&file));
        },
    }
}

/// Entries `B` (XOR, four zeros under key 1) and `A` (stored). The seed is 0, whose stream is zeros, so the
/// table is plain. Typed from dossier 3.1-3.3.
const TWO_ENTRIES: &[u8] = b"NL\x00\x01\
    \x02\x00\
    abcdefgh\
    \xBA\xAB\
    ijkl\
    \x00\x00\x00\x00\
    mnopqrst\
    B\0\0\0\0\0\0\0\0\0\0\0\
    wxyz\
    \x20\x00\
    \x01\x00\
    \x04\x00\x00\x00\
    \x60\x00\x00\x00\
    \x04\x00\x00\x00\
    A\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\
    \x00\x00\
    \x00\x00\
    \x05\x00\x00\x00\
    \x64\x00\x00\x00\
    \x05\x00\x00\x00\
    \x02\x06\x0b\x1e\
    plain";
const ROW_0: usize = 32;
const ROW_1: usize = 64;

fn two_entries() -> RsLi {
    let mut b = Entry::new("B", Method::Xor, &[0; 4]).unwrap();
    b.service = *b"wxyz";
    let a = Entry::new("A", Method::Stored, b"plain").unwrap();
    RsLi {
        header: Header {
            unknown_06: *b"abcdefgh",
            unknown_10: *b"ijkl",
            unknown_18: *b"mnopqrst",
            ..Header::default()
        },
        ..RsLi::from_entries(vec![b, a])
    }
}

/// The header, and the first row, which is encrypted.
fn records() -> [RecordPlace; 2] {
    let header = [
        ("magic", 2),
        ("reserved", 1),
        ("version", 1),
        ("entry count", 2),
        ("unknown_06", 8),
        ("presorted flag", 2),
        ("unknown_10", 4),
        ("xor seed", 4),
        ("unknown_18", 8),
    ];
    [
        RecordPlace::from_fields(0, header),
        RecordPlace::new::<Row>(HEADER_SIZE, ()),
    ]
}

fn facts() -> Vec<Fact<RsLi>> {
    let empty = b"NL\x00\x01\0\0\0\0\0\0\0\0\0\0\xBA\xAB\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    // The same file behind 0x10 bytes of something else: stored offsets are 0x10 less.
    let mut overlaid = TWO_ENTRIES.to_vec();
    overlaid[ROW_0 + 24] = 0x50;
    overlaid[ROW_1 + 24] = 0x54;
    overlaid.extend(b"AO\x10\x00\x00\x00");
    let with_overlay = RsLi {
        overlay: Some(0x10),
        ..two_entries()
    };
    vec![
        Fact::new("no entries", RsLi::default(), empty),
        Fact::new("two entries", two_entries(), TWO_ENTRIES),
        Fact::new("trailer", with_overlay, overlaid),
        Fact::from_bytes("an entry of every method", every_method()),
    ]
}

fn every_method() -> Vec<u8> {
    let text = b"some text, some more text, and some more of the same text";
    let entry = |method: Method| Entry::new(&format!("{method:?}"), method, text).unwrap();
    let library = RsLi::from_entries(Method::ALL.map(entry).to_vec());
    library.write().unwrap()
}

#[test]
fn usual_libraries_have_no_findings_and_unpack() {
    for fact in facts().iter().filter(|fact| fact.value.is_some()) {
        let read = RsLi::read(&fact.bytes).unwrap();
        assert_eq!(read.check(), [], "{}", fact.name);
    }
    let read = RsLi::read(TWO_ENTRIES).unwrap();
    assert_eq!(read.entries[0].unpack().as_deref(), Ok(&[0; 4][..]));
    assert_eq!(read.entries[1].unpack().as_deref(), Ok(&b"plain"[..]));
    assert_eq!(read.entries[1].offset(), 0x64);
}

/// Packed bytes worked out by hand from the document, and what they are.
fn packed_facts() -> Vec<(&'static str, Method, &'static [u8], &'static [u8])> {
    vec![
        ("stored", Method::Stored, b"abc", b"abc"),
        // Control bit 0 set: a literal; bit 1 clear: 7 bytes from ring position 0xFEE.
        ("LZSS run", Method::Lzss, b"\x01a\xEE\xF4", b"aaaaaaaa"),
        // Ring position 0 was never written: spaces.
        ("LZSS fill", Method::Lzss, b"\x00\x00\x00", b"   "),
        // Symbol 0 of the first tree: nodes 625 623 618 608 588 549 471 314 0, bits 110001100.
        ("LZHUF literal", Method::Lzhuf, b"\xC6\x00", b"\0"),
        // LZHUF is the scheme of LHA's -lh1-; an independent decoder of that reads these bytes so.
        (
            "LZHUF text",
            Method::Lzhuf,
            b"\xea\x80\x6b\x00\xfd\xbf\xfc\x3c\x4f\xa7\xc6\xef\xba\xfb\x02\xed\xef\xdf\xca\xcb\
            \xbf\x5f\xcd\x7a\xfb\x8a\xed\xa4\xc3\x38\x57\x1f\xeb\xa8\x6b\x07\xe7\x6a\x34\x31\x4e\
            \x8d\x9f\x84\xbb\x1d\xd0",
            b"It was the best of times, it was the worst of times, it was the age of wisdom.",
        ),
        // A stored block of RFC 1951: final, length 3, its complement.
        (
            "Deflate",
            Method::Deflate,
            b"\x01\x03\x00\xFC\xFFabc",
            b"abc",
        ),
    ]
}

fn packed_entry(method: Method, packed: &[u8], unpacked_size: u32) -> Entry {
    let mut entry = Entry::new("X", method, b"").unwrap();
    entry.packed = packed.to_vec();
    entry.unpacked_size = unpacked_size;
    entry
}

#[test]
fn packed_facts_unpack() {
    for (name, method, packed, unpacked) in packed_facts() {
        let entry = packed_entry(method, packed, unpacked.len() as u32);
        assert_eq!(entry.unpack().as_deref(), Ok(unpacked), "{name}");
    }
}

#[test]
fn encoders_agree_with_the_facts() {
    for (name, method, packed, unpacked) in packed_facts() {
        let encoder_differs = matches!(name, "LZSS fill" | "Deflate");
        let entry = Entry::new("X", method, unpacked).unwrap();
        assert_eq!(entry.packed == packed, !encoder_differs, "{name}");
    }
}

#[test]
fn the_stored_table_is_sorted_position_to_entry_not_its_inverse() {
    let named = |name| Entry::new(name, Method::Stored, b"").unwrap();
    let file = RsLi::from_entries(vec![named("C"), named("A"), named("B")])
        .write()
        .unwrap();
    let stored: Vec<u8> = (0..3).map(|i| file[32 + 32 * i + 18]).collect();
    assert_eq!(stored, [1, 2, 0]);
}

fn damage() -> Vec<Damage> {
    type Row = (&'static str, fn(&mut Vec<u8>), &'static str, u64);
    let rows: [Row; 11] = [
        ("magic", |f| f[1] = b'l', "magic", 0),
        ("version", |f| f[3] = 2, "version", 3),
        ("negative count", |f| f[5] = 0x80, "entry count", 4),
        ("count beyond the file", |f| f[4] = 3, "entry count", 4),
        (
            "sort index beyond",
            |f| f[ROW_1 + 18] = 2,
            "entry sort_to_original",
            82,
        ),
        (
            "sort index twice",
            |f| f[ROW_1 + 18] = 1,
            "entry sort_to_original",
            82,
        ),
        (
            "payload in the table",
            |f| f[ROW_0 + 24] = 0x5F,
            "entry data offset",
            56,
        ),
        (
            "payload beyond the file",
            |f| f[ROW_1 + 28] = 6,
            "entry data offset",
            88,
        ),
        (
            "offset of 4 GiB",
            |f| f[ROW_1 + 24..ROW_1 + 28].fill(0xFF),
            "entry data offset",
            88,
        ),
        ("overlap", |f| f[ROW_0 + 28] = 5, "entry data offset", 88),
        (
            "overlay beyond the file",
            |f| f.extend(b"AO\xFF\0\0\0"),
            "trailer overlay",
            107,
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
fn payloads_that_do_not_unpack_say_why() {
    let entry = packed_entry;
    let cases = [
        (
            "stored short",
            entry(Method::Stored, b"ab", 3),
            "stored payload",
        ),
        (
            "stored long",
            entry(Method::Stored, b"ab", 1),
            "stored payload",
        ),
        ("LZSS cut", entry(Method::Lzss, b"\xFFa", 2), "LZSS literal"),
        (
            "LZSS cut match",
            entry(Method::Lzss, b"\x00a", 2),
            "LZSS match",
        ),
        (
            "LZSS claim",
            entry(Method::Lzss, b"\xFFa", 19),
            "unpacked size",
        ),
        ("LZHUF cut", entry(Method::Lzhuf, b"\xC6", 2), "LZHUF bits"),
        (
            "LZHUF claim",
            entry(Method::Lzhuf, b"\xC6", u32::MAX),
            "unpacked size",
        ),
        (
            "Deflate junk",
            entry(Method::Deflate, b"\xFF\xFF", 3),
            "Deflate stream",
        ),
        (
            "Deflate cut",
            entry(Method::Deflate, b"\x01\x03\0\xFC\xFFab", 3),
            "Deflate stream",
        ),
        (
            "Deflate short",
            entry(Method::Deflate, b"\x01\x03\0\xFC\xFFabc", 4),
            "Deflate stream",
        ),
        (
            "Deflate long",
            entry(Method::Deflate, b"\x01\x03\0\xFC\xFFabc", 2),
            "Deflate stream",
        ),
    ];
    for (name, entry, field) in cases {
        let error = entry.unpack().unwrap_err();
        assert_eq!(error.field, field, "{name}");
        assert_eq!(error.entry.as_deref(), Some("X"), "{name}");
    }
    for bits in [0x0C0, 0x0E0, 0x120, 0x1E0] {
        let mut unknown = entry(Method::Stored, b"", 0);
        unknown.flags = bits;
        let error = unknown.unpack().unwrap_err();
        assert!(
            matches!(error.kind, FormatErrorKind::Unsupported { .. }),
            "{bits:#x}"
        );
    }
}

#[test]
fn each_tolerance_waives_its_rule_only() {
    let mut unsorted = TWO_ENTRIES.to_vec();
    unsorted[ROW_0 + 18] = 0;
    assert!(RsLi::read_with(&unsorted, Tolerance::SORT_TABLE.complement()).is_err());
    let read = RsLi::read_with(&unsorted, Tolerance::SORT_TABLE).unwrap();
    assert_eq!(read.write().as_ref(), Ok(&unsorted));
    assert_eq!(read.find(b"B"), Some(0), "found without a good table");

    let mut long = Entry::new("X", Method::Stored, b"abc").unwrap();
    long.unpacked_size = 2;
    let tolerant = long.unpack_with(LzhPosition::Classic, Tolerance::STORED_SIZE);
    assert_eq!(tolerant.as_deref(), Ok(&b"ab"[..]));

    let mut cut = Entry::new("X", Method::Lzhuf, b"\0").unwrap();
    cut.packed.truncate(1);
    assert!(cut.unpack().is_err());
    let tolerant = cut.unpack_with(LzhPosition::Classic, Tolerance::LZHUF_INPUT_END);
    assert_eq!(tolerant.as_deref(), Ok(&[0][..]));
}

#[test]
fn the_byte_beyond_the_end_is_tolerated_for_its_one_name() {
    let file_of = |name: &str, method| {
        let library = RsLi::from_entries(vec![Entry::new(name, method, b"sprites").unwrap()]);
        let mut file = library.write().unwrap();
        file[ROW_0 + 28] += 1;
        file
    };
    let file = file_of("INTERF8.TEX", Method::Deflate);
    let error = RsLi::read(&file).unwrap_err();
    assert_eq!(
        (error.field.as_ref(), error.offset),
        ("deflate_eof_plus_one", 56)
    );
    let read = RsLi::read_with(&file, Tolerance::DEFLATE_EOF_PLUS_ONE).unwrap();
    assert_eq!(read.entries[0].unpack().as_deref(), Ok(&b"sprites"[..]));
    assert_eq!(read.write(), Ok(file));
    assert!(read.check()[0].message.starts_with("deflate_eof_plus_one"));

    for (name, method) in [
        ("INTERF7.TEX", Method::Deflate),
        ("INTERF8.TEX", Method::Lzss),
    ] {
        let refused = RsLi::read_with(&file_of(name, method), Tolerance::all());
        assert_eq!(refused.unwrap_err().field, "entry data offset", "{name}");
    }
}

#[test]
fn unsorted_libraries_take_their_keys_from_the_rebuilt_table() {
    let mut file = TWO_ENTRIES.to_vec();
    file[14..16].fill(0);
    file[ROW_0 + 18] = 77;
    let read = RsLi::read(&file).unwrap();
    assert_eq!(read.entries[0].unpack().as_deref(), Ok(&[0; 4][..]));
    assert_eq!(read.write().as_ref(), Ok(&file));
    assert_eq!(read.find(b"b"), Some(0));
    assert_eq!(read.write_canonical().as_deref(), Ok(TWO_ENTRIES));
}

#[test]
fn gaps_survive_edits_that_move_nothing() {
    let mut file = TWO_ENTRIES.to_vec();
    file.splice(0x60..0x60, *b"gap");
    file[ROW_0 + 24] += 3;
    file[ROW_1 + 24] += 3;
    file.extend(b"AO: no trailer");
    let mut read = RsLi::read(&file).unwrap();
    assert_eq!(read.write().as_ref(), Ok(&file));
    assert_eq!(read.check().len(), 2);
    read.entries[0].service = [1, 2, 3, 4];
    read.entries[1].packed[0] = b'P';
    let mut expected = file.clone();
    expected[ROW_0 + 12..ROW_0 + 16].copy_from_slice(&[1, 2, 3, 4]);
    expected[0x67] = b'P';
    assert_eq!(read.write(), Ok(expected));
}

#[test]
fn payloads_that_end_like_a_trailer_are_payloads() {
    let library = RsLi::from_entries(vec![
        Entry::new("X", Method::Stored, b"...AO\x01\0\0\0").unwrap(),
    ]);
    let file = library.write().unwrap();
    let read = RsLi::read(&file).unwrap();
    assert_eq!(read.overlay, None);
    assert_eq!(read.entries[0].packed, b"...AO\x01\0\0\0");
}

#[test]
fn edits_that_change_keys_or_sizes_are_laid_out_anew() {
    let mut library = RsLi::read(TWO_ENTRIES).unwrap();
    library.entries[0].name = fixed_name(b"0", 12).unwrap();
    let read = RsLi::read(&library.write().unwrap()).unwrap();
    assert_eq!(read, library);
    assert_eq!(read.entries[0].unpack().as_deref(), Ok(&[0; 4][..]));
    library
        .entries
        .push(Entry::new("LONG NAME 12", Method::Deflate, &[7; 99]).unwrap());
    library.entries.remove(1);
    assert_eq!(RsLi::read(&library.write().unwrap()), Ok(library));
}

#[test]
fn small_letters_are_found_and_warned_of() {
    let library = RsLi::from_entries(vec![Entry::new("small.tex", Method::Stored, b"x").unwrap()]);
    let read = RsLi::read(&library.write().unwrap()).unwrap();
    assert_eq!(read.find(b"SMALL.TEX"), Some(0));
    assert_eq!(read.check()[0].severity, Severity::Warning);
}

#[test]
fn names_and_counts_that_do_not_fit_are_refused() {
    assert!(Entry::new("THIRTEEN.TEXT", Method::Stored, b"").is_err());
    assert!(Entry::new("A\0B", Method::Stored, b"").is_err());
    let entry = Entry::new("A", Method::Stored, b"").unwrap();
    let error = RsLi::from_entries(vec![entry.clone(); 0x8000])
        .write()
        .unwrap_err();
    assert_eq!(error.field, "entry count");
    let beyond = RsLi {
        overlay: Some(65),
        ..RsLi::from_entries(vec![entry])
    };
    assert_eq!(beyond.write().unwrap_err().field, "entry data offset");
}

/// Long enough that the adaptive tree is rebuilt, with runs, text and noise.
fn long_data() -> Vec<u8> {
    let mut rng = ironlands_assets_proof::Rng::new(5);
    let mut data: Vec<u8> = (0..40_000).map(|_| rng.next_u64() as u8).collect();
    data.extend(b"the same line again and again\n".repeat(400));
    data.extend([0; 5000]);
    data
}

#[test]
fn every_method_gives_long_data_back() {
    let data = long_data();
    let name = |method: Method| format!("M{:03X}", method.bits());
    let entries = Method::ALL.map(|method| Entry::new(&name(method), method, &data).unwrap());
    for entry in &entries[2..] {
        assert!(
            entry.packed.len() < data.len(),
            "{:?} packs nothing",
            entry.method()
        );
    }
    let mut library = RsLi::from_entries(entries.to_vec());
    library.header.xor_seed = 0xDEAD_1234;
    let read = RsLi::read(&library.write().unwrap()).unwrap();
    for method in Method::ALL {
        let index = read.find(name(method).as_bytes()).unwrap();
        assert!(
            read.entries[index].unpack() == Ok(data.clone()),
            "{method:?}"
        );
    }
}

fn any_entry() -> impl Strategy<Value = (Vec<u8>, Entry)> {
    let data = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        prop::collection::vec(0u8..3, 0..600),
        (any::<u8>(), 0usize..9000).prop_map(|(byte, len)| vec![byte; len]),
    ];
    ("[A-C]{0,3}", prop::sample::select(&Method::ALL[..]), data).prop_map(|(name, method, data)| {
        let entry = Entry::new(&name, method, &data).unwrap();
        (data, entry)
    })
}

fn any_library() -> impl Strategy<Value = RsLi> {
    let entries = prop::collection::vec(any_entry(), 0..9);
    (entries, any::<u32>(), any::<bool>()).prop_map(|(entries, xor_seed, trailer)| {
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        let mut library = RsLi::from_entries(entries);
        library.header.xor_seed = xor_seed;
        library.overlay = trailer.then_some(7);
        library
    })
}

proptest! {
    #[test]
    fn any_data_comes_out_of_a_library(
        entries in prop::collection::vec(any_entry(), 0..9),
        xor_seed in any::<u32>(),
    ) {
        let (data, entries): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let mut library = RsLi::from_entries(entries);
        library.header.xor_seed = xor_seed;
        let read = RsLi::read(&library.write().unwrap()).unwrap();
        for (entry, data) in read.entries.iter().zip(data) {
            prop_assert_eq!(entry.unpack().unwrap(), data);
        }
    }
}
