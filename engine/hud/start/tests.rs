//! The start screen, clicked and typed into.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use image::{Rgba, RgbaImage};

use super::*;
use crate::library::Origin;
use crate::test_world::PATIENCE;
use crate::thumbnails::{Thumbnail, Thumbnails};

fn entry(path: &str, world: &'static str) -> Entry {
    let name = Path::new(path).file_stem().unwrap_or_default();
    Entry {
        path: path.into(),
        name: name.to_string_lossy().into_owned(),
        world,
    }
}

fn shelves() -> Vec<Shelf> {
    let shelf = |title: &str, origin, entries| Shelf {
        title: title.to_owned(),
        path: title.to_lowercase().into(),
        origin,
        entries,
        is_searched: false,
    };
    let first = vec![
        entry("demo/hills", "Hill game"),
        entry("demo/harbor", "Sea game"),
    ];
    let many = (0..500).map(|number| entry(&format!("games/level{number}"), "Sea game"));
    vec![
        shelf("Demo", Origin::Demo, first),
        shelf("Games", Origin::Remembered, many.collect()),
    ]
}

struct Shown {
    screen: StartScreen,
    shelves: Vec<Shelf>,
    reply: Option<StartReply>,
}

fn harness(size: [f32; 2]) -> Harness<'static, Shown> {
    let photograph = Arc::new(|_: &Path| {
        Ok(Thumbnail {
            image: RgbaImage::from_pixel(32, 18, Rgba([10, 200, 30, 255])),
            opening_time: Duration::from_millis(70),
        })
    });
    let shown = Shown {
        screen: StartScreen::new(Pictures::new(Thumbnails::kept_in(None, photograph))),
        shelves: shelves(),
        reply: None,
    };
    let show = |ui: &mut Ui, shown: &mut Shown| {
        let view = StartView {
            shelves: &shown.shelves,
            recent: &[],
            is_searching: false,
            back_to: Some("hills"),
            chooses_second: false,
        };
        shown.reply = shown.screen.show(ui, &view).or(shown.reply.take());
    };
    Harness::builder()
        .with_size(vec2(size[0], size[1]))
        .build_ui_state(show, shown)
}

#[test]
fn a_click_on_a_card_opens_its_level() {
    for size in [[1280.0, 720.0], [640.0, 400.0]] {
        let mut harness = harness(size);
        harness.run_steps(2);
        harness.get_by_label("hills").click();
        harness.run_steps(2);
        let reply = harness.state_mut().reply.take();
        assert_eq!(
            reply,
            Some(StartReply::Open("demo/hills".into())),
            "{size:?}"
        );
    }
}

#[test]
fn typing_searches_in_names_games_and_folders() {
    let mut harness = harness([1280.0, 720.0]);
    harness.run_steps(2);
    for (typed, found, hidden) in [
        ("HARB", "harbor", "hills"),
        ("hill game", "hills", "harbor"),
    ] {
        harness.state_mut().screen.search.clear();
        harness.state_mut().screen.search = typed.to_owned();
        harness.run_steps(2);
        assert!(harness.query_by_label(found).is_some(), "{typed}");
        assert!(harness.query_by_label(hidden).is_none(), "{typed}");
    }
    harness.state_mut().screen.search = "nowhere".to_owned();
    harness.run_steps(2);
    assert!(
        harness
            .query_by_label_contains("No level has this")
            .is_some()
    );
}

#[test]
fn folders_are_chosen_and_remembered_ones_forgotten() {
    let mut harness = harness([1280.0, 720.0]);
    harness.run_steps(2);
    harness.get_by_label("Demo (2)").click();
    harness.run_steps(2);
    assert_eq!(harness.state().screen.choice, Choice::Shelf("demo".into()));
    assert!(harness.query_by_label("level0").is_none());
    harness.get_by_label("x").click();
    harness.run_steps(2);
    let reply = harness.state_mut().reply.take();
    assert_eq!(reply, Some(StartReply::Forget("games".into())));
    harness.get_by_label("Back to hills (Esc)").click();
    harness.run_steps(2);
    assert_eq!(harness.state_mut().reply.take(), Some(StartReply::Back));
}

#[test]
fn only_visible_levels_get_pictures() {
    let mut harness = harness([1280.0, 720.0]);
    let since = std::time::Instant::now();
    loop {
        harness.run_steps(1);
        let pictures = &harness.state().screen.pictures;
        let time = pictures.opening_time(Path::new("demo/hills"));
        if time == Some(Duration::from_millis(70)) && !pictures.are_awaited() {
            break;
        }
        assert!(since.elapsed() < PATIENCE);
    }
    let screen = &harness.state().screen;
    assert_eq!(screen.opening_time(Path::new("games/level499")), None);
}
