mod drafts;

use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set16, set32};

proof! {
    Fig {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_mesh(),
        growth: 8,
        runs: 2_000,
        records: [RecordPlace::new::<codec::Header>(4, ())],
        of_bytes: |data, ()| {
            if let Ok(fig) = Fig::read_with(data, Tolerance::all()) {
                assert_eq!(fig.write().as_deref(), Ok(data));
                fig.bounds([0.5; 3]);
            }
        },
    }
}

/// What is done to a sound value.
type Change<T> = fn(&mut T);

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn floats(floats: &[f32]) -> Vec<u8> {
    floats
        .iter()
        .flat_map(|float| float.to_le_bytes())
        .collect()
}

fn shorts(shorts: &[u16]) -> Vec<u8> {
    shorts
        .iter()
        .flat_map(|short| short.to_le_bytes())
        .collect()
}

/// A triangle in one state.
fn single() -> Fig {
    Fig {
        states: vec![FigState {
            center: [1.0, 2.0, 3.0],
            min: [-1.0, -2.0, -3.0],
            max: [1.0, 2.0, 3.0],
            radius: 4.0,
            positions: vec![[0.0, 0.25, 0.5], [2.0, 0.0, 0.0], [0.0, 4.0, 6.0], [0.0; 3]],
        }],
        normals: vec![
            [0.0, 0.0, 1.0, 1.0],
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0, 1.0],
            [0.0, 0.0, 0.0, 1.0],
        ],
        normal_layout: NormalLayout::Grouped,
        texcoords: vec![[0.5, 0.75]],
        indices: vec![0, 1, 2],
        components: vec![component(0, 0, 0), component(1, 1, 0), component(2, 2, 0)],
        morphs: vec![MorphComponent {
            morph: 7,
            vertex: 2,
        }],
        unknown_1c: 0,
        group: 18,
        texture: 2,
        tail: Vec::new(),
    }
}

fn component(position: u16, normal: u16, texcoord: u16) -> Component {
    Component {
        position,
        normal,
        texcoord,
    }
}

/// The table of a single-state triangle, typed from dossier section 9.4.1.
fn single_bytes() -> Vec<u8> {
    [
        b"FIG1".to_vec(),
        words(&[1, 1, 1, 3, 3, 1, 0, 18, 2]),
        floats(&[1.0, 2.0, 3.0]),
        floats(&[-1.0, -2.0, -3.0]),
        floats(&[1.0, 2.0, 3.0]),
        floats(&[4.0]),
        floats(&[0.0, 2.0, 0.0, 0.0, 0.25, 0.0, 4.0, 0.0, 0.5, 0.0, 6.0, 0.0]),
        floats(&[
            0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0,
        ]),
        floats(&[0.5, 0.75]),
        shorts(&[0, 1, 2]),
        shorts(&[0, 0, 0, 1, 1, 0, 2, 2, 0]),
        shorts(&[7, 2]),
    ]
    .concat()
}

/// A number of its own for every axis, state and vertex.
fn numbered(state: usize, vertex: usize) -> [f32; 3] {
    [0, 1, 2].map(|axis| (100 * state + 10 * vertex + axis) as f32)
}

/// `but01` of the main menu: as the dossier describes it (sections 9.4.5 and 13.9), other numbers made up.
fn but01() -> Fig {
    let state = |state| FigState {
        center: [-0.000_557, 0.000_537, -0.034_701],
        min: [-0.492_459, -0.035_761, -0.101_966],
        max: [0.492_459, 0.035_761, 0.101_966],
        radius: 0.504_175,
        positions: (0..8).map(|vertex| numbered(state, vertex)).collect(),
    };
    let components = [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 1),
        (5, 0),
        (6, 3),
        (7, 2),
    ]
    .into_iter();
    Fig {
        states: (0..8).map(state).collect(),
        normals: vec![[0.0, -1.0, 0.0, 1.0]; 8],
        normal_layout: NormalLayout::Grouped,
        texcoords: vec![
            [0.017_222, 0.845_068],
            [0.681_266, 0.845_068],
            [0.681_266, 0.982_561],
            [0.017_222, 0.982_562],
        ],
        indices: vec![0, 1, 2, 2, 3, 0, 4, 5, 6, 6, 7, 4],
        components: components
            .map(|(at, texcoord)| component(at, at, texcoord))
            .collect(),
        morphs: (0..8)
            .map(|it| MorphComponent {
                morph: it,
                vertex: it,
            })
            .collect(),
        unknown_1c: 0,
        group: 18,
        texture: 2,
        tail: Vec::new(),
    }
}

