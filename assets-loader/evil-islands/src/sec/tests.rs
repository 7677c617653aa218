use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read,
};

proof! {
    Sec {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_sector(),
        growth: 4,
        runs: 700,
        records: [
            RecordPlace::new::<Vertex>(VERTICES, ()),
            RecordPlace::new::<Tile>(TILES, ()),
        ],
        of_bytes: prove_tolerantly_read::<Sec>,
    }
}

const VERTICES: usize = 5;
const TILES: usize = VERTICES + 1089 * 8;

/// Vertices that are all different from each other, the first as in the dossier.
fn vertex(row: usize, col: usize) -> Vertex {
    let at = row * VERTICES_PER_SIDE + col;
    Vertex {
        shift: [127, -127],
        altitude: 0x8000 + at as u16,
        normal: PackedNormal(0xFA1F_43E8 - at as u32),
    }
}

fn tile(row: usize, col: usize) -> Tile {
    Tile((row * 256 + col) as u16 + 0x4A85)
}

fn layer() -> LiquidLayer {
    LiquidLayer::draft(
        |row, col| Vertex {
            shift: [-1, 2],
            ..vertex(row, col)
        },
        |row, col| (row == 3).then_some((Tile(0x8041), col as i16)),
    )
}

fn dry() -> Sec {
    Sec::draft(vertex, tile, Liquids::None)
}

fn wet() -> Sec {
    Sec::draft(vertex, tile, Liquids::Layer(layer()))
}

fn vertices_only() -> Sec {
    Sec::draft(vertex, tile, Liquids::VerticesOnly(layer().vertices))
}

/// Files are long: the places of their tables are proven by [`tables_stand_where_the_document_says`].
fn facts() -> Vec<Fact<Sec>> {
    let fact = |name, sector: Sec| {
        let bytes = sector.write().unwrap();
        Fact::new(name, sector, bytes)
    };
    vec![
        fact("dry", dry()),
        fact("wet", wet()),
        fact("vertices of liquids alone", vertices_only()),
    ]
}

#[test]
fn tables_stand_where_the_document_says() {
    let file = dry().write().unwrap();
    assert_eq!(file.len(), 9229);
    assert_eq!(file[..5], hex("74 F7 4B CF 00"));
    assert_eq!(file[VERTICES..VERTICES + 8], hex("7F 81 00 80 E8 43 1F FA"));
    assert_eq!(
        file[VERTICES + 33 * 8..][..4],
        hex("7F 81 21 80"),
        "row 1 comes after 33 columns"
    );
    assert_eq!(file[TILES..TILES + 4], hex("85 4A 86 4A"));
    assert_eq!(
        file[TILES + 32..][..2],
        hex("85 4B"),
        "row 1 comes after 16 columns"
    );

    let file = wet().write().unwrap();
    assert_eq!(file.len(), 18965);
    assert_eq!(file[4], 3);
    let liquid_vertices = VERTICES + 1089 * 8;
    assert_eq!(file[liquid_vertices..][..4], hex("FF 02 00 80"));
    let tiles = liquid_vertices + 1089 * 8;
    assert_eq!(
        file[tiles..][..2],
        hex("85 4A"),
        "the ground's tiles come after both grids"
    );
    let liquid_tiles = tiles + 512;
    assert_eq!(file[liquid_tiles + 3 * 32..][..2], hex("41 80"));
    let materials = liquid_tiles + 512;
    assert_eq!(file[materials..][..2], hex("FF FF"));
    assert_eq!(file[materials + 3 * 32..][..4], hex("00 00 01 00"));

    assert_eq!(vertices_only().write().unwrap().len(), 17941);
}

#[test]
fn vertices_are_moved_and_lifted() {
    let first = vertex(0, 0);
    assert_eq!(first.offset(), [0.5, -0.5]);
    assert!((first.height(100.0) - 50.00076).abs() < 1e-5);
    assert_eq!(first.normal.unpack(), [0.0, 0.0, 1.0]);
    let lowest = Vertex {
        shift: [-128, 0],
        ..first
    };
    assert!((lowest.offset()[0] + 0.503937).abs() < 1e-6);
    assert_eq!(
        Vertex::draft([0.5, -0.5], 50.00076, 100.0, [0.0, 0.0, 1.0]),
        first
    );
    let beyond = Vertex::draft([9.0, -9.0], -3.0, 100.0, [0.0, 0.0, 1.0]);
    assert_eq!((beyond.shift, beyond.altitude), ([127, -127], 0));
    assert_eq!(
        Vertex::draft([0.0; 2], 101.0, 100.0, [0.0; 3]).altitude,
        u16::MAX
    );
}

#[test]
fn normals_are_packed_as_the_dossier_has_them() {
    let facts = [
        ([0.0, 0.0, 1.0], 0xFA1F_43E8),
        ([0.6, 0.0, 0.8], 0xC832_03E8),
        ([-0.36, 0.48, 0.8], 0xC814_05C8),
        ([1.0, 0.0, 0.0], 0x003E_83E8),
    ];
    for (vector, bits) in facts {
        assert_eq!(PackedNormal::pack(vector), PackedNormal(bits), "{vector:?}");
        assert_eq!(PackedNormal(bits).unpack(), vector);
    }
    assert_eq!(PackedNormal(0).unpack(), [-1.0, -1.0, 0.0]);
    assert_eq!(PackedNormal(u32::MAX).unpack(), [1.047, 1.047, 1.023]);
    assert_eq!(PackedNormal::pack([9.0; 3]), PackedNormal(u32::MAX));
    assert_eq!(PackedNormal::pack([-9.0; 3]), PackedNormal(0));
}

