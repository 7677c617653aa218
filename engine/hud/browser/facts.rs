//! The right of the browser: what is known of the file, what it refers to, and what it can be exported as.

use std::path::PathBuf;

use egui::{CollapsingHeader, Grid, RichText, ScrollArea, Ui};

use super::BrowserReply;
use super::exports::{self, ExportChoice};
use crate::assets::bytes::Severity;
use crate::assets::format::Reference;
use crate::assets::report::Report;
use crate::browser::{Browser, Preview, RefersTo};
use crate::console::findings::sentence;
use crate::console::plain;
use crate::hud::widgets::row;
use crate::kind::Opener;
use crate::words::{marked, tr, tr_with};

/// Lines of a list beyond this many are counted, not shown.
const MAX_LINES: usize = 200;

/// Lays it out.
pub fn show(ui: &mut Ui, browser: &mut Browser, export: &mut ExportChoice) -> Option<BrowserReply> {
    let mut reply = None;
    let mut wanted = None;
    let mut wants_references = false;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if let Some(preview) = browser.preview() {
            reply = show_title(ui, browser, preview);
            for report in &preview.reports {
                show_facts(ui, report);
                show_findings(ui, report);
            }
            if let Some(problem) = &preview.problem {
                ui.colored_label(ui.visuals().error_fg_color, plain::line(problem));
            }
            (wanted, wants_references) = show_references(ui, browser, preview);
        } else {
            ui.weak(tr("Nothing is chosen."));
        }
        ui.separator();
        let of_export = exports::show(ui, browser, export);
        reply = reply.take().or(of_export);
    });
    if wants_references {
        browser.find_references();
    }
    if let Some(path) = wanted {
        browser.go_to(&path);
    }
    reply
}

fn show_title(ui: &mut Ui, browser: &Browser, preview: &Preview) -> Option<BrowserReply> {
    let node = browser.focus().map(|focus| browser.tree.node(focus));
    let name = node.map_or("", |node| &node.name);
    ui.label(RichText::new(plain::name(name)).strong().size(16.0));
    if let Some(node) = node.filter(|node| !node.detail.is_empty()) {
        ui.weak(plain::line(&node.detail));
    }
    let (opener, what) = preview.opener.as_ref()?;
    let text = match opener {
        Opener::Level => marked("Open this level"),
        Opener::Model => marked("Open with all panels"),
        Opener::Option(_) | Opener::Nothing => return None,
    };
    ui.weak(what);
    let is_clicked = ui.button(tr(text)).clicked();
    is_clicked.then(|| BrowserReply::Open(preview.path.clone()))
}

fn show_facts(ui: &mut Ui, report: &Report) {
    ui.add_space(4.0);
    Grid::new(("facts", report.format))
        .num_columns(2)
        .show(ui, |ui| {
            row(ui, "format", report.format.to_owned());
            for (name, value) in report.facts.iter().take(MAX_LINES) {
                row(ui, name, plain::line(value).into_owned());
            }
        });
    if report.facts.len() > MAX_LINES {
        show_more(ui, report.facts.len());
    }
}

fn show_findings(ui: &mut Ui, report: &Report) {
    let n = report.findings.len();
    if n == 0 {
        ui.weak(tr("no findings"));
        return;
    }
    let worst = report.worst() == Some(Severity::Error);
    CollapsingHeader::new(tr_with("Findings ({n})", &[("n", n.into())]))
        .id_salt(("findings", report.format))
        .default_open(worst)
        .show(ui, |ui| {
            for finding in report.findings.iter().take(MAX_LINES) {
                let color = match finding.severity {
                    Severity::Note => ui.visuals().weak_text_color(),
                    Severity::Warning => ui.visuals().warn_fg_color,
                    Severity::Error => ui.visuals().error_fg_color,
                };
                ui.label(RichText::new(sentence(finding)).color(color).small());
            }
            if n > MAX_LINES {
                show_more(ui, n);
            }
        });
}

/// References both ways; returns the file that is to be looked at, and whether they are to be looked for.
fn show_references(ui: &mut Ui, browser: &Browser, preview: &Preview) -> (Option<PathBuf>, bool) {
    let mut wanted = None;
    let mut wants_index = false;
    let n = preview.references.len();
    CollapsingHeader::new(tr_with("Refers to ({n})", &[("n", n.into())]))
        .id_salt("refers to")
        .default_open(n > 0 && n < 20)
        .show(ui, |ui| {
            for reference in preview.references.iter().take(MAX_LINES) {
                show_reference(ui, browser, reference, &mut wanted);
            }
            if n > MAX_LINES {
                show_more(ui, n);
            }
            if n == 0 {
                ui.weak(tr("nothing that is known"));
            }
        });
    CollapsingHeader::new(tr("Referred to by"))
        .default_open(true)
        .show(ui, |ui| match (browser.index(), browser.n_indexed()) {
            (_, Some(n)) => drop(ui.weak(tr_with("looking into files: {n}", &[("n", n.into())]))),
            (None, None) => {
                let button = ui.button(tr("Look for it in all files"));
                wants_index = button
                    .on_hover_text(tr("Reads everything below the root once"))
                    .clicked();
            }
            (Some(index), None) => {
                let users = index.users_of(&preview.path);
                if users.is_empty() {
                    ui.weak(tr("nothing that is known"));
                }
                for RefersTo { path, name } in users.iter().take(MAX_LINES) {
                    let text = plain::path(below_root(browser, path));
                    if ui.link(text).on_hover_text(plain::line(name)).clicked() {
                        wanted = Some(path.clone());
                    }
                }
                if users.len() > MAX_LINES {
                    show_more(ui, users.len());
                }
            }
        });
    (wanted, wants_index)
}

/// How many there are beyond those that are listed.
fn show_more(ui: &mut Ui, n_all: usize) {
    let n = n_all - MAX_LINES;
    ui.weak(tr_with("and {n} more", &[("n", n.into())]));
}

fn show_reference(
    ui: &mut Ui,
    browser: &Browser,
    reference: &Reference,
    wanted: &mut Option<PathBuf>,
) {
    let text = format!(
        "{} {}",
        tr(reference.kind.name()),
        plain::name(&reference.name)
    );
    let Some(index) = browser.index() else {
        ui.label(text);
        return;
    };
    let found = index.find(reference);
    let Some(first) = found.first() else {
        ui.weak(tr_with("{text} (not here)", &[("text", text.into())]));
        return;
    };
    let place = plain::path(below_root(browser, first));
    if ui.link(text).on_hover_text(place).clicked() {
        *wanted = Some(first.to_path_buf());
    }
}

/// A path from the root on.
fn below_root<'a>(browser: &Browser, path: &'a std::path::Path) -> &'a std::path::Path {
    path.strip_prefix(browser.root()).unwrap_or(path)
}
