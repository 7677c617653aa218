//! Texts and tables of a million small things, and of things in things.

use ironlands::worlds::source::formats::bsp::{BspFile, LumpId};

use crate::{LOOK, MAX_BYTES, Row};

const AS_INI: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.ini"],
];
const AS_JSON: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.json"],
];
const AS_TABLES: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.json"],
    &["export", "{}", "--to", "{to}.csv"],
];
const OF_INI: &[&[&str]] = &[&["import", "{}", "--to", "{to}.reg"]];

pub const CASES: &[Row] = &[
    ("pairs.vmt", LOOK, || vmt("\"a\" \"1\"\n")),
    ("proxies.vmt", LOOK, || vmt("proxies{a{b c}}\n")),
    ("deep.vmt", LOOK, || repeated("a{", MAX_BYTES)),
    ("quotes.vmt", LOOK, || repeated("\"", MAX_BYTES)),
    ("blocks.vmf", LOOK, || repeated("world{}\n", MAX_BYTES)),
    ("solids.vmf", LOOK, || vmf("solid{}\n")),
    ("entities.vmf", LOOK, || repeated("entity{}\n", MAX_BYTES)),
    ("entities.bsp", LOOK, || entities("{\n}\n")),
    ("pairs_of_entity.bsp", LOOK, pairs_of_entity),
    ("lights.bsp", LOOK, || {
        entities("{\"classname\" \"light\" \"style\" \"33\" \"pattern\" \"abc\"}")
    }),
    ("outputs.bsp", LOOK, || {
        entities("{\"OnA\" \"b,Enable,,0,-1\"}")
    }),
    ("lost_brushes.bsp", LOOK, || {
        entities("{\"model\" \"*9\"}\n")
    }),
    ("equal_keys.reg", AS_INI, || {
        reg(&[1 << 18], |_| b"a".to_vec())
    }),
    ("keys.reg", AS_INI, || {
        reg(&[1 << 18], |number| format!("{number:x}").into_bytes())
    }),
    ("sections.reg", AS_INI, || {
        reg(&vec![0; 1 << 18], |_| b"a".to_vec())
    }),
    ("equal_keys.ini", OF_INI, || {
        [&b"[a]\n"[..], &repeated("a=1\n", MAX_BYTES - 8)].concat()
    }),
    ("sections.ini", OF_INI, || repeated("[a]\n", MAX_BYTES)),
    ("lights.ini", LOOK, || repeated("a=1\n", MAX_BYTES)),
    ("lightsa.ini", LOOK, || {
        repeated("[a]\nb=1 1 1\n", MAX_BYTES)
    }),
    ("a.wea", LOOK, wear),
    ("BuildDat.lst", LOOK, || repeated("a {\nb\n}\n", MAX_BYTES)),
    ("deep.mob", AS_JSON, || mob(deep_records())),
    ("nodes.mob", AS_JSON, || {
        mob(repeated_bytes(&node(0xB0CC, b""), MAX_BYTES - 64))
    }),
    ("objects.mob", AS_JSON, || mob(objects())),
    ("script.mob", AS_JSON, || mob(script())),
    ("tables.idb", AS_TABLES, || {
        repeated_bytes(&[1, 0], MAX_BYTES)
    }),
    ("records.idb", AS_TABLES, || database(1, 2)),
    ("fields.idb", AS_TABLES, || database(0, 2)),
    ("a.adb", LOOK, adb),
    ("a.cam", AS_JSON, || vec![0; MAX_BYTES / 40 * 40]),
    ("data.tma", LOOK, || vec![0; MAX_BYTES]),
    ("unit.dat", LOOK, unit_dat),
];

fn repeated(text: &str, n_bytes: usize) -> Vec<u8> {
    repeated_bytes(text.as_bytes(), n_bytes)
}

fn repeated_bytes(bytes: &[u8], n_bytes: usize) -> Vec<u8> {
    bytes.repeat(n_bytes / bytes.len())
}

fn vmt(pair: &str) -> Vec<u8> {
    [&b"a\n{\n"[..], &repeated(pair, MAX_BYTES - 8), b"}\n"].concat()
}

fn vmf(block: &str) -> Vec<u8> {
    [&b"world\n{\n"[..], &repeated(block, MAX_BYTES - 16), b"}\n"].concat()
}

/// A map without anything but entities.
fn entities(entity: &str) -> Vec<u8> {
    with_entities([&repeated(entity, MAX_BYTES - 4096)[..], b"\0"].concat())
}

