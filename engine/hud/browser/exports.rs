//! What is exported, as what and where to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::{ProgressBar, RichText, TextEdit, Ui};

use super::BrowserReply;
use crate::browser::{Browser, ExportProgress, ExportRequest, Shape};
use crate::console::output::Existing;
use crate::console::plain;
use crate::words::{tr, tr_with};

/// Where exports go, and whether they replace files.
#[derive(Debug, Default)]
pub struct ExportChoice {
    folder: String,
    replaces: bool,
}

impl ExportChoice {
    pub fn set_folder(&mut self, folder: PathBuf) {
        self.folder = folder.to_string_lossy().into_owned();
    }
}

/// Lays it out.
pub fn show(ui: &mut Ui, browser: &mut Browser, choice: &mut ExportChoice) -> Option<BrowserReply> {
    let n = browser.selected().len();
    if n == 0 {
        return None;
    }
    let title = match n {
        1 => tr("Export"),
        n => tr_with("Export {n} chosen", &[("n", n.into())]),
    };
    ui.label(RichText::new(title).strong());
    let mut reply = None;
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 40.0).max(40.0);
        let field = TextEdit::singleline(&mut choice.folder)
            .hint_text(tr("into this folder"))
            .desired_width(width);
        ui.add(field);
        if ui
            .button("...")
            .on_hover_text(tr("Choose a folder"))
            .clicked()
        {
            reply = Some(BrowserReply::ChooseFolder);
        }
    });
    ui.checkbox(&mut choice.replaces, tr("replace files that are there"));
    let is_running = browser.export.as_ref().is_some_and(|job| !job.is_done());
    let folder = choice.folder.trim();
    let mut form = None;
    ui.add_enabled_ui(!folder.is_empty() && !is_running, |ui| {
        ui.horizontal_wrapped(|ui| {
            let as_is = ui.button(tr("as it is"));
            if as_is.on_hover_text(tr("Its own bytes")).clicked() {
                form = Some(None);
            }
            for extension in forms(browser) {
                if ui.button(format!(".{extension}")).clicked() {
                    form = Some(Some(extension));
                }
            }
        });
    });
    if let Some(form) = form {
        let request = request(browser, form, Path::new(folder), choice.replaces);
        browser.start_export(request);
    }
    show_job(ui, browser);
    reply
}

/// The forms of the file, or where several are chosen, all that any file has.
fn forms(browser: &Browser) -> Vec<&'static str> {
    if browser.selected().len() == 1
        && let Some(preview) = browser.preview()
        && browser
            .focus()
            .is_some_and(|it| browser.tree.node(it).shape == Shape::File)
    {
        return preview.forms.clone();
    }
    let registry = browser.registry();
    let conversions = registry.formats().all();
    let conversions = conversions.flat_map(|format| format.conversions());
    let conversions = conversions.filter(|it| it.export.is_some());
    let mut forms: BTreeSet<&'static str> = conversions.map(|it| it.extension).collect();
    for kind in registry.kinds() {
        forms.extend(kind.model_exports().iter().map(|it| it.extension));
        forms.extend(kind.level_exports().iter().map(|it| it.extension));
    }
    forms.into_iter().collect()
}

fn request(
    browser: &Browser,
    form: Option<&'static str>,
    to: &Path,
    replaces: bool,
) -> ExportRequest {
    let nodes = browser.selected().iter();
    let paths: Vec<_> = nodes
        .map(|node| browser.tree.node(*node).path.clone())
        .collect();
    ExportRequest {
        root: common_root(&paths),
        paths,
        form,
        to: to.to_owned(),
        existing: match replaces {
            true => Existing::Replace,
            false => Existing::Keep,
        },
    }
}

/// The folder that all paths lie in.
fn common_root(paths: &[PathBuf]) -> PathBuf {
    let Some((first, others)) = paths.split_first() else {
        return PathBuf::new();
    };
    let above = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    let mut root = above(first);
    while !others.iter().all(|path| path.starts_with(&root)) {
        root = above(&root);
    }
    root
}

fn show_job(ui: &mut Ui, browser: &mut Browser) {
    let Some(job) = &browser.export else {
        return;
    };
    let ExportProgress { n_done, n_all } = job.progress();
    let Some(result) = job.result() else {
        let share = n_done as f32 / n_all.max(1) as f32;
        let values = [("n", n_done.into()), ("all", n_all.into())];
        ui.add(ProgressBar::new(share).text(tr_with("{n} of {all}", &values)));
        if ui.button(tr("Stop")).clicked() {
            browser.export = None;
        }
        return;
    };
    ui.label(plain::line(&result));
    for problem in job.problems() {
        let text = RichText::new(plain::line(problem)).small();
        ui.label(text.color(ui.visuals().error_fg_color));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_paths_lie_in_is_no_part_of_the_output() {
        for (paths, root) in [
            (&["game/a.lib/x"][..], "game/a.lib"),
            (&["game/a.lib/x", "game/a.lib/y"], "game/a.lib"),
            (&["game/a.lib/x", "game/b.lib/y"], "game"),
            (&["game/a.lib", "game/a.lib/y"], "game"),
        ] {
            let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
            assert_eq!(common_root(&paths), Path::new(root), "{paths:?}");
        }
    }
}
