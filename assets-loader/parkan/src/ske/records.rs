//! Times and keyframes.

use serde::{Deserialize, Serialize};

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::text::decode_cp1251;

/// Colors that version 1 stores.
const N_FIRST_SLOTS: usize = 20;
/// The last known version.
pub(super) const LAST_VERSION: u32 = 3;
/// What the scene color is of the sun's light where it is not stored.
const SCENE_SHARE: f32 = 0.3;

/// A time of the mission's clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record, Serialize, Deserialize)]
pub struct SkyTime {
    /// Index of its section.
    #[field("section index")]
    pub section: u32,
    /// Not read.
    #[field("unread words")]
    pub unread: [u32; 2],
    /// Hour.
    #[field("hour")]
    pub hour: u32,
    /// Minute.
    #[field("minute")]
    pub minute: u32,
    /// Not read.
    #[field("unread end")]
    pub unread_end: [u32; 3],
}

/// Colors and distances of a moment. Colors are bytes of blue, green, red and alpha.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
pub struct Slots {
    /// Of unknown meaning.
    #[field("unknown_00")]
    pub unknown_00: [u8; 4],
    /// The horizon; see [`Slots::COMPASS`].
    #[field("horizon")]
    pub horizon: [[u8; 4]; 4],
    /// Where fog begins, as a share of 700 units.
    #[field("fog start")]
    pub fog_start: f32,
    /// Where it is whole.
    #[field("fog end")]
    pub fog_end: f32,
    /// The third ring from above.
    #[field("ring 3")]
    pub ring_3: [[u8; 4]; 4],
    /// The second ring.
    #[field("ring 2")]
    pub ring_2: [[u8; 4]; 4],
    /// The apex and the first ring.
    #[field("apex")]
    pub apex: [u8; 4],
    /// Not used.
    #[field("unknown_40")]
    pub unknown_40: [u8; 4],
    /// Its alpha is how strong the flare is.
    #[field("flare")]
    pub flare: [u8; 4],
    /// Clouds.
    #[field("clouds")]
    pub clouds: [u8; 4],
    /// Light of sun or moon.
    #[field("sun light")]
    pub sun: [u8; 4],
    /// The scene color: the least light that anything has.
    #[field("scene color")]
    pub scene: [u8; 4],
    /// Light from the other side.
    #[field("counter light")]
    pub counter: [u8; 4],
}

impl Slots {
    /// Which of four colors of a ring is seen at each quarter turn from +y toward +x.
    pub const COMPASS: [usize; 4] = [1, 2, 0, 3];
}

/// What a keyframe begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkyEvent {
    /// 0 and 1: sun or moon.
    Sun {
        /// Whether it rises.
        begins: bool,
    },
    /// 3 and 4.
    Rain {
        /// Whether it begins.
        begins: bool,
    },
    /// 5 and 6.
    Snow {
        /// Whether it begins.
        begins: bool,
    },
    /// 8 and 9.
    Lightning {
        /// Whether it begins.
        begins: bool,
    },
    /// 2, 7 and all others.
    None,
}

/// The sky at a time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keyframe {
    /// 1 to 3; 3 in all known files.
    pub version: u32,
    /// When.
    pub time: SkyTime,
    /// See [`Keyframe::event`].
    pub opcode: u32,
    /// Colors and distances. Of version 1 the last two are not stored, and what [`Keyframe::read`] makes of the light.
    pub slots: Slots,
    /// Texts, the first of which may be `sun` or `moon`. CP1251.
    pub texts: [Vec<u8>; 6],
    /// Width and height of the disc, factor of its light, and how strong the weather is.
    pub numbers: [f32; 4],
    /// Sounds, stored from version 3 on. CP1251.
    pub sounds: Vec<Vec<u8>>,
}

impl SkyTime {
    /// A time of day of the first section.
    pub fn at(hour: u32, minute: u32) -> Self {
        Self {
            hour,
            minute,
            ..Self::default()
        }
    }

    /// Hours since midnight.
    pub fn hours(&self) -> f32 {
        self.hour as f32 + self.minute as f32 / 60.0
    }

    /// As a clock shows it.
    pub fn clock_text(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }
}

impl Keyframe {
    /// Version, time, opcode, 20 slots, six empty texts, four numbers.
    pub(super) const MIN_SIZE: usize = 160;

    /// What begins or ends.
    pub const fn event(&self) -> SkyEvent {
        match self.opcode {
            0 | 1 => SkyEvent::Sun {
                begins: self.opcode == 0,
            },
            3 | 4 => SkyEvent::Rain {
                begins: self.opcode == 3,
            },
            5 | 6 => SkyEvent::Snow {
                begins: self.opcode == 5,
            },
            8 | 9 => SkyEvent::Lightning {
                begins: self.opcode == 8,
            },
            _ => SkyEvent::None,
        }
    }

