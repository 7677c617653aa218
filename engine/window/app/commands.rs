//! What each command of keys and buttons does.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::console::output::write_numbered_png;
use winit::event_loop::ActiveEventLoop;

use super::App;
use crate::day_clock::DayClock;
use crate::dialogs::DialogKind;
use crate::hud::photo_hint;
use crate::input::Command;
use crate::land_options::LandCommand;
use crate::model_options::ModelCommand;
use crate::picks::Picks;
use crate::renderer::SurfaceView;
use crate::window::desk::Desk;
use crate::words::line;

impl App {
    /// Obeys a command.
    pub(super) fn obey(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, command: Command) {
        let options = &mut self.options;
        match command {
            Command::GrabOrPick if self.mouse.is_held() => {
                if let Some(hit) = self.under_crosshair(&self.eye.pose()) {
                    self.picks.pick(hit);
                }
            }
            Command::GrabOrPick => {
                if let Some(screen) = &self.screen {
                    screen.stop_typing();
                    self.mouse.hold(&screen.window);
                }
            }
            Command::Unpick => {
                self.picks = Picks::new(Arc::clone(&self.loaded.level.world), options.tile_shape());
            }
            Command::Use => self.use_ahead(),
            Command::Release if desk.refusal.is_some() => desk.refusal = None,
            Command::Release if desk.opening.stop() => {}
            Command::Release | Command::Models(ModelCommand::TogglePause)
                if options.is_on_path() =>
            {
                self.leave_path();
            }
            Command::Release if options.photo.is_on => options.photo.is_on = false,
            Command::Release if self.mouse.is_held() => self.release_mouse(),
            Command::Release => options.help = false,
            Command::ToggleMode => self.toggle_mode(),
            Command::GoHome => self.eye.go_home(),
            Command::StoreBookmark(index) => {
                options.bookmarks.store(index, self.eye.pose());
                let number = index + 1;
                self.show_message(format!(
                    "place {number} remembered, key {number} goes back to it"
                ));
            }
            Command::RecallBookmark(index) => match options.bookmarks.recall(index) {
                Some(place) => self.eye.jump_to(place.pose),
                None => {
                    let number = index + 1;
                    self.show_message(format!(
                        "no place {number} yet, Ctrl+{number} remembers one"
                    ));
                }
            },
            Command::ToggleHelp => toggle(&mut options.help),
            Command::TogglePanel => toggle(&mut options.panel),
            Command::ToggleCrosshair => toggle(&mut options.crosshair),
            Command::ToggleVsync => toggle(&mut options.vsync),
            Command::ToggleFrozenCulling => toggle(&mut options.frozen_culling),
            Command::ToggleLockedVisibility => toggle(&mut options.locked_visibility),
            Command::Toggle(feature) => toggle(feature.switch(&mut options.switches)),
            Command::ToggleStyle => {
                options.style = options.style.other();
                let name = options.style.name();
                self.show_message(format!("the style is {name}"));
            }
            Command::ToggleOverlay(index) => {
                if let Some(is_shown) = options.overlays.get_mut(index) {
                    toggle(is_shown);
                }
            }
            Command::Models(command) => {
                options.models.obey(command, &self.loaded.level.contents);
                if let Some(text) = options.models.reported(command) {
                    self.show_message(text);
                }
            }
            Command::Land(command) => self.change_land(command),
            Command::Edit(command) => self.obey_edit(command),
            Command::CopyPlace => self.copy_place(),
            Command::StepHour(hours) => self.change_day(|day| day.step(hours)),
            Command::ToggleDay => self.change_day(|day| toggle(&mut day.is_running)),
            Command::AddPathKey => {
                options.draft.draft.add(self.eye.pose());
                let n = options.draft.draft.keys.len();
                self.show_message(format!(
                    "place {n} of the camera path; the panel plays and saves it"
                ));
            }
            Command::TogglePath => self.toggle_path(),
            Command::ToggleFullscreen => {
                if let Some(screen) = &self.screen {
                    screen.toggle_fullscreen();
                }
            }
            Command::NextSurfaceView => {
                let views = SurfaceView::ALL;
                let at = views.iter().position(|it| *it == options.surfaces);
                options.surfaces = views[at.map_or(0, |at| (at + 1) % views.len())];
                let name = options.surfaces.name();
                self.show_message(format!("surfaces: {name}"));
            }
            Command::SwapSides => self.swap_sides(),
            Command::MoveSplit(steps) => self.move_split(steps),
            Command::ToggleMinimap => toggle(&mut options.minimap.is_shown),
            Command::ShowStart => self.wants_start = true,
            Command::OpenFile => {
                if let Some(screen) = &self.screen {
                    desk.dialogs.open(DialogKind::File, &screen.window);
                }
                self.release_mouse();
            }
            Command::TogglePhoto => {
                toggle(&mut options.photo.is_on);
                let text = match options.photo.is_on {
                    true => photo_hint(&options.photo),
                    false => "photo mode is left".to_owned(),
                };
                self.show_message(text);
            }
            Command::ToggleTime => {
                toggle(&mut options.is_time_stopped);
                let text = match options.is_time_stopped {
                    true => "time stands still",
                    false => "time passes",
                };
                self.show_message(text.to_owned());
            }
            Command::Screenshot => self.write_screenshot(),
            Command::Quit => event_loop.exit(),
        }
    }

