mod look;

use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;
use crate::game_files::GameFiles;
use crate::pakfile::{Comment, Pakfile};

proof! {
    Vmt {
        facts: proof_facts(),
        damage: damage(),
        // A material is one as soon as its block begins; a test of its own shows it.
        truncations: Truncations::Valid,
        values: any_vmt(),
        growth: 400,
        runs: 2_000,
        also: look_at,
    }
}

/// Text, shader and parameters.
fn facts() -> Vec<(&'static str, &'static str, Vec<Entry>)> {
    vec![
        (
            "\"LightmappedGeneric\"\r\n{\r\n\t\"$basetexture\" \"a\"\r\n\t$nocull 1 // both\r\n}\r\n",
            "LightmappedGeneric",
            vec![
                Entry::text("$basetexture", "a"),
                Entry::text("$nocull", "1"),
            ],
        ),
        // As the map compiler writes it.
        (
            "\"patch\"\n{\n\t\"include\"\t\t\"materials/A.vmt\"\n\t\"insert\"\n\t{\n\t\t\"$envmap\"\t\t\"c\"\n\t}\n}\n",
            "patch",
            vec![
                Entry::text("include", "materials/A.vmt"),
                Entry::block("insert", vec![Entry::text("$envmap", "c")]),
            ],
        ),
        // Directives come first; the last brace is missing.
        (
            "#include \"b.vmt\"\nWater { $fogend 9",
            "Water",
            vec![Entry::text("$fogend", "9")],
        ),
    ]
}

fn proof_facts() -> Vec<Fact<Vmt>> {
    let facts = facts().into_iter().map(|(text, ..)| text);
    let texts = facts.chain([look::EVERYTHING]);
    texts.map(|text| Fact::from_bytes(text, text)).collect()
}

#[test]
fn shaders_and_parameters_are_those_of_the_facts() {
    for (text, shader, parameters) in facts() {
        let vmt = Vmt::read(text.as_bytes()).unwrap();
        assert_eq!((vmt.shader(), vmt.parameters()), (shader, &parameters[..]));
    }
}

fn damage() -> Vec<Damage> {
    let deep = "a{".repeat(33);
    let rows: [(&'static str, &[u8], &'static str, u64); 5] = [
        ("nothing", b"", "shader", 0),
        ("no block", b"a b c d", "shader", 0),
        ("no shader", b" { }", "key", 1),
        ("too deep", deep.as_bytes(), "block", 65),
        ("UTF-16", b"\xFF\xFEa\0", "byte order mark", 0),
    ];
    let rows = rows.map(|(name, text, field, offset)| Damage::new(name, text, field, offset));
    rows.to_vec()
}

#[test]
fn errors_are_those_of_materials() {
    for row in damage() {
        assert_eq!(Vmt::read(&row.bytes).unwrap_err().format, "vmt");
    }
}

/// The engine overlooks missing braces, so that a material is one as soon as its block begins.
#[test]
fn truncation_is_refused_before_the_block_and_harmless_after() {
    for (text, shader, _) in facts() {
        let start = text.find('{').unwrap();
        let is_first = !text.starts_with('#');
        for len in 0..text.len() {
            if !text.is_char_boundary(len) {
                continue;
            }
            match Vmt::read(&text.as_bytes()[..len]) {
                Ok(vmt) => {
                    assert!(len > start, "{text:?} up to {len}");
                    assert_eq!(vmt.shader(), shader);
                    assert_eq!(vmt.write().as_deref(), Ok(&text.as_bytes()[..len]));
                }
                Err(_) => assert!(len <= start || !is_first, "{text:?} up to {len}"),
            }
        }
    }
}

#[test]
fn names_become_paths() {
    let rows = [
        ("METAL\\Pipe007a", "materials/metal/pipe007a.vmt"),
        ("materials/METAL/PIPE.vmt", "materials/metal/pipe.vmt"),
        ("/a//b.VMT", "materials/a/b.vmt"),
        ("maps/m/c-1_2_3", "materials/maps/m/c-1_2_3.vmt"),
    ];
    for (name, path) in rows {
        assert_eq!(material_path(name), path);
    }
    assert_eq!(texture_path("Brick\\Wall.vtf"), "materials/brick/wall.vtf");
    assert_eq!(texture_path("skybox/a.hdr"), "materials/skybox/a.hdr.vtf");
}