#[test]
fn every_code_of_a_normal_survives_unpacking() {
    for code in 0..1 << 11 {
        for bits in [code, code << 11, (code & 0x3FF) << 22] {
            let normal = PackedNormal(bits);
            assert_eq!(PackedNormal::pack(normal.unpack()), normal);
        }
    }
}

#[test]
fn tile_words_hold_place_atlas_and_rotation() {
    let facts = [
        (0x0000, (0, 0, 0)),
        (0x4A85, (5, 42, 1)),
        (0xC1FF, (63, 7, 3)),
        (0x8041, (1, 1, 2)),
    ];
    for (word, (index, texture, rotation)) in facts {
        let tile = Tile(word);
        assert_eq!(
            (tile.index(), tile.texture(), tile.rotation()),
            (index, texture, rotation)
        );
        assert_eq!(Tile::new(index, texture, rotation), tile);
        assert_eq!(tile.number(), u16::from(texture) * 64 + u16::from(index));
    }
}

/// What is changed, and how; the field that must be named, and where it stands.
type Row = (&'static str, fn(&mut Vec<u8>), &'static str, u64);

fn damage() -> Vec<Damage> {
    let rows: [Row; 6] = [
        ("another magic", |f| f[3] = 0, "magic", 0),
        ("no liquids announced", |f| f[4] = 0, "liquid mark", 4),
        ("no liquids", |f| f.truncate(9229), "liquid mark", 4),
        ("vertices alone", |f| f.truncate(17941), "liquid mark", 4),
        ("a byte more", |f| f.push(0), "liquid mark", 4),
        ("the magic alone", |f| f.truncate(4), "liquid mark", 4),
    ];
    let rows = rows.map(|(name, change, field, offset)| {
        let mut file = wet().write().unwrap();
        change(&mut file);
        Damage::new(name, file, field, offset)
    });
    rows.to_vec()
}

#[test]
fn a_mark_that_does_not_go_with_the_length_is_reported_with_both() {
    let mut file = wet().write().unwrap();
    file[4] = 0;
    assert_eq!(
        Sec::read(&file).unwrap_err().to_string(),
        "sec: byte 0x4, liquid mark: expected 9229 bytes for the mark 0, found 18965 bytes"
    );
}

#[test]
fn other_marks_announce_what_the_length_says() {
    for (mark, sector) in [(1, wet()), (2, wet()), (255, wet())] {
        let mut file = sector.write().unwrap();
        file[4] = mark;
        let read = Sec::read(&file).unwrap();
        assert_eq!(read.liquids(), sector.liquids());
        assert_eq!(read.write(), Ok(file));
        assert_eq!(read.check().len(), 1, "an unusual mark is reported");
    }
    let mut file = dry().write().unwrap();
    file[4] = 1;
    assert!(Sec::read(&file).is_err());
    let read = Sec::read_with(&file, Tolerance::LIQUIDS_BY_LENGTH).unwrap();
    assert_eq!(read.liquids(), &Liquids::None);
    assert_eq!(read.write(), Ok(file));
    assert!(read.check()[0].message.contains("there are none"));
}

#[test]
fn bytes_behind_the_tables_are_kept_where_they_are_waived() {
    for sector in [dry(), wet()] {
        let mut file = sector.write().unwrap();
        file.extend([1, 2, 3]);
        for tolerance in [Tolerance::TRAILING_BYTES, Tolerance::all()] {
            let read = Sec::read_with(&file, tolerance).unwrap();
            assert_eq!(read.trailing, [1, 2, 3]);
            assert_eq!(read.liquids(), sector.liquids());
            assert_eq!(read.write().unwrap(), file);
            assert!(read.check()[0].message.contains("3 bytes"));
        }
    }
}

#[test]
fn checks_report_odd_materials_and_of_nothing_else() {
    assert_eq!(dry().check(), []);
    assert_eq!(wet().check(), []);
    let mut layer = layer();
    layer.materials[7] = -2;
    layer.materials[9] = i16::MIN;
    let mut sector = dry();
    sector.set_liquids(Liquids::Layer(layer));
    let findings = sector.check();
    assert!(
        findings[0]
            .message
            .contains("tile 7 names the material -2, 1 more")
    );
    sector.set_liquids(Liquids::VerticesOnly(vertices_from(vertex)));
    assert!(sector.check()[0].message.contains("no tiles"));
    sector.set_liquids(Liquids::None);
    assert_eq!(sector, dry());
}

/// Any bytes of a right length.
fn any_sector() -> impl Strategy<Value = Sec> {
    (any::<u64>(), 0..3usize).prop_map(|(seed, form)| {
        let (mark, len) = [(0, 9229), (77, 17941), (3, 18965)][form];
        let mut rng = ironlands_assets_proof::Rng::new(seed);
        let mut file: Vec<u8> = (0..len).map(|_| rng.next_u64() as u8).collect();
        file[..4].copy_from_slice(&MAGIC);
        file[4] = mark;
        let sector = Sec::read(&file).unwrap();
        sector.check();
        sector
    })
}