/// The bytes of `but01`, every float placed by the dossier's index formulas.
fn but01_bytes() -> Vec<u8> {
    let fig = but01();
    let mut vertices = vec![0.0; 12 * 8 * 2];
    let mut normals = vec![0.0; 16 * 2];
    for i in 0..8 {
        for a in 0..3 {
            for k in 0..8 {
                vertices[(i / 4) * 12 * 8 + a * 4 * 8 + k * 4 + i % 4] = numbered(k, i)[a];
            }
        }
        for a in 0..4 {
            normals[(i / 4) * 16 + a * 4 + i % 4] = [0.0, -1.0, 0.0, 1.0][a];
        }
    }
    let state = &fig.states[0];
    let components = fig
        .components
        .iter()
        .flat_map(|it| [it.position, it.normal, it.texcoord]);
    [
        b"FIG8".to_vec(),
        words(&[2, 2, 4, 12, 8, 8, 0, 18, 2]),
        floats(&state.center.repeat(8)),
        floats(&state.min.repeat(8)),
        floats(&state.max.repeat(8)),
        floats(&[state.radius; 8]),
        floats(&vertices),
        floats(&normals),
        floats(fig.texcoords.as_flattened()),
        shorts(&fig.indices),
        shorts(&components.collect::<Vec<_>>()),
        shorts(&[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]),
    ]
    .concat()
}

fn facts() -> Vec<Fact<Fig>> {
    vec![
        Fact::new("one state", single(), single_bytes()),
        Fact::new("but01", but01(), but01_bytes()),
    ]
}

#[test]
fn sound_meshes_have_no_findings() {
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
    assert_eq!(but01_bytes().len(), 1392);
}

/// Offsets in the single-state file: bounds 40, vertices 80, normals 128, texture coordinates 192, indices 200,
/// components 206, morph components 224.
fn damage() -> Vec<Damage> {
    let good = single_bytes();
    let rows: [(&'static str, usize, &[u8], &'static str, u64); 16] = [
        ("other magic", 0, b"F1G1", "magic", 0),
        ("six states", 3, b"6", "magic", 0),
        ("more vertices than bytes", 6, &[1], "vertex blocks", 80),
        ("two blocks of vertices", 4, &[5], "vertex blocks", 80),
        ("more normals than bytes", 8, &[3], "normal blocks", 128),
        (
            "more texture coordinates than bytes",
            12,
            &[6],
            "texture coordinates",
            192,
        ),
        ("more indices than bytes", 16, &[33], "indices", 200),
        ("part of a triangle", 16, &[4], "index count", 16),
        ("more components than bytes", 20, &[4], "components", 206),
        (
            "more morph components than bytes",
            24,
            &[2],
            "morph components",
            224,
        ),
        ("an index beyond", 202, &[3], "index", 202),
        (
            "a position beyond",
            212,
            &[4],
            "position of a component",
            212,
        ),
        (
            "a normal beyond",
            214,
            &[0, 1],
            "normal of a component",
            214,
        ),
        (
            "a texture coordinate beyond",
            216,
            &[1],
            "texture coordinate of a component",
            216,
        ),
        (
            "a vertex beyond",
            226,
            &[4],
            "vertex of a morph component",
            226,
        ),
        ("bounds that are no number", 79, &[0x7F], "bounds", 40),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        if field == "bounds" {
            bad[78] = 0xC0;
        }
        Damage::new(name, bad, field, offset)
    });
    let longer = facts().into_iter().map(|fact| {
        let longer = [&fact.bytes[..], &[1]].concat();
        let n_bytes = fact.bytes.len() as u64;
        Damage::new("a byte more", longer, "after the morph components", n_bytes)
    });
    rows.into_iter().chain(longer).collect()
}

#[test]
fn trailing_bytes_are_waived_by_name_and_kept() {
    for fact in facts() {
        let longer = [&fact.bytes[..], &[1]].concat();
        let read = Fig::read_with(&longer, Tolerance::TRAILING_BYTES).unwrap();
        assert_eq!(read.components, fact.value.unwrap().components);
        assert_eq!(read.write(), Ok(longer), "{}", fact.name);
    }
}

#[test]
fn a_vertex_is_mixed_from_its_eight_states() {
    let fig = but01();
    for (state, name) in super::super::complection::STATE_NAMES.iter().enumerate() {
        assert_eq!(fig.state_position(state, 5), numbered(state, 5), "{name}");
    }
    // States count in hundreds: strength 1, dexterity 2, height 4.
    assert_eq!(fig.position(5, [0.25, 0.5, 0.75]), [450.0, 451.0, 452.0]);
    assert_eq!(fig.position(8, [0.0; 3]), [0.0; 3], "there is none");
    assert_eq!(single().position(2, [0.3, 0.6, 0.9]), [0.0, 4.0, 6.0]);
    assert_eq!(single().state_position(6, 2), [0.0, 4.0, 6.0]);
}

