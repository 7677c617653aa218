//! Databases: what any tolerance reads is written back byte for byte, also by way of JSON, and of CSV where that loses
//! nothing. The first byte picks the database.
#![no_main]

use ironlands_assets_evil_islands::db::{Db, DbKind, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((pick, data)) = input.split_first() else {
        return;
    };
    let kind = DbKind::ALL[usize::from(*pick) % DbKind::ALL.len()];
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Db::from_json(text);
        let _ = Db::from_csv(kind, &[text]);
    }
    let Ok(db) = Db::read_with(data, kind, Tolerance::all()) else {
        return;
    };
    assert_eq!(db.write().as_deref(), Ok(data));
    db.check();
    let json = db.to_json().expect("a database is JSON");
    let again = Db::from_json(&json).expect("its own JSON is read");
    assert_eq!(again.write().as_deref(), Ok(data));
    for table in 0..db.tables.len() {
        let (text, losses) = db.table_to_csv(table).expect("a table of the database");
        let mut again = db.clone();
        let read = again.set_table_from_csv(table, &text);
        if losses.is_empty() {
            read.expect("its own CSV is read");
            assert_eq!(again.write().as_deref(), Ok(data));
        }
    }
});