    fn use_ahead(&mut self) {
        let pose = self.eye.pose();
        let living = self.loaded.level.world.living_entities();
        let used = living.and_then(|it| it.use_from(pose.position, pose.forward()));
        self.show_message(match used {
            Some(name) => format!("{name} is used"),
            None => "there is nothing to use within reach".to_owned(),
        });
    }

    fn change_land(&mut self, command: LandCommand) {
        let text = match (&mut self.options.land, &self.loaded.level.scene.tiles) {
            (Some(land), Some(tree)) => land.obey(command, tree, self.eye.pose().position.z),
            _ => "this level's land has no such switch".to_owned(),
        };
        self.show_message(text);
    }

    fn change_day(&mut self, change: impl FnOnce(&mut DayClock)) {
        let Some(day) = &mut self.options.day else {
            return self.show_message("this level has no day".to_owned());
        };
        change(day);
        let goes_on = if day.is_running {
            ", and time passes"
        } else {
            ""
        };
        let text = format!("{}{goes_on}", day.text());
        self.show_message(text);
    }

    fn toggle_path(&mut self) {
        match &mut self.options.path {
            Some(path) if path.is_followed() => self.leave_path(),
            Some(path) => path.follow(),
            None => {
                self.show_message("there is no camera path; --play FILE.cam brings one".to_owned())
            }
        }
    }

    fn leave_path(&mut self) {
        if let Some(path) = &mut self.options.path {
            path.leave();
            self.show_message("the camera path is left, Enter continues it".to_owned());
        }
    }

    fn write_screenshot(&mut self) {
        let Some(screen) = &self.screen else {
            return;
        };
        let stem = format!("ironlands-{}", self.loaded.level.name());
        let size = self.options.photo.size.pixels(screen.size());
        let written = self.picture(size).and_then(|image| {
            let written = image.map(|image| write_numbered_png(Path::new(""), &stem, image));
            Ok(written.transpose()?)
        });
        match written {
            Ok(None) => {}
            Ok(Some(path)) => self.show_message(format!("picture written: {}", path.display())),
            Err(error) => {
                log::error!("{}", error.chain());
                self.show_message(format!("no picture: {}", error.chain()));
            }
        }
    }

    /// The pointer is free for dragging around a model, and held for flying once the window is clicked.
    fn toggle_mode(&mut self) {
        self.eye.toggle_mode();
        if self.eye.orbit().is_some() {
            self.release_mouse();
        }
    }

    pub(super) fn show_message(&mut self, text: String) {
        log::info!("{text}");
        self.message = Some((line(&text), Instant::now()));
    }

    /// Lets the pointer go, if the window holds it.
    pub(super) fn release_mouse(&mut self) {
        if let Some(screen) = &self.screen {
            self.mouse.release(&screen.window);
        }
    }
}

fn toggle(is_on: &mut bool) {
    *is_on = !*is_on;
}
