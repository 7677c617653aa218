//! A line of JSON as a query, and its result as another.

use clap::ValueEnum;
use ironlands_sim_geodata::path::{DEFAULT_BUDGET, PathRequest};
use ironlands_sim_geodata::{
    GeoPoint, GeoQuery, Geodata, Profile, QueryContext, SpotOptions, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::query::lines::{DEFAULT_CLEARANCE, DEFAULT_EYE};
use super::super::query::points::{DEFAULT_RADIUS, DEFAULT_REACH, N_SPOT_TRIES};
use super::super::query::{NoDataArg, ProfileArg};
use super::super::query_json::ResultJson;

/// What a line may leave out.
pub struct Defaults {
    /// Step rule, with the rule for places without a region.
    pub profile: Profile,
}

/// A line of the input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the member \"query\"")]
struct QueryLine<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    query: Kind,
    at: Option<[i32; 3]>,
    from: Option<[i32; 3]>,
    to: Option<[i32; 3]>,
    profile: Option<&'a str>,
    no_data: Option<&'a str>,
    reach: Option<i32>,
    radius: Option<i32>,
    seed: Option<u64>,
    eye: Option<f32>,
    rough: Option<u32>,
    budget: Option<u32>,
    height: Option<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Cell,
    Height,
    Layers,
    Step,
    Move,
    Sight,
    Path,
    Drop,
    Snap,
    Spot,
    Swim,
    Fly,
}

/// Members with whether a line has them.
type Members = [(&'static str, bool); 12];

/// A line of results.
#[derive(Serialize)]
struct ResultLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    result: ResultJson,
}

/// A line that has no result.
#[derive(Serialize)]
struct ErrorLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: String,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// Runs the query of a line and appends a line with its result. Returns whether it has one.
pub fn run_line(
    geodata: &Geodata,
    context: &mut QueryContext<'_>,
    defaults: &Defaults,
    text: &[u8],
    number: usize,
    results: &mut Vec<u8>,
) -> bool {
    let result = match serde_json::from_slice::<QueryLine<'_>>(text) {
        Ok(line) => match line.run(geodata, context, defaults) {
            Ok(result) => Ok(ResultLine {
                id: line.id,
                result,
            }),
            Err(error) => Err(ErrorLine {
                id: line.id,
                error,
                line: number,
                column: None,
            }),
        },
        Err(error) => {
            // Every line is the first of its own.
            let place = format!(" at line {} column {}", error.line(), error.column());
            let error_text = error.to_string();
            Err(ErrorLine {
                id: None,
                error: error_text
                    .strip_suffix(&place)
                    .unwrap_or(&error_text)
                    .to_owned(),
                line: number,
                column: Some(error.column()),
            })
        }
    };
    let written = match &result {
        Ok(result) => serde_json::to_writer(&mut *results, result),
        Err(error) => serde_json::to_writer(&mut *results, error),
    };
    written.expect("memory takes all, and members have names");
    results.push(b'\n');
    result.is_ok()
}

