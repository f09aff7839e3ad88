//! `infranoise report`: a result's report in the form that is asked for.

use std::path::{Path, PathBuf};

use infranoise_analysis::compare::{Comparing, compare};
use infranoise_analysis::{Analysis, Effort};
use infranoise_formats::exports::{ExportOptions, Sweep, exporter};
use infranoise_report::extras::Extras;
use infranoise_report::figures::{FIGURES, Figure, FigureSpec};
use infranoise_report::svg::palette::Theme;
use infranoise_report::{html_with, latex, latex_table, markdown_with, png, printable};

use crate::cli::{Report, ReportFormat, ReportTheme};
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sources::{self, load};
use crate::sweep::{MADE_BY, trial_files};

/// Pixels for each unit of a drawing: sharp on paper and on dense screens.
const PNG_SCALE: f32 = 2.0;

/// The equivalence margin of a comparison, in points.
const MARGIN_PP: f64 = 3.0;

pub(super) fn run(args: &Report) -> Result<Exit, CommandError> {
    if args.figure.as_deref() == Some("list") {
        let names: Vec<String> =
            FIGURES.iter().map(|spec| format!("{:14} {}", spec.id, spec.question)).collect();
        console::data(&names.join("\n"))?;
        return Ok(Exit::Done);
    }
    if args.format == ReportFormat::Junit {
        return junit(args);
    }
    let spec = args.figure.as_deref().map(find).transpose()?;
    let (analysis, extras) = subject(args)?;
    match (args.format, spec) {
        (ReportFormat::Svg | ReportFormat::Png, None) => all_figures(args, &analysis),
        (ReportFormat::Svg | ReportFormat::Png, Some(spec)) => {
            let figure = (spec.draw)(&analysis);
            let name = format!("{}.{}", figure.id, extension(args.format));
            write(args, &name, &drawn(args, &figure)?)
        }
        (format, Some(spec)) => one_figure(args, format, &(spec.draw)(&analysis)),
        (format, None) => {
            let text = whole(format, &analysis, &extras)?;
            write(args, &format!("report.{}", extension(format)), text.as_bytes())
        }
    }
}

/// The figure of this name.
fn find(name: &str) -> Result<&'static FigureSpec, CommandError> {
    FigureSpec::find(name).ok_or_else(|| {
        CommandError::usage(format!("there is no figure `{name}`"))
            .hint("`infranoise report . --figure list` lists them")
    })
}

/// What is reported: one result with its trials' files, or two against each other.
fn subject(args: &Report) -> Result<(Analysis, Extras), CommandError> {
    let Some(other) = &args.compare else {
        let analysis = super::analyze::read(&args.sweep)?;
        let is_page = args.figure.is_none() && args.format == ReportFormat::Html;
        let trials = if is_page { trial_files(&args.sweep, &analysis) } else { Vec::new() };
        return Ok((analysis, Extras { trials, compared: None }));
    };
    let base = load(&args.sweep.to_string_lossy())?;
    let mut other = load(other)?;
    super::compare::apart(&base, &mut other);
    let found: Comparing = compare(&base.side(), &other.side(), MARGIN_PP, None, MADE_BY, Effort::default())
        .map_err(CommandError::usage)?;
    let mut analysis = found.analysis.clone();
    let names: Vec<&str> = found.analysis.arms.iter().map(|arm| arm.name.as_str()).collect();
    // The verdict on the two replaces what the arms of one sweep would mean; what limits it comes after.
    let (judged, limits) = found.judgement.says.split_once("; ").unwrap_or((&found.judgement.says, ""));
    analysis.answer.headline =
        format!("{} against {}: {judged}", names.get(1).unwrap_or(&"?"), names.first().unwrap_or(&"?"));
    if !limits.is_empty() {
        analysis.answer.sentences.insert(0, format!("{limits}."));
    }
    Ok((analysis, Extras { trials: Vec::new(), compared: Some(found) }))
}

fn extension(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Html => "html",
        ReportFormat::Md => "md",
        ReportFormat::Json => "json",
        ReportFormat::Svg => "svg",
        ReportFormat::Png => "png",
        ReportFormat::PdfReady => "print.html",
        ReportFormat::Latex => "tex",
        ReportFormat::Junit => "junit.xml",
    }
}

