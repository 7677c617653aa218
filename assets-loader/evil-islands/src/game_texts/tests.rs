use super::*;
use crate::res::NamesOrder;

fn texts() -> GameTexts {
    let files = [
        (&b"ARMOR helm bronze"[..], &[0xD8, 0xEB, 0xE5, 0xEC][..]),
        (b"armor boots leather", b"Boots"),
        (b"\"Gipat Medium", b"unpaired"),
        (b"broken", b"a\0b"),
    ];
    let files = files.map(|(name, data)| (name.to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.to_vec(), NamesOrder::Insertion);
    GameTexts::open(&archive.write().unwrap()).unwrap()
}

#[test]
fn strings_are_found_by_key_and_by_words() {
    let texts = texts();
    assert_eq!(texts.get("armor HELM bronze").as_deref(), Some("Шлем"));
    assert_eq!(texts.get("armor helm"), None);
    let armor: Vec<_> = texts.of_words(&["armor"]).map(|it| it.text).collect();
    assert_eq!(armor, ["Шлем", "Boots"]);
    assert_eq!(texts.of_words(&["armor", "boots"]).count(), 1);
    assert_eq!(texts.get("\"gipat medium").as_deref(), Some("unpaired"));
    assert_eq!(texts.check().len(), 1);
}

#[test]
fn strings_are_changed_in_the_archive() {
    let mut texts = texts();
    assert!(texts.set("ARMOR helm bronze", "Шляпа"));
    assert!(texts.set("new", "Новое"));
    assert!(!texts.set("new", "地"));
    let again = GameTexts::open(&texts.archive.write().unwrap()).unwrap();
    assert_eq!(again.get("armor helm bronze").as_deref(), Some("Шляпа"));
    assert_eq!(again.get("new").as_deref(), Some("Новое"));
    assert_eq!(again.iter().count(), 5);
}