#[test]
fn normals_are_divided_by_a_sound_w() {
    let mut fig = single();
    fig.normals = vec![
        [0.0, 0.0, 2.0, 2.0],
        [0.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, f32::NAN],
        [0.0; 4],
    ];
    assert_eq!(fig.normal(0), [0.0, 0.0, 1.0]);
    assert_eq!(fig.normal(1), [0.0, 1.0, 0.0]);
    assert_eq!(fig.normal(2), [1.0, 0.0, 0.0]);
    assert_eq!(fig.normal(9), [0.0, 0.0, 1.0]);
}

#[test]
fn bounds_are_the_same_box_in_both_conventions() {
    let from_center = but01();
    let mut from_origin = but01();
    for state in &mut from_origin.states {
        for axis in 0..3 {
            state.min[axis] += state.center[axis];
            state.max[axis] += state.center[axis];
        }
    }
    assert_eq!(
        from_center.bounds_convention(),
        Some(BoundsConvention::FromCenter)
    );
    assert_eq!(
        from_origin.bounds_convention(),
        Some(BoundsConvention::FromOrigin)
    );
    for fig in [from_center, from_origin] {
        let bounds = fig.bounds([0.5; 3]);
        assert_eq!(bounds.center, [-0.000_557, 0.000_537, -0.034_701]);
        for (found, expected) in bounds
            .half_extent
            .iter()
            .zip([0.492_459, 0.035_761, 0.101_966])
        {
            assert!((found - expected).abs() < 1e-6);
        }
        assert_eq!(bounds.radius, 0.504_175);
    }
}

#[test]
fn meshes_without_vertices_have_no_bounds() {
    let nowhere = FigState {
        center: [f32::NAN; 3],
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
        radius: f32::NAN,
        positions: Vec::new(),
    };
    let empty = Fig {
        states: vec![nowhere; 8],
        normals: Vec::new(),
        texcoords: Vec::new(),
        indices: Vec::new(),
        components: Vec::new(),
        morphs: Vec::new(),
        ..single()
    };
    let bytes = empty.write().unwrap();
    let read = Fig::read(&bytes).unwrap();
    assert_eq!(read.bounds([0.5; 3]), FigBounds::default());
    assert_eq!(read.check(), []);
    assert_eq!(read.write(), Ok(bytes), "their bits are kept");
}

#[test]
fn broken_bounds_are_waived_by_name() {
    let mut fig = single();
    fig.states[0].radius = f32::NAN;
    let bytes = fig.write().unwrap();
    assert_eq!(Fig::read(&bytes).unwrap_err().field, "bounds");
    let read = Fig::read_with(&bytes, Tolerance::BROKEN_BOUNDS).unwrap();
    assert_eq!(read.bounds([0.0; 3]), FigBounds::default());
    assert_eq!(read.check().len(), 1);
    assert_eq!(read.write(), Ok(bytes));
}