impl QueryLine<'_> {
    fn run(
        &self,
        geodata: &Geodata,
        context: &mut QueryContext<'_>,
        defaults: &Defaults,
    ) -> Result<ResultJson, String> {
        let query = self.query(defaults)?;
        let result = geodata.query(&query, context);
        let result = result.map_err(|error| error.to_string())?;
        Ok(ResultJson::new(&result, None))
    }

    fn query(&self, defaults: &Defaults) -> Result<GeoQuery, String> {
        self.refuse_unused()?;
        let at = || point("at", self.at);
        let from = || point("from", self.from);
        let to = || point("to", self.to);
        Ok(match self.query {
            Kind::Cell => GeoQuery::Cell(at()?),
            Kind::Height => GeoQuery::Height(at()?),
            Kind::Layers => GeoQuery::Layers(at()?),
            Kind::Drop => GeoQuery::Fall(at()?),
            Kind::Step => GeoQuery::Steps(at()?, self.profile(defaults)?),
            Kind::Snap => GeoQuery::SnapSpawn {
                spawn: at()?,
                reach: self.reach.unwrap_or(DEFAULT_REACH),
            },
            Kind::Spot => GeoQuery::RandomSpot {
                middle: at()?,
                options: SpotOptions {
                    radius: self.radius.unwrap_or(DEFAULT_RADIUS),
                    profile: self.profile(defaults)?,
                    n_tries: N_SPOT_TRIES,
                },
                seed: self.seed.unwrap_or(1),
            },
            Kind::Move => GeoQuery::StraightWalk {
                from: from()?,
                to: to()?,
                profile: self.profile(defaults)?,
            },
            Kind::Sight => {
                let eye = self.eye.unwrap_or(DEFAULT_EYE);
                GeoQuery::LineOfSight {
                    from: Viewer::new(from()?, eye),
                    to: Viewer::new(to()?, eye),
                    profile: self.profile(defaults)?,
                }
            }
            Kind::Path => GeoQuery::Path {
                request: PathRequest {
                    from: from()?,
                    to: to()?,
                },
                profile: self.profile(defaults)?,
                budget: self.budget.unwrap_or(DEFAULT_BUDGET),
                rough_factor: self.rough.unwrap_or(1),
            },
            Kind::Swim => GeoQuery::Swim {
                from: from()?,
                to: to()?,
            },
            Kind::Fly => GeoQuery::Fly {
                from: from()?,
                to: to()?,
                height: self.height.unwrap_or(DEFAULT_CLEARANCE),
            },
        })
    }

    fn profile(&self, defaults: &Defaults) -> Result<Profile, String> {
        let profile = match self.profile {
            Some(name) => one_of::<ProfileArg>("profile", name)?
                .profile()
                .with_no_data(defaults.profile.no_data),
            None => defaults.profile,
        };
        Ok(match self.no_data {
            Some(name) => profile.with_no_data(one_of::<NoDataArg>("no_data", name)?.rule()),
            None => profile,
        })
    }

    /// A member that a query does not have is a mistake, which must not go unnoticed.
    fn refuse_unused(&self) -> Result<(), String> {
        let used = self.query.members();
        let unused = self.members().into_iter();
        match unused
            .filter(|(_, is_there)| *is_there)
            .find(|(name, _)| !used.contains(name))
        {
            Some((name, _)) => Err(format!(
                "this query does not take \"{name}\"; it takes {}",
                used.join(", ")
            )),
            None => Ok(()),
        }
    }

    fn members(&self) -> Members {
        [
            ("at", self.at.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("profile", self.profile.is_some()),
            ("no_data", self.no_data.is_some()),
            ("reach", self.reach.is_some()),
            ("radius", self.radius.is_some()),
            ("seed", self.seed.is_some()),
            ("eye", self.eye.is_some()),
            ("rough", self.rough.is_some()),
            ("budget", self.budget.is_some()),
            ("height", self.height.is_some()),
        ]
    }
}

impl Kind {
    fn members(self) -> &'static [&'static str] {
        match self {
            Self::Cell | Self::Height | Self::Layers | Self::Drop => &["at"],
            Self::Step => &["at", "profile", "no_data"],
            Self::Snap => &["at", "reach"],
            Self::Spot => &["at", "radius", "seed", "profile", "no_data"],
            Self::Move => &["from", "to", "profile", "no_data"],
            Self::Sight => &["from", "to", "eye", "profile", "no_data"],
            Self::Path => &["from", "to", "profile", "no_data", "rough", "budget"],
            Self::Swim => &["from", "to"],
            Self::Fly => &["from", "to", "height"],
        }
    }
}

fn point(name: &str, numbers: Option<[i32; 3]>) -> Result<GeoPoint, String> {
    let [x, y, z] = numbers.ok_or_else(|| format!("\"{name}\" is missing"))?;
    Ok(GeoPoint::new(x, y, z))
}

fn one_of<T: ValueEnum>(member: &str, name: &str) -> Result<T, String> {
    T::from_str(name, false).map_err(|_| {
        let values = T::value_variants().iter();
        let values = values.filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        format!(
            "\"{name}\" is no value of \"{member}\"; expected {}",
            names.join(", ")
        )
    })
}