fn whole(format: ReportFormat, analysis: &Analysis, extras: &Extras) -> Result<String, CommandError> {
    match format {
        ReportFormat::Html => Ok(html_with(analysis, extras)),
        ReportFormat::Md => Ok(markdown_with(analysis, extras)),
        ReportFormat::Json => match &extras.compared {
            Some(found) => json(found),
            None => json(analysis),
        },
        ReportFormat::PdfReady => Ok(printable(analysis, extras)),
        ReportFormat::Latex => Ok(latex(analysis)),
        ReportFormat::Svg | ReportFormat::Png | ReportFormat::Junit => {
            Err(CommandError::new(Exit::Unexpected, "this form is not made of the analysis as a whole"))
        }
    }
}

/// Trials as JUnit XML: the same file as `infranoise export` writes.
fn junit(args: &Report) -> Result<Exit, CommandError> {
    if args.figure.is_some() || args.compare.is_some() {
        return Err(CommandError::usage("JUnit holds the trials of one result")
            .hint("leave --figure and --compare out"));
    }
    let (plan, records) = sources::read(&args.sweep)?;
    let exporter =
        exporter("junit").ok_or_else(|| CommandError::new(Exit::Unexpected, "there is no export `junit`"))?;
    let mut bytes = Vec::new();
    exporter
        .write_to(&Sweep::new(&plan, &records), ExportOptions::default(), &mut bytes)
        .map_err(|error| CommandError::new(Exit::Unexpected, error))?;
    write(args, &format!("report.{}", extension(args.format)), &bytes)
}

fn json(value: &impl serde::Serialize) -> Result<String, CommandError> {
    serde_json::to_string_pretty(value)
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("write JSON: {error}")))
}

/// One figure in words.
fn one_figure(args: &Report, format: ReportFormat, figure: &Figure) -> Result<Exit, CommandError> {
    let text = match format {
        ReportFormat::Md => format!(
            "## {}\n\n*{}*\n\n{}\n{}\n",
            figure.title,
            figure.question,
            figure.table.markdown(),
            figure.caption
        ),
        ReportFormat::Json => json(&figure.table)?,
        ReportFormat::Latex => latex_table(&figure.table, &figure.caption, figure.id),
        ReportFormat::Html
        | ReportFormat::PdfReady
        | ReportFormat::Junit
        | ReportFormat::Svg
        | ReportFormat::Png => {
            return Err(CommandError::usage("a single figure can be svg, png, md, json or latex")
                .hint("leave --figure out for a page"));
        }
    };
    write(args, &format!("{}.{}", figure.id, extension(format)), text.as_bytes())
}

/// Every figure that has data, into a folder.
fn all_figures(args: &Report, analysis: &Analysis) -> Result<Exit, CommandError> {
    let folder = match &args.output {
        Some(path) if path == Path::new("-") => {
            return Err(CommandError::usage("several drawings do not fit into stdout")
                .hint("name one with --figure, or a folder with -o"));
        }
        Some(path) => path.clone(),
        None => beside(args, "figures"),
    };
    std::fs::create_dir_all(&folder).map_err(at("create", &folder))?;
    let mut count = 0;
    for figure in FIGURES.iter().map(|spec| (spec.draw)(analysis)).filter(|figure| !figure.missing) {
        let path = folder.join(format!("{}.{}", figure.id, extension(args.format)));
        std::fs::write(&path, drawn(args, &figure)?).map_err(at("write", &path))?;
        count += 1;
    }
    console::say(&format!("{count} figures: {}", folder.display()));
    Ok(Exit::Done)
}

fn drawn(args: &Report, figure: &Figure) -> Result<Vec<u8>, CommandError> {
    let theme = match args.theme {
        ReportTheme::Light => Theme::Light,
        ReportTheme::Dark => Theme::Dark,
    };
    let file = figure.file(theme);
    if args.format == ReportFormat::Svg {
        return Ok(file.into_bytes());
    }
    png(&file, PNG_SCALE).map_err(|error| CommandError::new(Exit::Unexpected, error))
}

/// A path beside the result: inside a sweep's own folder, and in the working folder for what is not ours to write into.
fn beside(args: &Report, name: &str) -> PathBuf {
    let is_ours = args.sweep.join(infranoise_store::PlanFile::NAME).exists();
    if is_ours { args.sweep.join(name) } else { PathBuf::from(name) }
}

fn write(args: &Report, name: &str, bytes: &[u8]) -> Result<Exit, CommandError> {
    let path = args.output.clone().unwrap_or_else(|| beside(args, name));
    if path == Path::new("-") {
        match std::str::from_utf8(bytes) {
            Ok(text) => console::data(text)?,
            Err(_) => console::bytes(bytes)?,
        }
        return Ok(Exit::Done);
    }
    std::fs::write(&path, bytes).map_err(at("write", &path))?;
    console::say(&format!("report: {}", path.display()));
    Ok(Exit::Done)
}
