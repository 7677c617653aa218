use ironlands_assets_core::report::Scope;
use ironlands_assets_proof::{
    Change, Damage, Fact, RecordPlace, Truncations, assert_refuses_every_truncation, hex, proof,
    set32,
};
use proptest::prelude::*;

use super::*;

proof! {
    Vtx {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vtx(),
        growth: 64,
        runs: 2_000,
        records: [header()].into_iter().chain(LAYOUTS.into_iter().flat_map(records)).collect::<Vec<_>>(),
    }
}

const MESH: usize = 36 + 8 + 8 + 12;

/// One mesh of two strip groups, of which the second has two strips of three indices each.
fn hand_typed(layout: StripLayout) -> Vec<u8> {
    let more = match layout {
        StripLayout::Short => "",
        StripLayout::Long => "07 00 00 00 09 00 00 00",
    };
    let (group_size, strip_size) = (size::strip_group(layout), <Strip as Record>::size(layout));
    let word = |n: usize| hex_word(n as u32);
    // Behind the groups: the first one's vertices, indices, strip, then the second one's.
    let groups = MESH + 9;
    let first = groups + 2 * group_size;
    let second = first + 3 * 9 + 3 * 2 + strip_size;
    let group = |at: usize, data: usize, n_indices: usize, n_strips: usize| {
        let vertices = data - at;
        let indices = vertices + 3 * 9;
        let strips = indices + n_indices * 2;
        format!(
            "03 00 00 00 {} {} {} {} {} 02 {more} ",
            word(vertices),
            word(n_indices),
            word(indices),
            word(n_strips),
            word(strips)
        )
    };
    let vertices =
        "00 01 02 01 00 00 00 FF 00  00 01 02 01 01 00 00 00 00  00 01 02 01 02 00 00 00 00 ";
    let strip = |first_index: usize| {
        format!(
            "03 00 00 00 {} 03 00 00 00 00 00 00 00 01 00 01 00 00 00 00 00 00 00 00 {more} ",
            word(first_index)
        )
    };
    let text = [
        "07 00 00 00 18 00 00 00 35 00 09 00 03 00 00 00 78 56 34 12 01 00 00 00 00 00 00 00 01 00 00 00 ",
        "24 00 00 00  01 00 00 00 08 00 00 00  01 00 00 00 08 00 00 00  01 00 00 00 0C 00 00 00 00 00 80 3F ",
        "02 00 00 00 09 00 00 00 01 ",
        &group(groups, first, 3, 1),
        &group(groups + group_size, second, 6, 2),
        vertices,
        "00 00 01 00 02 00 ",
        &strip(0),
        vertices,
        "00 00 01 00 02 00 02 00 01 00 00 00 ",
        &strip(0),
        &strip(3),
    ]
    .concat();
    hex(&text)
}

fn hex_word(word: u32) -> String {
    let [a, b, c, d] = word.to_le_bytes();
    format!("{a:02X} {b:02X} {c:02X} {d:02X}")
}

const LAYOUTS: [StripLayout; 2] = [StripLayout::Short, StripLayout::Long];

fn header() -> RecordPlace {
    RecordPlace::from_fields(
        0,
        [
            ("version", 4),
            ("vertex cache size", 4),
            ("max bones per strip", 2),
            ("max bones per triangle", 2),
            ("max bones per vertex", 4),
            ("checksum", 4),
            ("lod count", 4),
            ("material replacements", 4),
            ("body part count", 4),
            ("body parts", 4),
        ],
    )
}

/// A strip and a vertex of the second group.
fn records(layout: StripLayout) -> [RecordPlace; 2] {
    let file = hand_typed(layout);
    let vtx = Vtx::read(&file).unwrap();
    let group = &vtx.body_parts[0].models[0].lods[0].meshes[0].strip_groups[1];
    [
        RecordPlace::from_value(&file, &group.strips[1], layout),
        RecordPlace::from_value(&file, &group.vertices[1], ()),
    ]
}

fn facts() -> Vec<Fact<Vtx>> {
    vec![
        Fact::from_bytes("short strips", hand_typed(StripLayout::Short)),
        Fact::from_bytes("long strips", hand_typed(StripLayout::Long)),
        Fact::from_bytes("textures of a level of detail", with_replacements().0),
    ]
}

/// The same with two levels of detail, of which the second has textures of its own, and where the table of these begins.
fn with_replacements() -> (Vec<u8>, usize) {
    let mut file = hand_typed(StripLayout::Short);
    let table = file.len();
    set32(&mut file, 20, 2);
    set32(&mut file, 24, table as u32);
    file.extend(hex("00 00 00 00 10 00 00 00  02 00 00 00 08 00 00 00"));
    file.extend(hex("01 00 0C 00 00 00  00 00 0E 00 00 00"));
    file.extend(b"lid_far\0wood\0");
    (file, table)
}

#[test]
fn levels_of_detail_have_textures_of_their_own() {
    let (file, table) = with_replacements();
    let vtx = Vtx::read(&file).unwrap();
    let [first, second] = &vtx.replacements[..] else {
        panic!("{:?}", vtx.replacements)
    };
    assert!(first.textures.is_empty());
    let textures = second.textures.iter();
    let textures: Vec<_> = textures.map(|it| (it.texture, it.name.text())).collect();
    assert_eq!(textures, [(1, "lid_far".into()), (0, "wood".into())]);
    let path = std::path::Path::new("a.vtx");
    let mut report = Report::new(path, Scope::File, FORMAT);
    vtx.describe(&mut report);
    let own = report
        .facts
        .iter()
        .filter(|(name, _)| *name == "own texture");
    let own: Vec<_> = own.map(|(_, fact)| fact.as_str()).collect();
    assert_eq!(
        own,
        [
            "lid_far in place of number 1 at level 1",
            "wood in place of number 0 at level 1"
        ]
    );
    // The number of levels, that of textures of a level, where these are, and where a name is.
    for (at, word, field, offset) in [
        (20, u32::MAX, "material replacements", 24),
        (20, 1 << 20, "material replacements", 24),
        (table + 8, u32::MAX, "replaced textures", table + 8),
        (table + 12, 1 << 20, "replaced textures", table + 8),
        (table + 18, 1 << 20, "replacement", table + 18),
    ] {
        let mut file = file.clone();
        set32(&mut file, at, word);
        let error = Vtx::read_layout(&file, StripLayout::Short).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset as u64),
            "{at}: {error}"
        );
    }
}

