use ironlands_assets_proof::{Change, Damage, Fact, Truncations, proof, set16, set32};
use proptest::prelude::*;

use super::*;
use crate::dmx::{DmxAttribute, DmxText};

proof! {
    Pcf {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_pcf(),
        growth: 64,
        runs: 2_000,
        records: [],
    }
}

const HEADER_2: &[u8] = b"<!-- dmx encoding binary 2 format pcf 1 -->\n\0";
const STRINGS: &[u8] =
    b"DmElement\0DmeParticleSystemDefinition\0particleSystemDefinitions\0radius\0material\0";
/// Where the element count of [`encoding_2`] is, and its parts.
const AT_ELEMENTS: usize = HEADER_2.len() + 2 + STRINGS.len();
const AT_ATTRIBUTES: usize = AT_ELEMENTS + 4 + (2 + 5 + 16) + (2 + 6 + 16);

/// A system of two values.
fn encoding_2() -> Vec<u8> {
    [
        HEADER_2,
        &[5, 0],
        STRINGS,
        &[2, 0, 0, 0],
        // The root and a system, each with its kind, name and id.
        &[0, 0],
        b"root\0",
        &[0xA0; 16],
        &[1, 0],
        b"smoke\0",
        &[0xB0; 16],
        // A list of one element.
        &[1, 0, 0, 0],
        &[2, 0, 15, 1, 0, 0, 0, 1, 0, 0, 0],
        // A number and a text.
        &[2, 0, 0, 0],
        &[3, 0, 3, 0, 0, 0x80, 0x40],
        &[4, 0, 5],
        b"a.vmt\0",
    ]
    .concat()
}

/// The same as later games store it: names and values are texts that stand once, too.
fn encoding_5() -> Vec<u8> {
    [
        b"<!-- dmx encoding binary 5 format pcf 2 -->\n\0",
        &[8, 0, 0, 0][..],
        STRINGS,
        b"root\0smoke\0a.vmt\0",
        &[2, 0, 0, 0],
        &[0, 0, 0, 0, 5, 0, 0, 0],
        &[0xA0; 16],
        &[1, 0, 0, 0, 6, 0, 0, 0],
        &[0xB0; 16],
        &[1, 0, 0, 0],
        &[2, 0, 0, 0, 15, 1, 0, 0, 0, 1, 0, 0, 0],
        &[2, 0, 0, 0],
        &[3, 0, 0, 0, 3, 0, 0, 0x80, 0x40],
        &[4, 0, 0, 0, 5, 7, 0, 0, 0],
    ]
    .concat()
}

/// As the first encoding has it: every text where it is used.
fn encoding_1() -> Vec<u8> {
    [
        b"<!-- dmx encoding binary 1 format pcf 1 -->\n\0",
        &[2, 0, 0, 0][..],
        b"DmElement\0root\0",
        &[0xA0; 16],
        b"DmeParticleSystemDefinition\0smoke\0",
        &[0xB0; 16],
        &[1, 0, 0, 0],
        b"particleSystemDefinitions\0",
        &[15, 1, 0, 0, 0, 1, 0, 0, 0],
        &[2, 0, 0, 0],
        b"radius\0",
        &[3, 0, 0, 0x80, 0x40],
        b"material\0",
        &[5],
        b"a.vmt\0",
    ]
    .concat()
}

/// All types of values, and lists of them.
fn all_types() -> Vec<u8> {
    let mut pcf = Pcf::read(&encoding_2()).unwrap();
    let id = || b"0123-4567".to_vec();
    let inline = |text: &[u8]| DmxText::Inline(text.to_vec());
    use DmxItems::{List, One};
    let values = [
        DmxValue::Element(One(DmxLink::External(id()))),
        DmxValue::Element(List(vec![DmxLink::None, DmxLink::Element(0)])),
        DmxValue::Int(List(vec![-1, 2])),
        DmxValue::Float(List(vec![0.5])),
        DmxValue::Bool(One(1)),
        DmxValue::Bool(List(vec![0, 2])),
        DmxValue::Text(List(vec![inline(b""), inline(b"x")])),
        DmxValue::Bytes(One(vec![1, 0, 2])),
        DmxValue::Bytes(List(vec![Vec::new(), vec![7]])),
        DmxValue::Id(One([3; 16])),
        DmxValue::Id(List(vec![[4; 16]])),
        DmxValue::Color(One([1, 2, 3, 4])),
        DmxValue::Color(List(vec![[5; 4]])),
        DmxValue::Vec2(One([1.0, 2.0])),
        DmxValue::Vec3(One([1.0, 2.0, 3.0])),
        DmxValue::Vec4(List(vec![[1.0; 4]])),
        DmxValue::Angles(One([90.0, 0.0, -45.0])),
        DmxValue::Quaternion(One([0.0, 0.0, 0.0, 1.0])),
        DmxValue::Matrix(One(Box::new([2.0; 16]))),
        DmxValue::Matrix(List(vec![Box::default()])),
    ];
    let attributes = values.into_iter().map(|value| DmxAttribute {
        name: DmxText::Listed(3),
        value,
    });
    pcf.dmx.elements[1].attributes.extend(attributes);
    pcf.write().unwrap()
}