#[test]
fn names_of_the_compiler_lead_back() {
    let rows = [
        ("maps/m/metal/pipe_-3131_4840_194", Some("metal/pipe")),
        ("MAPS\\m\\Pipe_1_2_3", Some("Pipe")),
        ("maps/m/nature/blend_WVT_patch", Some("nature/blend")),
        ("maps/m/water/canal_depth_49", Some("water/canal")),
        ("maps/m/a_1_2", None),
        ("maps/m/a_1_2_x", None),
        ("maps/m/a_1_2_-", None),
        ("maps/m/_1_2_3", None),
        ("maps/m", None),
        ("metal/pipe_1_2_3", None),
        ("mapsé/m/a_1_2_3", None),
        ("é", None),
        ("", None),
    ];
    for (name, original) in rows {
        assert_eq!(original_name(name), original, "{name}");
    }
}

fn files(materials: &[(&str, &str)]) -> GameFiles {
    let list: Vec<(&str, &[u8])> = materials
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    GameFiles::new(Some(Pakfile::draft(&list, Comment::None).unwrap()), &[]).unwrap()
}

#[test]
fn patches_insert_and_replace() {
    let files = files(&[
        (
            "materials/base.vmt",
            "Shader { $a 1 $b 2 Proxies { Sine { } } }",
        ),
        (
            "materials/inner.vmt",
            "patch { include materials/BASE.vmt insert { $A 3 $c 4 } replace { $d 5 } }",
        ),
        (
            "materials/outer.vmt",
            "Patch { include \"materials\\inner.vmt\" replace { $c 6 $e 7 } insert { Proxies { } } }",
        ),
    ]);
    let resolved = Vmt::load(&files, "Outer").unwrap();
    assert_eq!(resolved.shader, "Shader");
    assert_eq!(
        resolved.files,
        [
            "materials/outer.vmt",
            "materials/inner.vmt",
            "materials/base.vmt"
        ]
    );
    let last = |key: &str| {
        resolved
            .parameters
            .iter()
            .rev()
            .find(|e| e.is(key))
            .and_then(Entry::as_text)
    };
    let keys = ["$a", "$b", "$c", "$d", "$e"];
    assert_eq!(
        keys.map(last),
        [Some("3"), Some("2"), Some("6"), None, None]
    );
    assert_eq!(resolved.look(LightRange::Ldr).proxies, []);
    assert_eq!(
        Vmt::load(&files, "base")
            .unwrap()
            .look(LightRange::Ldr)
            .proxies
            .len(),
        1
    );
}

#[test]
fn missing_names_of_the_compiler_stand_for_their_originals() {
    let files = files(&[
        ("materials/a.vmt", "Shader { }"),
        (
            "materials/maps/m/b_1_2_3.vmt",
            "patch { include materials/maps/m/a_wvt_patch.vmt }",
        ),
    ]);
    let load = |name: &str| Vmt::load(&files, name).map(|resolved| resolved.files);
    assert_eq!(load("maps/m/a_1_2_3").unwrap(), ["materials/a.vmt"]);
    assert_eq!(
        load("maps/m/b_1_2_3").unwrap(),
        ["materials/maps/m/b_1_2_3.vmt", "materials/a.vmt"]
    );
    let missing = load("maps/m/c_1_2_3").unwrap_err();
    assert!(
        matches!(missing, VmtError::Missing { name } if name == "materials/maps/m/c_1_2_3.vmt")
    );
}

#[test]
fn patches_that_lead_nowhere_are_refused() {
    let files = files(&[
        (
            "materials/circle.vmt",
            "patch { include materials/circle.vmt }",
        ),
        ("materials/nothing.vmt", "patch { insert { $a 1 } }"),
        ("materials/lost.vmt", "patch { include materials/gone.vmt }"),
        ("materials/broken.vmt", "patch"),
        ("materials/escape.vmt", "patch { include ../../a.vmt }"),
    ]);
    let load = |name: &str| Vmt::load(&files, name).unwrap_err();
    assert!(matches!(load("circle"), VmtError::TooDeep { limit: 8, .. }));
    assert!(matches!(load("nothing"), VmtError::NothingIncluded { .. }));
    assert!(matches!(load("lost"), VmtError::Missing { name } if name == "materials/gone.vmt"));
    assert!(matches!(load("broken"), VmtError::Invalid { .. }));
    assert!(matches!(load("escape"), VmtError::Files(_)));
}

