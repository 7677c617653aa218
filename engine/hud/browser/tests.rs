//! The browser, clicked and typed into.

use std::path::Path;
use std::time::Instant;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::*;
use crate::test_world::PATIENCE;

struct Shown {
    screen: BrowserScreen,
    browser: Browser,
    reply: Option<BrowserReply>,
    hole: Hole,
    is_model_shown: bool,
}

fn harness(size: [f32; 2]) -> Harness<'static, Shown> {
    let root = std::path::absolute("DATA").unwrap();
    let shown = Shown {
        screen: BrowserScreen::default(),
        browser: Browser::new(&root, None, &crate::worlds::registry()),
        reply: None,
        hole: None,
        is_model_shown: false,
    };
    let show = |ui: &mut Ui, shown: &mut Shown| {
        shown.browser.update();
        let window = WindowView {
            back_to: "all levels",
            is_model_shown: shown.is_model_shown,
            ..WindowView::default()
        };
        let (reply, hole) = shown.screen.show(ui, &mut shown.browser, &window);
        shown.reply = reply.or(shown.reply.take());
        shown.hole = hole;
    };
    let mut harness = Harness::builder()
        .with_size(vec2(size[0], size[1]))
        .build_ui_state(show, shown);
    settle(&mut harness);
    harness
}

/// Until nothing is at work any more.
fn settle(harness: &mut Harness<'static, Shown>) {
    let since = Instant::now();
    harness.run_steps(3);
    while harness.state().browser.is_busy() {
        assert!(since.elapsed() < PATIENCE * 12, "still at work");
        harness.run_steps(1);
    }
    harness.run_steps(3);
}

fn go_to(harness: &mut Harness<'static, Shown>, path: &str) {
    let path = std::path::absolute(path).unwrap();
    harness.state_mut().browser.go_to(&path);
    settle(harness);
}

#[test]
fn a_click_looks_at_a_file_and_shows_what_is_known_of_it() {
    for size in [[1280.0, 720.0], [640.0, 400.0]] {
        let mut harness = harness(size);
        harness.get_by_label("BuildDat.lst").click();
        settle(&mut harness);
        let focus = harness.state().browser.focus().expect("it was clicked");
        assert_eq!(
            harness.state().browser.tree.node(focus).name,
            "BuildDat.lst"
        );
        assert!(harness.query_by_label("text").is_some(), "{size:?}");
        assert!(harness.query_by_label("build_dat").is_some(), "{size:?}");
        harness.get_by_label("bytes").click();
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("named fields").is_some());
    }
}

#[test]
fn pictures_have_levels_and_channels() {
    let mut harness = harness([1280.0, 720.0]);
    go_to(&mut harness, "DATA/Textures.lib/GRASS.0");
    let picture = harness.state().browser.picture().expect("decoded");
    assert_eq!(picture.index, 0);
    for label in ["RGBA", "RGB", "R", "G", "B", "A", "fit", "100%"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    harness.get_by_label("A").click();
    harness.get_by_label("400%").click();
    harness.run_steps(3);
}

#[test]
fn a_model_leaves_a_hole_and_opens_with_all_panels() {
    let mut harness = harness([1280.0, 720.0]);
    harness.state_mut().is_model_shown = true;
    go_to(&mut harness, "DATA/bases.rlb/WALKER.msh");
    let hole = harness.state().hole.expect("the model is seen there");
    assert!(hole.width() > 500.0 && hole.height() > 500.0, "{hole:?}");
    harness.get_by_label("Open with all panels").click();
    harness.run_steps(2);
    let Some(BrowserReply::Open(path)) = harness.state_mut().reply.take() else {
        panic!("it is to be opened");
    };
    assert!(path.ends_with("DATA/bases.rlb/WALKER.msh"));
}

#[test]
fn exports_begin_with_a_folder_and_a_click() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = harness([1280.0, 720.0]);
    go_to(&mut harness, "DATA/Material.lib/GRASS");
    harness.get_by_label(".json").click();
    harness.run_steps(2);
    assert!(
        harness.state().browser.export.is_none(),
        "there is no folder"
    );
    let to = folder.path().to_owned();
    harness.state_mut().screen.set_export_folder(to.clone());
    harness.run_steps(2);
    harness.get_by_label(".json").click();
    settle(&mut harness);
    assert!(to.join("GRASS.json").is_file());
    assert!(harness.query_by_label_contains("1 files written").is_some());
}

#[test]
fn references_are_looked_for_and_followed() {
    let mut harness = harness([1280.0, 720.0]);
    go_to(&mut harness, "DATA/Material.lib/GRASS");
    harness.get_by_label("Look for it in all files").click();
    settle(&mut harness);
    let link = harness.get_by_label_contains("texture GRASS.0");
    link.click();
    settle(&mut harness);
    let browser = &harness.state().browser;
    let focus = browser.focus().unwrap();
    assert!(
        browser
            .tree
            .node(focus)
            .path
            .ends_with(Path::new("DATA/Textures.lib/GRASS.0"))
    );
}

#[test]
fn arrows_walk_through_the_rows() {
    let mut harness = harness([1280.0, 720.0]);
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    let browser = &harness.state().browser;
    assert_eq!(browser.focus(), Some(browser.tree.rows()[1]));
    harness.key_press(Key::Enter);
    settle(&mut harness);
    let browser = &harness.state().browser;
    assert!(browser.tree.node(browser.focus().unwrap()).is_open);
}
