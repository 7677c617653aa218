//! `geodata query`: queries of every kind from stdin, in order; their errors; and arrays of numbers.

use std::io::{BufRead, BufReader, Write};

use super::*;

/// Runs the command with an input: exit code, stdout, stderr.
fn run_with(args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let output = ironlands(args).write_stdin(input).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), output.stdout, stderr)
}

/// One object for each line.
fn lines_of(stdout: &[u8]) -> Vec<Value> {
    let lines = stdout.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// Beyond the wall, and up the step of 40.
const FAR: &str = "104,8,-2960";

/// A query as a line, the single command's kind, points and options.
fn every_kind() -> Vec<(Value, &'static str, Vec<&'static str>)> {
    let (a, b) = (json!([8, 8, -3000]), json!([104, 8, -2960]));
    let at = |kind: &str| json!({"query": kind, "at": a});
    let line = |kind: &str| json!({"query": kind, "from": a, "to": b});
    let with = |mut query: Value, member: &str, value: Value| {
        query[member] = value;
        query
    };
    vec![
        (at("height"), "height", vec![MIDDLE]),
        (line("move"), "move", vec![MIDDLE, FAR]),
        (at("layers"), "layers", vec![MIDDLE]),
        (
            with(at("step"), "profile", json!("pts")),
            "step",
            vec![MIDDLE, "--profile", "pts"],
        ),
        (
            with(line("sight"), "eye", json!(4.5)),
            "sight",
            vec![MIDDLE, FAR, "--eye", "4.5"],
        ),
        (line("path"), "path", vec![MIDDLE, FAR]),
        (
            with(line("path"), "profile", json!("pts")),
            "path",
            vec![MIDDLE, FAR, "--profile", "pts"],
        ),
        (at("drop"), "drop", vec![MIDDLE]),
        (
            with(
                json!({"query": "snap", "at": [8, 8, -2000]}),
                "reach",
                json!(10),
            ),
            "snap",
            vec!["8,8,-2000", "--reach", "10"],
        ),
        (
            with(with(at("spot"), "radius", json!(90)), "seed", json!(7)),
            "spot",
            vec![MIDDLE, "--radius", "90", "--seed", "7"],
        ),
        (line("swim"), "swim", vec![MIDDLE, FAR]),
        (
            with(line("fly"), "height", json!(10)),
            "fly",
            vec![MIDDLE, FAR, "--height", "10"],
        ),
    ]
}

#[test]
fn a_batch_returns_in_order_what_the_single_commands_return() {
    let world = World::new();
    let cases = every_kind();
    // Several times over, so that threads share them.
    let n_rounds = 40;
    let mut input = String::new();
    for round in 0..n_rounds {
        for (at, (query, ..)) in cases.iter().enumerate() {
            let mut query = query.clone();
            query["id"] = json!([round, at]);
            input.push_str(&format!("{query}\n\n"));
        }
    }
    let geodata = world.path("geodata");
    let (code, stdout, stderr) = run_with(&["geodata", "query", &geodata], input.as_bytes());
    assert_eq!((code, &*stderr), (0, ""));
    let results = lines_of(&stdout);
    assert_eq!(results.len(), n_rounds * cases.len());
    let expected: Vec<Value> = cases
        .iter()
        .map(|(_, kind, args)| {
            let (_, mut result) = world.query(kind, args);
            // All of a batch's are loaded.
            result.as_object_mut().unwrap().remove("n_regions");
            result
        })
        .collect();
    assert_eq!(expected[5]["reached"], true, "around the wall");
    assert_eq!(expected[1]["end"], "closed_side");
    for (n, mut result) in results.into_iter().enumerate() {
        let (round, at) = (n / cases.len(), n % cases.len());
        let id = result.as_object_mut().unwrap().remove("id");
        assert_eq!(id, Some(json!([round, at])));
        assert_eq!(result, expected[at], "{:?}", cases[at].1);
    }
    let (_, mut cell, _) = run_with(
        &["geodata", "query", &geodata],
        b"{\"query\":\"cell\",\"at\":[8,8,0]}",
    );
    let (_, single, _) = run(&["geodata", "cell", "8,8,0", "--json"]);
    cell.pop();
    let [cell, single]: [Value; 2] =
        [&cell[..], single.as_bytes()].map(|it| serde_json::from_slice(it).unwrap());
    assert_eq!(cell, single);
}

#[test]
fn lines_without_a_result_are_located_and_the_others_continue() {
    let world = World::new();
    let height = r#"{"query":"height","at":[8,8,-3000]}"#;
    for (line, column, words) in [
        (r#"{"query":"height","at":[8,8}"#, Some(28), "expected"),
        (
            r#"{"query":"heigt","at":[8,8,0]}"#,
            Some(16),
            "unknown variant",
        ),
        (r#"{"query":"height"}"#, None, "\"at\" is missing"),
        (
            r#"{"query":"height","at":[8,8,0],"reach":1}"#,
            None,
            "does not take \"reach\"; it takes at",
        ),
        (
            r#"{"query":"spot","at":[8,8,0],"raduis":1}"#,
            Some(37),
            "unknown field",
        ),
        (
            r#"{"query":"move","from":[8,8,0],"to":[9,9,0],"profile":"l2"}"#,
            None,
            "expected pts, acis",
        ),
        (
            r#"{"query":"height","at":[-8,8,0]}"#,
            None,
            "region 19_18 is not loaded",
        ),
        (
            r#"{"query":"height","at":[9999999,8,0]}"#,
            None,
            "outside of all regions",
        ),
        (
            r#"{"query":"height","at":[8,8,2147483648]}"#,
            Some(38),
            "invalid value",
        ),
        ("null", Some(4), "invalid type"),
    ] {
        let input = format!("{height}\n\n  {line}\r\n{height}");
        let geodata = world.path("geodata");
        let (code, stdout, stderr) = run_with(&["geodata", "query", &geodata], input.as_bytes());
        assert_eq!(code, 1, "{line}");
        assert!(stderr.contains("1 of 3 queries have no result"), "{stderr}");
        let results = lines_of(&stdout);
        assert_eq!(results.len(), 3, "{line}");
        assert_eq!(results[0]["height"], -3000);
        assert_eq!(results[2]["height"], -3000);
        assert_eq!(results[1]["line"], 3, "{line}");
        assert_eq!(
            results[1]["column"],
            json!(column),
            "{line}: {}",
            results[1]
        );
        let error = results[1]["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
        assert!(!error.contains("line 1"), "{error}");
    }
    let long = vec![b' '; 1 << 20];
    let (code, stdout, stderr) = run_with(&["geodata", "query", &world.path("geodata")], &long);
    assert_eq!(
        (code, stdout.len()),
        (0, 0),
        "white space is no query: {stderr}"
    );
    let endless = vec![b'['; 3 << 20];
    let (code, _, stderr) = run_with(&["geodata", "query", &world.path("geodata")], &endless);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("more than 1048576 bytes"), "{stderr}");
}

/// A server writes a query and waits for its result.
#[test]
fn results_appear_before_the_input_ends() {
    let world = World::new();
    let program = assert_cmd::cargo::cargo_bin("ironlands");
    let mut child = std::process::Command::new(program)
        .args(["geodata", "query", &world.path("geodata")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    for x in [8, 24, 40] {
        writeln!(stdin, r#"{{"query":"height","at":[{x},8,-3000],"id":{x}}}"#).unwrap();
        let line = stdout.next().unwrap().unwrap();
        let result: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(result["id"], x);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn arrays_of_numbers_give_what_lines_give() {
    let world = World::new();
    let geodata = world.path("geodata");
    let points: Vec<[i32; 3]> = (0..200)
        .map(|n| [n * 7 - 40, n * 5, -3000 + n % 50])
        .collect();
    let pairs = || points.iter().zip(points.iter().rev());
    let bytes =
        |numbers: Vec<i32>| -> Vec<u8> { numbers.iter().flat_map(|it| it.to_le_bytes()).collect() };
    let numbers = |bytes: &[u8]| -> Vec<i32> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        assert!(rest.is_empty());
        numbers.iter().map(|it| i32::from_le_bytes(*it)).collect()
    };
    let lines = |kind: &str| -> Vec<Value> {
        let queries: String = pairs()
            .map(|(a, b)| match kind {
                "height" => format!("{}\n", json!({"query": kind, "at": a})),
                _ => format!("{}\n", json!({"query": kind, "from": a, "to": b})),
            })
            .collect();
        lines_of(&run_with(&["geodata", "query", &geodata], queries.as_bytes()).1)
    };
    let ends = [
        "reached",
        "other_layer",
        "closed_side",
        "climb",
        "drop",
        "no_data",
    ];
    for (kind, row) in [
        ("height", 1),
        ("move", 4),
        ("sight", 1),
        ("swim", 4),
        ("fly", 4),
    ] {
        let input = match kind {
            "height" => points.concat(),
            _ => pairs().flat_map(|(a, b)| [*a, *b].concat()).collect(),
        };
        let args = ["geodata", "query", &geodata, "--binary", kind];
        let (code, stdout, _) = run_with(&args, &bytes(input));
        // Some are outside of the region, through which a flight is blocked.
        assert_eq!(code, i32::from(kind != "fly"), "{kind}");
        let rows = numbers(&stdout);
        let lines = lines(kind);
        assert_eq!(rows.len(), row * lines.len());
        for (row, line) in rows.chunks(row).zip(&lines) {
            let number = row[0];
            let point = || json!(row[1..].to_vec());
            if line.get("error").is_some() {
                assert_eq!(number, if kind == "height" { i32::MIN } else { -1 });
                continue;
            }
            match kind {
                "height" => assert_eq!(number, line["height"]),
                "sight" => {
                    assert_eq!(number & 1 != 0, line["there"]);
                    assert_eq!(number & 2 != 0, line["back"]);
                }
                "move" => {
                    assert_eq!(ends[number as usize], line["end"]);
                    assert_eq!(point(), line["point"]);
                }
                _ => {
                    assert_eq!(number == 0, line["reached"]);
                    assert_eq!(point(), line["point"]);
                }
            }
        }
    }
    let args = ["geodata", "query", &geodata, "--binary", "height"];
    let (code, _, stderr) = run_with(&args, &[0; 13]);
    assert_eq!(code, 2);
    assert!(stderr.contains("ends 1 bytes into a row of 12"), "{stderr}");
}