fn pairs_of_entity() -> Vec<u8> {
    let pairs = repeated("\"a\" \"b\"\n", MAX_BYTES - 4096);
    with_entities([&b"{"[..], &pairs, b"}\0"].concat())
}

fn with_entities(text: Vec<u8>) -> Vec<u8> {
    let mut file = BspFile::new(20);
    file.set_lump(LumpId::Entities, 0, text);
    file.write().expect("one lump")
}

/// Sections of this many keys each, as far as they fit.
fn reg(n_keys: &[usize], name: fn(usize) -> Vec<u8>) -> Vec<u8> {
    let n_sections = n_keys.len().min(u16::MAX.into());
    let mut sections = Vec::new();
    let mut rows = Vec::new();
    for n_keys in &n_keys[..n_sections] {
        let n_keys = (*n_keys).min(u16::MAX.into());
        let start = 6 + 6 * n_sections + sections.len();
        rows.extend(0_i16.to_le_bytes());
        rows.extend((start as u32).to_le_bytes());
        let mut head = (n_keys as u16).to_le_bytes().to_vec();
        head.extend(1_u16.to_le_bytes());
        head.push(b's');
        let mut keys = Vec::new();
        let table = head.len() + 6 * n_keys;
        for number in 0..n_keys {
            let name = name(number);
            head.extend(0_i16.to_le_bytes());
            head.extend(((table + keys.len()) as u32).to_le_bytes());
            keys.push(0);
            keys.extend((name.len() as u16).to_le_bytes());
            keys.extend(name);
            keys.extend(1_i32.to_le_bytes());
        }
        sections.extend(head);
        sections.extend(keys);
    }
    let mut file = vec![0xFB, 0x3E, 0xAB, 0x45];
    file.extend((n_sections as u16).to_le_bytes());
    file.extend(rows);
    file.extend(sections);
    file
}

fn wear() -> Vec<u8> {
    let n_rows = MAX_BYTES / 6 - 4;
    [
        format!("{n_rows}\r\n").as_bytes(),
        &b"1 a\r\n".repeat(n_rows),
    ]
    .concat()
}

fn node(id: u32, body: &[u8]) -> Vec<u8> {
    let mut node = id.to_le_bytes().to_vec();
    node.extend((body.len() as u32 + 8).to_le_bytes());
    node.extend(body);
    node
}

const OBJECT_DB_FILE: u32 = 0xA000;
const OBJECT_SECTION: u32 = 0xB000;

fn mob(body: Vec<u8>) -> Vec<u8> {
    node(OBJECT_DB_FILE, &body)
}

/// Records in records, as deep as the bytes go: each begins where the one around it has its first.
fn deep_records() -> Vec<u8> {
    let n_deep = (MAX_BYTES - 64) / 8;
    let sizes = (0..n_deep).rev().map(|below| 8 * (below as u32 + 1));
    sizes
        .flat_map(|size| [OBJECT_SECTION.to_le_bytes(), size.to_le_bytes()])
        .flatten()
        .collect()
}

/// Objects with the same number, each without anything else.
fn objects() -> Vec<u8> {
    let object = node(0xB00A, &node(0xB011, &[1, 0, 0, 0]));
    let n_objects = (MAX_BYTES - 64) / object.len();
    node(OBJECT_SECTION, &object.repeat(n_objects))
}

fn script() -> Vec<u8> {
    let text = repeated("if(a(b(", MAX_BYTES - 64);
    node(0xACCE_ECCE, &text)
}

fn database(depth: usize, size: usize) -> Vec<u8> {
    let record = vec![1; size];
    let mut body = record.repeat((MAX_BYTES - 64) / record.len());
    for _ in 0..=depth {
        let head = (body.len() as u32) << 1 | 1;
        body = [&[0][..], &head.to_le_bytes(), &body].concat();
    }
    body
}

fn adb() -> Vec<u8> {
    let n_records = (MAX_BYTES - 44) / 88;
    let mut file = b"ADB\0".to_vec();
    file.extend((n_records as u32).to_le_bytes());
    file.resize(44 + 88 * n_records, 0);
    file
}

fn unit_dat() -> Vec<u8> {
    let mut file = 0x0000_F0F1_u32.to_le_bytes().to_vec();
    file.resize(MAX_BYTES, 1);
    file
}
