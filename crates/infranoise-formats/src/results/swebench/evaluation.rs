//! One evaluation: a model's predictions under one run id, put together from its report, its logs and its predictions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::schema::{Prediction, RunReport};
use crate::results::importer::Found;
use crate::results::loss::Losses;
use crate::results::read::{Field, Folder, Line, Lines, parse, read_all};

/// A report or a file of predictions is no larger.
const LARGEST: u64 = 512 << 20;

/// Which evaluation: the model as folders spell it (`/` as `__`), and the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) model: String,
    pub(super) run: String,
}

/// What is known of an evaluation.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    pub(super) report: Option<RunReport>,
    /// The report's file, as records name it.
    pub(super) file: String,
    /// Folders with logs, by instance.
    pub(super) folders: BTreeMap<String, PathBuf>,
    /// Whether the patch of an instance is empty.
    pub(super) predicted: BTreeMap<String, bool>,
}

impl Evaluation {
    /// Every instance that anything tells of.
    pub(super) fn instances(&self) -> BTreeSet<String> {
        let mut all: BTreeSet<String> = self.folders.keys().chain(self.predicted.keys()).cloned().collect();
        if let Some(report) = &self.report {
            let lists = [
                &report.submitted_ids,
                &report.resolved_ids,
                &report.unresolved_ids,
                &report.error_ids,
                &report.empty_patch_ids,
            ];
            all.extend(lists.into_iter().filter_map(Field::get).flatten().cloned());
        }
        all
    }
}

/// Puts everything that was found in its place.
pub(super) fn evaluations(found: &[Found], losses: &mut Losses) -> BTreeMap<Name, Evaluation> {
    let mut all: BTreeMap<Name, Evaluation> = BTreeMap::new();
    for found in found.iter().filter(|found| found.path.is_dir()) {
        logs(found, &mut all, losses);
    }
    for found in found.iter().filter(|found| found.what == super::REPORT) {
        report(found, &mut all, losses);
    }
    for found in found.iter().filter(|found| found.what == super::PREDICTIONS) {
        for (model, instance, empty) in predictions(found, losses) {
            let of_model = all.iter_mut().filter(|(name, _)| name.model == model);
            let mut evaluated = false;
            for (_, evaluation) in of_model {
                evaluation.predicted.insert(instance.clone(), empty);
                evaluated = true;
            }
            if !evaluated {
                let name = Name { model, run: String::new() };
                let evaluation = all.entry(name).or_default();
                evaluation.file.clone_from(&found.shown);
                evaluation.predicted.insert(instance, empty);
            }
        }
    }
    all
}

/// A folder of a run (`<run>/<model>/<instance>`) or of one model (`<model>/<instance>`).
fn logs(found: &Found, all: &mut BTreeMap<Name, Evaluation>, losses: &mut Losses) {
    let folders = |path: &Path, losses: &mut Losses| match Folder::list(path) {
        Ok(folder) => folder.folders,
        Err(error) => {
            losses.add(&*found.shown, path.display().to_string(), error.to_string());
            Vec::new()
        }
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let children = folders(&found.path, losses);
    let one_model = children.iter().any(|child| child.join("run_instance.log").is_file());
    let models = if one_model { vec![found.path.clone()] } else { children };
    for model in models {
        let run = model.parent().map(name).unwrap_or_default();
        let evaluation = all.entry(Name { model: name(&model), run }).or_default();
        if evaluation.file.is_empty() {
            evaluation.file.clone_from(&found.shown);
        }
        for instance in folders(&model, losses) {
            evaluation.folders.insert(name(&instance), instance);
        }
    }
}

/// `<model>.<run>.json`: both may have dots, so that logs say where one ends; else the last dot does.
fn report(found: &Found, all: &mut BTreeMap<Name, Evaluation>, losses: &mut Losses) {
    let read =
        read_all(&found.path, LARGEST).map_err(|error| error.to_string()).and_then(|bytes| parse(&bytes));
    let report: RunReport = match read {
        Ok(report) => report,
        Err(why) => return losses.add(&*found.shown, "the report", why),
    };
    let stem = found.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let known = all.keys().find(|name| format!("{}.{}", name.model, name.run) == stem).cloned();
    let name = known.unwrap_or_else(|| match stem.rsplit_once('.') {
        Some((model, run)) => Name { model: model.to_owned(), run: run.to_owned() },
        None => Name { model: stem.clone(), run: String::new() },
    });
    let evaluation = all.entry(name).or_default();
    evaluation.file.clone_from(&found.shown);
    evaluation.report = Some(report);
}

/// Model, instance, and whether the patch is empty.
fn predictions(found: &Found, losses: &mut Losses) -> Vec<(String, String, bool)> {
    let mut read = Vec::new();
    let mut take = |prediction: Prediction| {
        let (Some(model), Some(instance)) =
            (prediction.model_name_or_path.get(), prediction.instance_id.get())
        else {
            return false;
        };
        let empty = prediction.model_patch.get().is_none_or(|patch| patch.trim().is_empty());
        read.push((model.replace('/', "__"), instance.clone(), empty));
        true
    };
    if found.path.extension().is_some_and(|extension| extension == "jsonl") {
        let mut number = 0;
        let Ok(mut lines) = Lines::open(&found.path, LARGEST) else { return read };
        while let Ok(Some(line)) = lines.next_line() {
            number += 1;
            let taken = match line {
                Line::Whole(line) if line.is_empty() => true,
                Line::Whole(line) => parse(&line).is_ok_and(&mut take),
                Line::TooLong => false,
            };
            if !taken {
                losses.add(&*found.shown, format!("line {number}"), "no prediction");
            }
        }
        return read;
    }
    let document =
        read_all(&found.path, LARGEST).ok().and_then(|bytes| parse::<serde_json::Value>(&bytes).ok());
    let values: Vec<serde_json::Value> = match document {
        Some(serde_json::Value::Array(list)) => list,
        Some(serde_json::Value::Object(by_id)) => by_id.into_iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    for (value, place) in values.into_iter().zip(0..) {
        if !serde_json::from_value(value).is_ok_and(&mut take) {
            losses.add(&*found.shown, format!("[{place}]"), "no prediction");
        }
    }
    read
}
