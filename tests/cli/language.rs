//! The language of help, messages and errors.

use super::*;

fn in_russian(args: &[&str]) -> (i32, String, String) {
    let mut command = ironlands(args);
    outcome_of(&command.env("LC_ALL", "ru_RU.UTF-8").output().unwrap())
}

#[test]
fn help_speaks_the_language_of_the_system_or_the_one_that_is_requested() {
    let (code, out, _) = in_russian(&["check", "--help"]);
    assert_eq!(code, 0);
    for text in [
        "Проверить файлы и уровни",
        "Использование: ironlands check [ПАРАМЕТРЫ] <PATH>",
        "Аргументы:",
        "Считать предупреждения ошибками",
        "Примеры:",
        "Коды возврата:",
        "Вывести справку",
    ] {
        assert!(out.contains(text), "{text} is not in\n{out}");
    }
    let english = run(&["check", "--help"]).1;
    assert!(english.contains("Usage: ironlands check"), "{english}");
    assert_eq!(run(&["check", "--help", "--language", "ru"]).1, out);
    assert_eq!(run(&["--language=ru", "check", "--help"]).1, out);
    assert_eq!(
        in_russian(&["check", "--help", "--language", "en"]).1,
        english
    );
}

#[test]
fn the_language_of_the_settings_comes_before_that_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, "language = \"ru\"\n").unwrap();
    let help = |args: &[&str]| {
        let mut command = ironlands(args);
        outcome_of(
            &command
                .env("IRONLANDS_SETTINGS", &settings)
                .output()
                .unwrap(),
        )
        .1
    };
    assert!(help(&["info", "--help"]).contains("Использование:"));
    assert!(help(&["info", "--help", "--language", "en"]).contains("Usage:"));
}

#[test]
fn errors_and_refused_command_lines_are_translated() {
    let (code, _, said) = in_russian(&["render", "no/such", "--to", "x.png"]);
    assert_eq!(code, 2);
    let expected = "ошибка: не удалось открыть уровень: no/such не существует";
    assert!(said.starts_with(expected), "{said}");
    for (args, expected) in [
        (
            &["check"][..],
            "ошибка: не заданы обязательные аргументы: <PATH>...",
        ),
        (
            &["check", "x", "--tea"],
            "ошибка: неизвестный параметр --tea",
        ),
        (
            &["info", "x", "--language", "klingon"],
            "недопустимое значение klingon для --language <LANG>",
        ),
        (
            &["render", "x", "--to", "x.png", "--size", "4"],
            "укажите ширину и высоту",
        ),
    ] {
        let (code, _, said) = in_russian(args);
        assert_eq!(code, 2, "{args:?}");
        assert!(said.contains(expected), "{expected} is not in\n{said}");
        assert!(said.contains("--help"), "{said}");
    }
}

#[test]
fn results_and_manual_pages_are_the_same_in_every_language() {
    let info = ["info", "DATA/MAPS/Map01"];
    assert_eq!(in_russian(&info), run(&info));
    let script = ["completions", "bash"];
    assert_eq!(in_russian(&script).1, run(&script).1);
    let folder = tempfile::tempdir().unwrap();
    let page = |name: &str, args: &[&str]| {
        let to = folder.path().join(name);
        let line = [&["man", "--to", to.to_str().unwrap()], args].concat();
        assert_eq!(in_russian(&line).0, 0);
        fs::read_to_string(to.join("ironlands-check.1")).unwrap()
    };
    assert!(page("plain", &[]).contains("Validate files and levels"));
    assert!(page("requested", &["--language", "ru"]).contains("Проверить файлы"));
}