#[test]
fn fields_stand_where_the_document_says() {
    for layout in LAYOUTS {
        let file = hand_typed(layout);
        let vtx = Vtx::read(&file).unwrap();
        assert_eq!(vtx.layout(), layout);
        let numbers = (vtx.vertex_cache_size, vtx.max_bones_per_vertex, vtx.n_lods);
        assert_eq!(numbers, (24, 3, 1));
        assert_eq!(
            (vtx.max_bones_per_strip, vtx.max_bones_per_triangle),
            (53, 9)
        );
        assert_eq!(vtx.checksum, 0x1234_5678);
        let lod = &vtx.body_parts[0].models[0].lods[0];
        assert_eq!((lod.switch_point, lod.meshes[0].flags), (1.0, 1));
        let [first, second] = &lod.meshes[0].strip_groups[..] else {
            panic!("{layout:?}: two groups");
        };
        let vertex = VtxVertex {
            weight_indices: [0, 1, 2],
            n_bones: 1,
            mesh_vertex: 0,
            bones: [0, -1, 0],
        };
        assert_eq!(first.vertices[0], vertex);
        assert_eq!(first.vertices[2].mesh_vertex, 2);
        assert_eq!(first.indices[..], [0, 1, 2]);
        assert_eq!(second.indices[..], [0, 1, 2, 2, 1, 0]);
        assert_eq!((first.strips.len(), second.strips.len()), (1, 2));
        let topology = (layout == StripLayout::Long).then_some([7, 9]);
        let strip = Strip {
            n_indices: 3,
            first_index: 3,
            n_vertices: 3,
            first_vertex: 0,
            n_bones: 1,
            flags: 1,
            bone_state_changes: [0, 0],
            topology,
        };
        assert_eq!(second.strips[1], strip);
        assert_eq!((second.topology, second.flags), (topology, 2));
        assert_eq!(vtx.check(), []);
    }
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 8] = [
        (|f| set32(f, 0, 6), "version", 0),
        (|f| set32(f, 24, 1 << 20), "material replacements", 24),
        (|f| set32(f, 28, u32::MAX), "body parts", 28),
        (|f| set32(f, 28, 1 << 20), "body parts", 28),
        (|f| set32(f, 32, 1 << 20), "body parts", 28),
        (|f| set32(f, 36 + 4, u32::MAX - 64), "models", 36),
        (|f| set32(f, MESH, 1 << 24), "strip groups", MESH as u64),
        (
            |f| set32(f, MESH + 9, 1 << 24),
            "strip group vertices",
            MESH as u64 + 9,
        ),
    ];
    Damage::from_changes(&hand_typed(StripLayout::Short), changes)
}

#[test]
fn tables_that_share_their_bytes_have_a_limit() {
    // 100 body parts share 100 models, which share 100 levels of detail.
    let (models, lods) = (36 + 100 * 8, 36 + 2 * 100 * 8);
    let mut file = vec![0; lods + 100 * 12];
    for (at, word) in [(0, 7), (28, 100), (32, 36)] {
        set32(&mut file, at, word);
    }
    for row in 0..100 {
        for (at, target) in [(36 + row * 8, models), (models + row * 8, lods)] {
            set32(&mut file, at, 100);
            set32(&mut file, at + 4, (target - at) as u32);
        }
    }
    let error = Vtx::read(&file).unwrap_err();
    assert!(
        error.to_string().contains("bytes of many tables"),
        "{error}"
    );
}

/// Of [`Vtx::read`] the kit shows it; which layout is refused does not show there.
#[test]
fn every_truncation_is_refused_in_its_layout() {
    for layout in LAYOUTS {
        let file = hand_typed(layout);
        assert_refuses_every_truncation(&file, |data| Vtx::read_layout(data, layout).map(drop));
    }
}

#[test]
fn groups_that_are_not_used_up_are_found() {
    let mut file = hand_typed(StripLayout::Short);
    let strip = MESH + 9 + 2 * 25 + 3 * 9 + 3 * 2;
    set32(&mut file, strip, 2);
    assert_eq!(Vtx::read(&file).unwrap().check().len(), 1);
}

/// Numbers are changed, never added: a file keeps its tables where they are.
fn any_vtx() -> impl Strategy<Value = Vtx> {
    let numbers = any::<(bool, u16, u16, [i8; 3])>();
    let edits = (numbers, prop::num::f32::NORMAL);
    edits.prop_map(|((is_long, mesh_vertex, index, bones), switch_point)| {
        let mut vtx = Vtx::read(&hand_typed(LAYOUTS[usize::from(is_long)])).unwrap();
        let lod = &mut vtx.body_parts[0].models[0].lods[0];
        lod.switch_point = switch_point;
        let group = &mut lod.meshes[0].strip_groups[1];
        group.vertices[2] = VtxVertex {
            mesh_vertex,
            bones,
            ..group.vertices[2]
        };
        group.indices[5] = index;
        vtx.image = vtx.write().unwrap();
        vtx
    })
}
