use proptest::prelude::*;

use super::*;

/// All 32 full bits with their two compact words, typed from the document bit by bit.
const EVERY_FULL_BIT: [(u32, u16, u8); 32] = [
    (0x0000_0001, 0x0001, 0),
    (0x0000_0002, 0x0040, 0),
    (0x0000_0004, 0x1000, 0),
    (0x0000_0008, 0x0002, 0),
    (0x0000_0010, 0x0004, 0),
    (0x0000_0020, 0x0008, 0),
    (0x0000_0040, 0x2000, 0),
    (0x0000_0080, 0, 0x20),
    (0x0000_0100, 0, 0x01),
    (0x0000_0200, 0x0800, 0),
    (0x0000_0400, 0x0080, 0),
    (0x0000_0800, 0x0100, 0),
    (0x0000_1000, 0x0010, 0),
    (0x0000_2000, 0x0400, 0),
    (0x0000_4000, 0x0020, 0),
    (0x0000_8000, 0, 0x02),
    (0x0001_0000, 0, 0x04),
    (0x0002_0000, 0x0200, 0),
    (0x0004_0000, 0, 0x08),
    (0x0008_0000, 0, 0x10),
    (0x0010_0000, 0, 0),
    (0x0020_0000, 0x8000, 0),
    (0x0040_0000, 0, 0),
    (0x0080_0000, 0, 0),
    (0x0100_0000, 0, 0),
    (0x0200_0000, 0, 0),
    (0x0400_0000, 0, 0),
    (0x0800_0000, 0, 0),
    (0x1000_0000, 0, 0),
    (0x2000_0000, 0, 0),
    (0x4000_0000, 0, 0),
    (0x8000_0000, 0, 0),
];

#[test]
fn every_full_bit_has_its_own_compact_place_or_none() {
    for (full, main16, material6) in EVERY_FULL_BIT {
        let flags = FaceFlags::from_bits_retain(full);
        assert_eq!(flags.to_main16().0, main16, "main16 of {full:#x}");
        assert_eq!(flags.to_material6().0, material6, "material6 of {full:#x}");
        let expanded = FaceFlags::from_compact(CompactMain16(main16), CompactMaterial6(material6));
        let lost = FaceFlags::WITHOUT_COMPACT_FORM.contains(flags);
        let expected = if lost { FaceFlags::empty() } else { flags };
        assert_eq!(expanded, expected, "{full:#x} from its compact words");
        assert_eq!(lost, main16 == 0 && material6 == 0, "{full:#x}");
    }
}

#[test]
fn every_compact_bit_expands_to_one_full_bit_or_none() {
    for shift in 0..16 {
        let main16 = 1 << shift;
        let full = FaceFlags::from_compact(CompactMain16(main16), CompactMaterial6(0));
        let row = EVERY_FULL_BIT.iter().find(|row| row.1 == main16);
        assert_eq!(full.bits(), row.map_or(0, |row| row.0), "{main16:#x}");
        assert_eq!(row.is_none(), main16 == 0x4000, "{main16:#x}");
    }
    for shift in 0..8 {
        let material6 = 1 << shift;
        let full = FaceFlags::from_compact(CompactMain16(0), CompactMaterial6(material6));
        let row = EVERY_FULL_BIT.iter().find(|row| row.2 == material6);
        assert_eq!(full.bits(), row.map_or(0, |row| row.0), "{material6:#x}");
        assert_eq!(row.is_none(), material6 >= 0x40, "{material6:#x}");
    }
}

#[test]
fn the_filter_wants_all_required_and_no_forbidden_bit() {
    let filter = FaceFilter {
        required: 0x2008,
        forbidden: 0x2_0400,
    };
    let rows = [
        (0x0000_2008, true),
        (0xFFFD_FBFF, true),
        (0x0000_2000, false),
        (0x0000_0008, false),
        (0x0000_2408, false),
        (0x0002_2008, false),
        (0xFFFF_FFFF, false),
        (0, false),
    ];
    for (flags, accepted) in rows {
        let flags = FaceFlags::from_bits_retain(flags);
        assert_eq!(filter.accepts(flags), accepted, "{flags:?}");
    }
    let contradictory = FaceFilter {
        required: 8,
        forbidden: 8,
    };
    assert!(!contradictory.accepts(FaceFlags::TWO_SIDED));
    assert!(FaceFilter::default().accepts(FaceFlags::empty()));
    assert!(FaceFilter::default().accepts(FaceFlags::all()));
}

#[test]
fn the_four_query_words_expand_to_the_full_filter() {
    let compact = CompactFilter {
        main_required: CompactMain16(0x0202),
        main_forbidden: CompactMain16(0xC080),
        material_required: CompactMaterial6(0x21),
        material_forbidden: CompactMaterial6(0xC2),
    };
    let expected = FaceFilter {
        required: 0x0002_0188,
        forbidden: 0x0020_8400,
    };
    assert_eq!(FaceFilter::from(compact), expected);
}

#[test]
fn set_bits_are_named_or_shown_in_hex() {
    let flags = FaceFlags::from_bits_retain(0x8012_240D);
    let names: Vec<_> = flags.names().collect();
    assert_eq!(
        names,
        [
            "0x1",
            "second material",
            "two-sided",
            "microtexture",
            "liquid bed",
            "water",
            "0x100000",
            "0x80000000"
        ]
    );
    assert_eq!(FaceFlags::empty().names().count(), 0);
}

proptest! {
    #[test]
    fn a_way_through_compact_keeps_exactly_the_bits_with_a_place(bits: u32) {
        let flags = FaceFlags::from_bits_retain(bits);
        let back = FaceFlags::from_compact(flags.to_main16(), flags.to_material6());
        prop_assert_eq!(back.bits(), bits & 0x002F_FFFF);
    }

    #[test]
    fn a_way_through_full_keeps_exactly_the_bits_with_a_meaning(main16: u16, material6: u8) {
        let full = FaceFlags::from_compact(CompactMain16(main16), CompactMaterial6(material6));
        prop_assert_eq!(full.to_main16().0, main16 & 0xBFFF);
        prop_assert_eq!(full.to_material6().0, material6 & 0x3F);
    }

    #[test]
    fn the_filter_is_the_documents_other_spelling(bits: u32, required: u32, forbidden: u32) {
        // f | !forbidden == !forbidden, as the disassembly has it.
        let expected = bits & required == required && bits | !forbidden == !forbidden;
        let filter = FaceFilter { required, forbidden };
        prop_assert_eq!(filter.accepts(FaceFlags::from_bits_retain(bits)), expected);
        let sparse = FaceFilter { required: bits & required, forbidden: !bits & forbidden };
        prop_assert!(sparse.accepts(FaceFlags::from_bits_retain(bits)));
    }
}