    /// Whether it is of the moon, where it is of a disc.
    pub fn is_moon(&self) -> bool {
        let [first, ..] = &self.texts;
        first.eq_ignore_ascii_case(b"moon")
    }

    pub(super) fn summary(&self) -> String {
        let event = match self.event() {
            SkyEvent::None => String::new(),
            event => format!(", {event:?}"),
        };
        let [first, ..] = &self.texts;
        let text = decode_cp1251(first);
        let [blue, green, red, _] = self.slots.apex;
        format!(
            "{}{event} {text}: apex {red} {green} {blue}, fog {} to {}",
            self.time.clock_text(),
            self.slots.fog_start,
            self.slots.fog_end
        )
    }

    /// Whether all its numbers are: JSON holds no others, and no sky can be drawn with them.
    pub(super) fn is_finite(&self) -> bool {
        let fog = [self.slots.fog_start, self.slots.fog_end];
        self.numbers.iter().chain(&fog).all(|it| it.is_finite())
    }

    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let at = r.clone();
        let version = r.u32("keyframe version")?;
        if !(1..=LAST_VERSION).contains(&version) {
            return Err(at.unexpected("keyframe version", "1 to 3", version));
        }
        let time = SkyTime::read(r, ())?;
        let opcode = r.u32("opcode")?;
        let slots = match version {
            1 => read_first_slots(r)?,
            _ => Slots::read(r, ())?,
        };
        let mut texts: [Vec<u8>; 6] = Default::default();
        for text in &mut texts {
            *text = read_text(r, "text length")?;
        }
        let numbers: Vec<f32> = read_all(r, "disc and weather", 4, ())?;
        let sounds = match version {
            3 => {
                let n_sounds = r.count("sound count", size_of::<u32>())?;
                (0..n_sounds)
                    .map(|_| read_text(r, "sound length"))
                    .collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        Ok(Self {
            version,
            time,
            opcode,
            slots,
            texts,
            numbers: std::array::from_fn(|idx| numbers.get(idx).copied().unwrap_or(0.0)),
            sounds,
        })
    }

    pub(super) fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            version,
            time,
            opcode,
            slots,
            texts,
            numbers,
            sounds,
        } = self;
        if !(1..=LAST_VERSION).contains(version) {
            return Err(w.unexpected("keyframe version", "1 to 3", version));
        }
        w.u32(*version);
        time.write(w, ())?;
        w.u32(*opcode);
        let bytes = slot_bytes(slots)?;
        match version {
            1 => {
                let derived = with_derived(*slots);
                if (slots.scene, slots.counter) != (derived.scene, derived.counter) {
                    return Err(w.unexpected("scene color", "what version 1 has", "another"));
                }
                w.bytes(
                    bytes
                        .get(..N_FIRST_SLOTS.saturating_mul(4))
                        .unwrap_or_default(),
                );
            }
            _ => w.bytes(&bytes),
        }
        for text in texts {
            w.count("text length", text.len())?;
            w.bytes(text);
        }
        write_all(w, "disc and weather", numbers, ())?;
        if *version == LAST_VERSION {
            w.count("sound count", sounds.len())?;
            for sound in sounds {
                w.count("sound length", sound.len())?;
                w.bytes(sound);
            }
        } else if !sounds.is_empty() {
            return Err(w.unexpected("sound count", "none before version 3", sounds.len()));
        }
        Ok(())
    }
}

fn read_text(r: &mut Reader<'_>, name: &'static str) -> Result<Vec<u8>, FormatError> {
    let len = r.count(name, 1)?;
    Ok(r.bytes(name, len)?.to_vec())
}

fn slot_bytes(slots: &Slots) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(super::FORMAT);
    slots.write(&mut w, ())?;
    Ok(w.finish())
}

/// Slots without the last two.
fn read_first_slots(r: &mut Reader<'_>) -> Result<Slots, FormatError> {
    let mut bytes = r.bytes("slots", N_FIRST_SLOTS.saturating_mul(4))?.to_vec();
    bytes.resize(Slots::SIZE, 0);
    let slots = Slots::read(&mut Reader::new(super::FORMAT, &bytes), ())?;
    Ok(with_derived(slots))
}

/// The same with the last two slots that follow from the light.
fn with_derived(slots: Slots) -> Slots {
    let [b, g, r, _] = slots
        .sun
        .map(|channel| (f32::from(channel) * SCENE_SHARE) as u8);
    Slots {
        scene: [b, g, r, 0],
        counter: [b, g, r, 0],
        ..slots
    }
}
