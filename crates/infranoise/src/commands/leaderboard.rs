//! `infranoise leaderboard`: tiers instead of ranks.

use std::path::Path;

use infranoise_analysis::design::{Row, Tiers, tiers};
use infranoise_analysis::{Effort, analyse};
use infranoise_core::{Blame, ScoringRule};

use crate::cli::Leaderboard;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sources;
use crate::sweep::MADE_BY;

pub(super) fn run(args: &Leaderboard) -> Result<Exit, CommandError> {
    let rows = if args.board.is_dir() { folder(&args.board)? } else { file(&args.board)? };
    if rows.is_empty() {
        return Err(CommandError::new(
            Exit::NothingMatched,
            format!("`{}` has no rows", args.board.display()),
        ));
    }
    super::gap::percent("scores", &rows.iter().map(|row| row.score * 100.0).collect::<Vec<_>>())?;
    let board = tiers(rows, args.rho, args.infra.assumption()).map_err(CommandError::usage)?;
    if args.json {
        console::json(&board)?;
    } else {
        console::data(&words(&board).join("\n"))?;
    }
    Ok(Exit::Done)
}

fn words(board: &Tiers) -> Vec<String> {
    let width = board.rows.iter().map(|row| row.row.name.chars().count()).max().unwrap_or(4).max(4);
    let mut lines = vec![format!("tier  {:width$}  score %  tasks  repeats  alike  resources", "name")];
    for row in &board.rows {
        lines.push(format!(
            "{:4}  {:width$}  {:7.1}  {:5}  {:7}  {:5}  {}",
            row.tier,
            row.row.name,
            row.row.score * 100.0,
            row.row.tasks,
            row.row.repeats,
            row.alike,
            row.row.resources.as_deref().unwrap_or("not disclosed")
        ));
    }
    lines.push(String::new());
    lines.push(format!(
        "{} of {} pairs can be told apart, {} of {} neighbours in rank; {} rows disclose no resources",
        board.told_apart,
        board.pairs,
        board.neighbours_told_apart,
        board.rows.len().saturating_sub(1),
        board.undisclosed
    ));
    lines.push(format!("assumed: {}", board.assumes));
    lines.push("a tier ends where a row can be told from the tier's first; \"alike\" counts rows that it cannot be told from".to_owned());
    lines
}

/// Rows from a CSV file.
fn file(path: &Path) -> Result<Vec<Row>, CommandError> {
    let text = std::fs::read_to_string(path).map_err(at("read", path))?;
    let bad = |line: usize, what: &str| CommandError::usage(format!("`{}:{line}`: {what}", path.display()));
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, header)) = lines.next() else { return Ok(Vec::new()) };
    let names: Vec<String> = fields(header).iter().map(|name| name.trim().to_ascii_lowercase()).collect();
    let column = |name: &str| names.iter().position(|known| known == name);
    let needed = |name: &str| {
        column(name).ok_or_else(|| {
            bad(1, &format!("there is no column `{name}`; needed are name, score, tasks, repeats"))
        })
    };
    let (name, score, tasks, repeats) =
        (needed("name")?, needed("score")?, needed("tasks")?, needed("repeats")?);
    let resources = column("resources");
    lines
        .map(|(number, line)| {
            let values = fields(line);
            let value = |at: usize| values.get(at).map(|value| value.trim().to_owned()).unwrap_or_default();
            let number_in = |at: usize, what: &str| {
                value(at)
                    .parse::<f64>()
                    .map_err(|_| bad(number + 1, &format!("`{}` is not a number of {what}", value(at))))
            };
            let whole = |at: usize, what: &str| {
                value(at)
                    .parse::<u32>()
                    .map_err(|_| bad(number + 1, &format!("`{}` is not a number of {what}", value(at))))
            };
            let percent = number_in(score, "percent")?;
            if !(0.0..=100.0).contains(&percent) {
                return Err(bad(
                    number + 1,
                    &format!("a score of {percent} is not between 0 and 100 percent"),
                ));
            }
            Ok(Row {
                name: value(name),
                score: percent / 100.0,
                tasks: whole(tasks, "tasks")?,
                repeats: whole(repeats, "repeats")?,
                resources: resources.map(value).filter(|text| !text.is_empty()),
            })
        })
        .collect()
}

/// The fields of a line: commas separate, quotes hold a field together, a doubled quote is one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut fields, '"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => push(&mut fields, other),
        }
    }
    fields
}

fn push(fields: &mut [String], letter: char) {
    if let Some(last) = fields.last_mut() {
        last.push(letter);
    }
}

/// Every arm of every result in a folder as a row.
fn folder(path: &Path) -> Result<Vec<Row>, CommandError> {
    let mut entries: Vec<_> = std::fs::read_dir(path)
        .map_err(at("read", path))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    let mut rows = Vec::new();
    for entry in entries {
        let Ok((plan, records)) = sources::read(&entry) else {
            console::warnings([format!(
                "`{}` holds no result that is known here; left out",
                entry.display()
            )]);
            continue;
        };
        let analysis = analyse(&plan, &records, MADE_BY, Effort { draws: 1 });
        let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for arm in &analysis.arms {
            let Some(score) = arm.score(ScoringRule::Strict).and_then(|row| row.estimate) else { continue };
            let tasks = u32::try_from(score.clusters).unwrap_or(u32::MAX);
            let known = records.iter().any(|record| {
                record.facts.allocation.is_some() && record.classification.blame != Blame::NotStarted
            });
            rows.push(Row {
                name: if analysis.arms.len() == 1 { name.clone() } else { format!("{name}@{}", arm.name) },
                score: score.value,
                tasks,
                repeats: u32::try_from(score.n / score.clusters.max(1)).unwrap_or(1).max(1),
                resources: known.then(|| arm.says.clone()),
            });
        }
    }
    Ok(rows)
}