fn facts() -> Vec<Fact<Pcf>> {
    vec![
        Fact::from_bytes("encoding 1", encoding_1()),
        Fact::from_bytes("encoding 2", encoding_2()),
        Fact::from_bytes("encoding 5", encoding_5()),
        Fact::from_bytes("all types", all_types()),
    ]
}

fn damage() -> Vec<Damage> {
    let at_list = AT_ATTRIBUTES + 4 + 2;
    let changes: [Change; 9] = [
        (|f| f[25] = b'9', "encoding", 0),
        (|f| f[6] = b'D', "header", 0),
        (|f| f[41] = b'x', "header", 0),
        (|f| set16(f, 45, 999), "string count", 45),
        (
            |f| set32(f, AT_ELEMENTS, 1 << 30),
            "element count",
            AT_ELEMENTS as u64,
        ),
        (
            |f| set16(f, AT_ELEMENTS + 4, 5),
            "element type",
            AT_ELEMENTS as u64 + 4,
        ),
        (
            |f| f[AT_ATTRIBUTES + 6] = 29,
            "attribute type",
            AT_ATTRIBUTES as u64 + 6,
        ),
        (
            |f| set32(f, AT_ATTRIBUTES + 11, 2),
            "element index",
            AT_ATTRIBUTES as u64 + 11,
        ),
        (
            |f| f.push(0),
            "after the last attribute",
            encoding_2().len() as u64,
        ),
    ];
    assert_eq!(encoding_2()[at_list], 15);
    Damage::from_changes(&encoding_2(), changes)
}

fn any_pcf() -> impl Strategy<Value = Pcf> {
    let system = ("[a-z ]{0,8}", any::<f32>(), 0..=255_u8, any::<bool>());
    let systems = prop::collection::vec(system, 0..4);
    (1..=Dmx::LAST_ENCODING, systems).prop_map(|(encoding, systems)| {
        let parameters = systems.iter().map(|(name, number, byte, flag)| {
            let number = if number.is_nan() { 0.0 } else { *number };
            [
                ("material", DraftValue::Text(name)),
                ("radius", DraftValue::Float(number)),
                ("color", DraftValue::Color([*byte; 4])),
                ("Sort particles", DraftValue::Flag(*flag)),
                ("max_particles", DraftValue::Int((*byte).into())),
                ("bounding_box_min", DraftValue::Vec3([number; 3])),
            ]
        });
        let parameters: Vec<_> = parameters.collect();
        let functions = [DraftFunction {
            list: FunctionList::Operators,
            name: "Lifespan Decay",
            parameters: &[],
        }];
        let drafts = systems.iter().zip(&parameters);
        let drafts = drafts.map(|((name, ..), parameters)| DraftSystem {
            name,
            parameters,
            functions: &functions,
            children: &[(0, 0.5)],
        });
        Pcf::draft(encoding, &drafts.collect::<Vec<_>>())
    })
}

#[test]
fn a_system_is_the_same_in_all_encodings() {
    for file in [encoding_1(), encoding_2(), encoding_5()] {
        let pcf = Pcf::read(&file).unwrap();
        let [system] = &pcf.systems().collect::<Vec<_>>()[..] else {
            panic!("one system");
        };
        assert_eq!(system.name(), "smoke");
        assert_eq!(system.material().as_deref(), Some("a.vmt"));
        assert_eq!(system.parameters().number("Radius", 0.0), 4.0);
        assert_eq!(pcf.check(), []);
        let references = pcf.references(Path::new("a.pcf"));
        assert_eq!(references[0].name, "materials/a.vmt");
    }
}