#[test]
fn numbers_that_are_not_finite_are_errors_where_they_stand() {
    let bytes = but01_bytes();
    let mesh = Fig::read(&bytes).unwrap();
    let n_coordinates = mesh.states.len() * mesh.n_vertices() * 3;
    let mut at = 40 + mesh.states.len() * 40;
    let mut places: Vec<usize> = (0..n_coordinates).map(|i| at + 4 * i).collect();
    at += 4 * n_coordinates + 16 * mesh.normals.len();
    places.extend((0..2 * mesh.texcoords.len()).map(|i| at + 4 * i));
    for place in places {
        let mut bytes = bytes.clone();
        bytes[place..place + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        let findings = Fig::read(&bytes).unwrap().check();
        let error = findings.iter().find(|it| it.severity == Severity::Error);
        let offset = error.and_then(|it| it.offset);
        assert_eq!(offset, Some(place as u64), "{findings:?}");
    }
}

/// The file of an early exporter: x, y, z, w of one normal after the other.
#[test]
fn ungrouped_normals_are_recognized_and_put_right_on_request() {
    let fig = single();
    let mut bytes = single_bytes();
    let plain = floats(fig.normals.as_flattened());
    bytes[128..192].copy_from_slice(&plain);
    let strict = Fig::read(&bytes).unwrap();
    assert_ne!(strict.normals, fig.normals);
    assert_eq!(strict.check().len(), 1, "it is reported");
    let mut fixed = Fig::read_with(&bytes, Tolerance::UNGROUPED_NORMALS).unwrap();
    assert_eq!(fixed.normals, fig.normals);
    assert_eq!(fixed.normal_layout, NormalLayout::Ungrouped);
    assert_eq!(
        fixed.write().as_ref(),
        Ok(&bytes),
        "untouched, the bytes stay"
    );
    let mut strict = strict;
    assert!(strict.regroup_normals());
    assert_eq!(strict.write().as_ref(), Ok(&bytes));
    fixed.normal_layout = NormalLayout::Grouped;
    assert_eq!(fixed.write(), Ok(single_bytes()));
    let sound = Fig::read_with(&single_bytes(), Tolerance::all()).unwrap();
    assert_eq!(sound, fig, "sound normals are left alone");
    assert!(!fig.clone().regroup_normals());
}

#[test]
fn vertices_too_far_apart_for_finite_bounds_make_no_mesh() {
    let draft = |corner: [f32; 3]| FigDraft {
        points: vec![vec![[0.0; 3], corner, corner.map(|v| -v)]],
        ..FigDraft::default()
    };
    // The square of the second radius, and the extent of the third, are beyond 32 bits; the radius is not.
    for x in [1e18, 2e19, 3e38] {
        let fig = Fig::draft(&draft([x, 0.0, 0.0])).unwrap();
        assert_eq!(fig.states[0].radius, x);
        assert_eq!(fig.states[0].max, [x, 0.0, 0.0]);
    }
    let error = Fig::draft(&draft([3e38; 3])).unwrap_err();
    assert_eq!(error.field, "bounds", "{error}");
}

#[test]
fn contradictions_are_not_written() {
    let rows: [(&str, Change<Fig>, &str); 6] = [
        ("two states", |fig| fig.states.truncate(2), "magic"),
        (
            "states of other sizes",
            |fig| fig.states[3].positions.truncate(4),
            "vertices",
        ),
        ("part of a block", |fig| fig.normals.truncate(5), "normals"),
        ("an index beyond", |fig| fig.indices[0] = 8, "index"),
        (
            "part of a triangle",
            |fig| fig.indices.truncate(4),
            "index count",
        ),
        (
            "a vertex beyond",
            |fig| fig.morphs[0].vertex = 8,
            "vertex of a morph component",
        ),
    ];
    for (name, change, field) in rows {
        let mut fig = but01();
        change(&mut fig);
        assert_eq!(fig.write().unwrap_err().field, field, "{name}");
    }
}

#[test]
fn what_is_unusual_is_reported() {
    let odd = Fig {
        unknown_1c: 5,
        group: 20,
        ..single()
    };
    let reported: Vec<_> = odd.check().into_iter().map(|it| it.message).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].contains("group 20") && reported[1].contains("0x5"),
        "{reported:?}"
    );
}

#[test]
fn the_order_of_corners_and_the_word_at_0x1c_are_free() {
    let mut shifted = single_bytes();
    set16(&mut shifted, 200, 2);
    set32(&mut shifted, 28, 9);
    assert!(Fig::read(&shifted).is_ok());
}

/// The bytes of `but01` with other floats.
fn with_floats(bits: &[u32]) -> Vec<u8> {
    let mut bytes = but01_bytes();
    for (target, word) in bytes[40..].chunks_exact_mut(4).zip(bits) {
        target.copy_from_slice(&word.to_le_bytes());
    }
    let indices = bytes.len() - 12 * 2 - 8 * 6 - 8 * 4;
    bytes[indices..].copy_from_slice(&but01_bytes()[indices..]);
    bytes
}

fn any_bits() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 1392 / 4 - 10 - 30)
}

/// Any floats but in bounds, which are to be numbers.
fn any_mesh() -> impl Strategy<Value = Fig> {
    any_bits().prop_map(|bits| {
        let mut bytes = with_floats(&bits);
        let bounds = 40..40 + 8 * 10 * 4;
        bytes[bounds.clone()].copy_from_slice(&but01_bytes()[bounds]);
        Fig::read(&bytes).unwrap()
    })
}

proptest! {
    /// Bits of every float survive, those of no numbers too.
    #[test]
    fn any_floats_survive_broken_bounds_too(bits in any_bits()) {
        let bytes = with_floats(&bits);
        let fig = Fig::read_with(&bytes, Tolerance::BROKEN_BOUNDS).unwrap();
        prop_assert_eq!(fig.write().unwrap(), bytes);
    }
}