#[test]
fn eight_patches_are_enough() {
    let chain: Vec<(String, String)> = (0..10)
        .map(|i| {
            let text = match i {
                0 => "Shader { }".to_owned(),
                i => format!("patch {{ include materials/{} }}", i - 1),
            };
            (format!("materials/{i}.vmt"), text)
        })
        .collect();
    let list: Vec<(&str, &str)> = chain
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let files = files(&list);
    assert_eq!(Vmt::load(&files, "8").unwrap().files.len(), 9);
    assert!(matches!(
        Vmt::load(&files, "9").unwrap_err(),
        VmtError::TooDeep { .. }
    ));
}

/// Keys of a flattened material, in order, with their values.
fn flat(text: &str, range: LightRange) -> Vec<(String, String)> {
    let resolved = ResolvedVmt::from_vmt(&Vmt::read(text.as_bytes()).unwrap());
    let entries = resolved.flattened(range);
    entries
        .iter()
        .map(|e| (e.key.clone(), e.as_text().unwrap_or("{}").to_owned()))
        .collect()
}

#[test]
fn conditions_are_evaluated_for_a_pc_with_directx_9() {
    let yes = [
        ">=dx90",
        ">=DX9",
        ">dx81",
        ">=dx90_20b",
        "<=dx95",
        "gpu>=2",
        "gpu>2",
        "cpu<3",
    ];
    let no = ["<dx90", "<dx90_20b", "<=dx81", "gpu<2", "cpu>2", "<dx80"];
    for (names, expected) in [(&yes[..], 1), (&no[..], 0)] {
        for name in names {
            let text = format!("Shader {{ \"{name}\" {{ $a 1 }} }}");
            assert_eq!(flat(&text, LightRange::Ldr).len(), expected, "{name}");
        }
    }
    for (condition, holds) in [
        ("$X360", false),
        ("!$X360", true),
        ("$WIN32||$OSX", true),
        ("$WIN32&&$X360", false),
        ("!$PS3 && !$X360", true),
    ] {
        let text = format!("Shader {{ $a 1 [{condition}] }}");
        assert_eq!(
            flat(&text, LightRange::Ldr).len(),
            usize::from(holds),
            "{condition}"
        );
    }
    let text = "Shader { hdr?$a 1 ldr?$b 2 !hdr?$c 3 srgb?$d 4 360?$e 5 gpu>=1?$f 6 Proxies { } Unknown { } }";
    let keys = |range| {
        flat(text, range)
            .into_iter()
            .map(|(key, _)| key)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        keys(LightRange::Ldr),
        ["$b", "$c", "$d", "$f", "Proxies", "Unknown"]
    );
    assert_eq!(
        keys(LightRange::Hdr),
        ["$a", "$d", "$f", "Proxies", "Unknown"]
    );
    let nested = "Shader { $a 1 >=dx90 { $a 2 gpu>=2 { $a 3 } } $b 4 }";
    let order = flat(nested, LightRange::Ldr);
    assert_eq!(
        order
            .iter()
            .map(|(_, value)| value.as_str())
            .collect::<Vec<_>>(),
        ["1", "2", "3", "4"]
    );
}

fn look_at(vmt: &Vmt, _: &[u8]) {
    let resolved = ResolvedVmt::from_vmt(vmt);
    resolved.look(LightRange::Ldr);
    resolved.look(LightRange::Hdr);
}

fn any_vmt() -> impl Strategy<Value = Vmt> {
    let pairs = prop::collection::vec(("[%$a-z>?=]{1,9}", "[ -!#-~]{0,12}"), 0..12);
    ("[A-Za-z_]{1,12}", pairs).prop_map(|(shader, pairs)| {
        let pairs = pairs.iter().map(|(key, value)| Entry::text(key, value));
        let material = Entry::block(&shader, pairs.collect());
        Vmt {
            text: vec![material].into(),
        }
    })
}

proptest! {
    #[test]
    fn any_material_is_looked_at(vmt in any_vmt()) {
        prop_assert_eq!(vmt.shader(), &vmt.text.entries[0].key);
        look_at(&vmt, b"");
    }
}