#[test]
fn files_are_known_by_their_header_and_others_of_the_kind_are_not() {
    let model = b"<!-- dmx encoding binary 2 format model 1 -->\n\0";
    assert_eq!(Pcf::recognize("a.dat", HEADER_2), Some(Match::Content));
    assert_eq!(Pcf::recognize("a.dmx", model), None);
    assert_eq!(Pcf::recognize("a.pcf", b"?"), Some(Match::Extension));
    assert!(Pcf::read(model).is_err());
}

/// Two systems, of which the first begins the second.
fn family() -> Pcf {
    let draft = |name, functions, children| DraftSystem {
        name,
        parameters: &[("material", DraftValue::Text("a"))],
        functions,
        children,
    };
    let function = |list, name| DraftFunction {
        list,
        name,
        parameters: &[],
    };
    let functions = [
        function(FunctionList::Emitters, "emit_continuously"),
        function(FunctionList::Operators, "basic_movement"),
        function(FunctionList::Operators, "Dance"),
    ];
    let systems = [
        draft("Fire", &functions, &[(1, 0.25)][..]),
        draft("sparks", &functions[..1], &[]),
    ];
    Pcf::draft(2, &systems)
}

#[test]
fn functions_and_children_are_found_and_old_names_are_known() {
    let pcf = family();
    let fire = pcf.system("fire").unwrap();
    let names: Vec<_> = fire.functions().map(|it| (it.list, it.name())).collect();
    assert_eq!(
        names,
        [
            (FunctionList::Operators, "Movement Basic".to_owned()),
            (FunctionList::Operators, "Dance".to_owned()),
            (FunctionList::Emitters, "emit_continuously".to_owned()),
        ]
    );
    let children: Vec<_> = fire.children().collect();
    assert_eq!(children.len(), 1);
    assert_eq!(children[0].system.name(), "sparks");
    assert_eq!(children[0].delay_secs, 0.25);
    let messages: Vec<_> = pcf.check().into_iter().map(|it| it.message).collect();
    assert_eq!(messages, ["1 functions are of no stock game: Dance"]);
}

#[test]
fn what_games_would_overlook_is_found() {
    let mut pcf = family();
    let sparks = pcf.system("sparks").unwrap().index();
    let fire = pcf.system("Fire").unwrap().index();
    let dmx = &mut pcf.dmx;
    // The child becomes a link to the parent, and the parent takes the child's name.
    let name = dmx.intern("child");
    let links = dmx.elements.iter_mut().flat_map(|it| &mut it.attributes);
    for link in links.filter(|it| it.name == name) {
        link.value = DmxValue::Element(DmxItems::One(DmxLink::Element(fire as u32)));
    }
    dmx.elements[fire].name = dmx.elements[sparks].name.clone();
    let material = dmx.intern("material");
    let extra = DmxAttribute {
        name: material,
        value: DmxValue::Text(DmxItems::One(DmxText::Inline(Vec::new()))),
    };
    dmx.elements[sparks].attributes.push(extra);
    let messages: Vec<_> = pcf.check().into_iter().map(|it| it.message).collect();
    for expected in [
        "it is a child of itself",
        "another system has this name; only one of them is found",
        "it has no material",
        "material stands in it twice; the last counts",
    ] {
        assert!(
            messages.iter().any(|it| it.ends_with(expected)),
            "{expected}: {messages:?}"
        );
    }
}

#[test]
fn json_holds_all_that_a_file_holds() {
    use ironlands_assets_core::format::{ConversionOptions, ConversionRequest};
    let options = ConversionOptions::default();
    let request = ConversionRequest {
        file: Path::new("a.pcf"),
        interchange: Path::new("a.json"),
        options: &options,
    };
    let [conversion] = Pcf::conversions() else {
        panic!("JSON alone");
    };
    for file in [encoding_1(), encoding_2(), encoding_5(), all_types()] {
        let exported = (conversion.export.unwrap())(&file, &request).unwrap();
        assert_eq!(exported.findings.len(), usize::from(file == all_types()));
        let json = &exported.files[0].1;
        let imported = (conversion.import.unwrap())(json, &request).unwrap();
        let again = (conversion.export.unwrap())(&imported, &request).unwrap();
        assert_eq!(&again.files[0].1, json);
        // True is 1 there.
        assert_eq!(imported == file, file != all_types());
    }
    // A number that is none.
    let mut file = encoding_2();
    let at = file.windows(4).position(|it| it == [0, 0, 0x80, 0x40]);
    let at = at.expect("the radius");
    file[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!((conversion.export.unwrap())(&file, &request).is_err());
}
