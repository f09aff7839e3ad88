//! The parts of a sweep's page, each made from a view. Every name and number passes through the escapes of `infranoise-report`.

use infranoise_analysis::Analysis;
use infranoise_core::{Bytes, ScoringRule, Shown, StopReason, TrialKey};
use infranoise_report::figures::{FIGURES, Figure};
use infranoise_report::table::Table;
use infranoise_report::text::{escape, number, time, words};

use super::draw;
use super::moment::Maker;
use crate::pressure::{KINDS, Kind};
use crate::view::{Status, TrialNow, View};

/// At most so many running trials have a card; the others are counted.
const CARDS: usize = 200;

/// The parts before the figures, with the headings of their sections.
pub(super) const SECTIONS: [(&str, &str); 5] = [
    ("arms", "Arms"),
    ("running", "Running now"),
    ("causes", "Infra errors by cause"),
    ("host", "Host pressure"),
    ("ended", "Just ended"),
];

/// The window's heading.
pub(super) fn title(view: &View) -> String {
    let share = (view.done * 100).checked_div(view.planned).unwrap_or(0);
    format!("{share} % · {} · infranoise", view.plan.sweep)
}

/// Gives every part its place, so that the state comes first and figures last.
pub(super) fn reserve(maker: &mut Maker) {
    let sections = SECTIONS.iter().map(|(id, _)| *id);
    for id in std::iter::once("state").chain(sections).chain(["stamp"]) {
        maker.set(id, String::new());
    }
}

/// Sets every part but the figures.
pub(super) fn set(view: &View, maker: &mut Maker) {
    maker.set("state", state(view));
    maker.set("arms", arms(view));
    maker.set("running", running(view));
    maker.set("causes", causes(view));
    maker.set("host", host(view));
    maker.set("ended", ended(view));
    maker.set("stamp", stamp(view));
}

/// Sets the figures of an analysis: the same as in the report.
pub(super) fn figures(analysis: &Analysis, maker: &mut Maker) {
    // The verdict stands at the top in words.
    for spec in FIGURES.iter().filter(|spec| spec.id != "verdict") {
        let drawn = (spec.draw)(analysis);
        maker.set(&figure_part(spec.id), figure(&drawn));
    }
}

/// The name of a figure's part.
pub(super) fn figure_part(id: &str) -> String {
    format!("fig-{id}")
}

fn figure(figure: &Figure) -> String {
    let (title, question) = (escape::markup(figure.title), escape::markup(figure.question));
    let caption = escape::markup(&figure.caption);
    if figure.missing {
        return format!("<p class=\"absent\"><b>{title}</b> {question} <span>{caption}</span></p>");
    }
    let svg = scrolling(&format!("Figure: {}", figure.title), &figure.svg);
    let numbers = scrolling(&format!("Numbers: {}", figure.title), &figure.table.html());
    format!(
        "<figure><h3>{title}</h3><p class=\"q\">{question}</p>{svg}<figcaption>{caption}</figcaption>\
         <details><summary>The numbers of this figure</summary>{numbers}</details></figure>"
    )
}

/// A wide thing in a frame that scrolls by keyboard too.
pub(super) fn scrolling(label: &str, inside: &str) -> String {
    let label = escape::markup(label);
    format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">{inside}</div>")
}

fn state(view: &View) -> String {
    let plan = &view.plan;
    let kicker = format!("infranoise live · {} · {} on {}", plan.sweep, plan.subject, plan.engine);
    let complaints: String = view
        .complaints
        .iter()
        .map(|says| format!("<p class=\"complaint\">{}</p>", escape::markup(says)))
        .collect();
    let staged = match plan.staged {
        true => {
            "<p class=\"staged\">This is the bundled demonstration: real kills under real limits, in a mix of tasks that was composed. No model is measured.</p>"
        }
        false => "",
    };
    let says = view
        .status
        .sentence()
        .map(|says| format!("<p class=\"lead\">{}</p>", escape::markup(&words::sentence(&says))));
    let running = view.running.len() as u64;
    let keys: String = Shown::ALL
        .into_iter()
        .filter(|shown| view.count(*shown) > 0)
        .map(|shown| format!("<li>{} {}</li>", number::count(view.count(shown)), outcome(shown)))
        .collect();
    format!(
        "<p class=\"kicker\">{}</p><h1>{}</h1>{}{complaints}{staged}<div class=\"progress\">{}</div>\
         <ul class=\"key\">{keys}{}</ul>{}",
        escape::markup(&kicker),
        escape::markup(&headline(view)),
        says.unwrap_or_default(),
        draw::bar(&view.shown, running, view.planned, (760.0, 16.0), true),
        to_come(view),
        tiles(view)
    )
}

/// What is not recorded yet; nothing once all is.
fn to_come(view: &View) -> String {
    let (running, pending) = (view.running.len() as u64, view.pending());
    if running + pending == 0 {
        return String::new();
    }
    format!(
        "<li><span class=\"o run\"><i>▸</i> {} running</span></li><li class=\"muted\">{} pending</li>",
        number::count(running),
        number::count(pending)
    )
}

fn headline(view: &View) -> String {
    let counted = format!("{} of {} trials", number::count(view.done), number::count(view.planned));
    match &view.status {
        Status::Stopped(StopReason::Complete) => match &view.analysis {
            Some((analysis, _)) => words::sentence(&analysis.answer.headline),
            None => format!("Complete: {counted}"),
        },
        Status::Running => match view.left_ms {
            Some(left) => format!("{counted}, about {} left", time::duration(left)),
            None => format!("{counted} so far"),
        },
        other => format!("{}: {counted}", words::sentence(other.word())),
    }
}

/// An outcome with its sign.
pub(super) fn outcome(shown: Shown) -> String {
    let look = words::look(shown);
    format!("<span class=\"o {}\"><i>{}</i> {shown}</span>", look.class, look.sign)
}

fn tiles(view: &View) -> String {
    let recorded: u64 = view.shown.iter().sum();
    let started = recorded - view.count(Shown::NotStarted);
    let infra = view.count(Shown::Ceiling) + view.count(Shown::Fault);
    let share = |part: u64, of: u64| match of {
        0 => "no trial yet".to_owned(),
        _ => format!("{} %", number::percent(part as f64 / of as f64)),
    };
    let at_once = view
        .concurrency
        .filter(|n| *n < 100_000)
        .map(|n| format!(" · at most {n} at once"))
        .unwrap_or_default();
    let whole = recorded == view.planned;
    let mut tiles = vec![
        (
            if whole { "Infra errors" } else { "Infra errors so far" },
            share(infra, started),
            format!(
                "{} ceiling kills, {} faults in {} trials that started",
                view.count(Shown::Ceiling),
                view.count(Shown::Fault),
                started
            ),
        ),
        (
            if whole { "Coverage" } else { "Coverage so far" },
            share(started, recorded),
            "of recorded trials began their agent phase".to_owned(),
        ),
    ];
    if let Some(spent) = view.spent_ms {
        let label = if view.status.goes_on() { "Running for" } else { "Took" };
        let trials = number::plural(recorded, "trial");
        tiles.push((label, time::duration(spent), format!("{trials} recorded{at_once}")));
    }
    if let Some(reading) = view.pressure.now().or(view.pressure_in_records) {
        let value = format!("{} %", number::percent(reading.cpu));
        let detail = format!(
            "of the time some task waited; memory {} %, disk {} %",
            number::percent(reading.memory),
            number::percent(reading.io)
        );
        tiles.push(("Host CPU pressure", value, detail));
    }
    let items = tiles.iter().map(|(label, value, detail)| {
        format!(
            "<li><span>{label}</span><b>{}</b><span>{}</span></li>",
            escape::markup(value),
            escape::markup(detail)
        )
    });
    format!("<ul class=\"tiles\">{}</ul>", items.collect::<String>())
}

fn arms(view: &View) -> String {
    let mut head = String::from(
        "<table><thead><tr><th scope=col>arm</th><th scope=col>progress</th><th scope=col class=n>recorded</th><th scope=col class=n>running</th>",
    );
    for shown in Shown::ALL {
        head += &format!("<th scope=col class=n>{}</th>", words::look(shown).head);
    }
    head += "<th scope=col>infra errors, %</th><th scope=col>strict score, %</th></tr></thead><tbody>";
    let rows = view.arms.iter().map(|arm| {
        let counts: String = Shown::ALL
            .into_iter()
            .map(|shown| match arm.shown[shown as usize] {
                0 => "<td class=\"n zero\">0".to_owned(),
                n => format!("<td class=n>{}", number::count(n)),
            })
            .collect();
        let (infra, strict) = rates(view, &arm.name);
        format!(
            "<tr><th scope=row>{}<td>{}<td class=n>{} of {}<td class=n>{}{counts}<td>{}<td>{}",
            escape::markup(&arm.name),
            draw::bar(&arm.shown, arm.running, arm.planned, (150.0, 12.0), false),
            number::count(arm.done),
            number::count(arm.planned),
            number::count(arm.running),
            escape::markup(&infra),
            escape::markup(&strict)
        )
    });
    let table = head + &rows.collect::<String>() + "</tbody></table>";
    format!(
        "{}<p class=\"note\">In brackets: 95 % intervals, as of the last analysis. A strict score stands once its arm is whole: until then every pending trial would count as a fail.</p>",
        scrolling("Arms", &table)
    )
}

/// Infra-error rate and strict score of an arm, as of the last analysis.
fn rates(view: &View, arm: &str) -> (String, String) {
    let summary = view
        .analysis
        .as_ref()
        .and_then(|(analysis, _)| analysis.arms.iter().find(|s| s.name.as_str() == arm));
    let Some(summary) = summary else { return (String::new(), String::new()) };
    let strict = match summary.not_recorded {
        0 => words::score(summary.score(ScoringRule::Strict)),
        _ => "when whole".to_owned(),
    };
    (words::rate(&summary.infra_errors), strict)
}

fn running(view: &View) -> String {
    if view.running.is_empty() {
        return "<p class=\"muted\">No trial is in its sandbox.</p>".to_owned();
    }
    let cards: String = view.running.iter().take(CARDS).map(card).collect();
    let more = match view.running.len().saturating_sub(CARDS) {
        0 => String::new(),
        n => format!(
            "<p class=\"note\">And {} more; shown are those that have been running longest.</p>",
            number::count(n as u64)
        ),
    };
    format!(
        "<p class=\"note legend\"><span class=\"k-mem\"></span> memory beneath its ceiling (dashed) <span class=\"k-cpu\"></span> CPUs in use</p>\
         <ul class=\"cards\">{cards}</ul>{more}"
    )
}

/// The address of a trial's page, from the sweep's page.
pub(super) fn trial_link(key: &TrialKey) -> String {
    // Names are letters, digits and . _ - + @ ~: nothing of that needs escaping in a path.
    format!("t/{}", escape::markup(&key.folder()))
}

fn card(trial: &TrialNow) -> String {
    let key = &trial.key;
    let attempt =
        if trial.attempt.0 > 0 { format!(" · attempt {}", trial.attempt.0 + 1) } else { String::new() };
    let phase = trial.phase.map_or("waits".to_owned(), |(phase, _)| phase.to_string());
    let near = if trial.share().is_some_and(|share| share > 0.9) { " near" } else { "" };
    let picture = match &trial.curve {
        Some(curve) => draw::curve(curve, trial.ceiling_bytes, trial.ceiling_millicpu, draw::SMALL),
        None => "<div class=\"curve none\">no samples yet</div>".to_owned(),
    };
    format!(
        "<li class=\"card{near}\"><a href=\"{}\"><b>{}</b> <span>{} · #{}{attempt}</span></a><p>{phase} · {}</p>{picture}<p class=\"use\">{}</p></li>",
        trial_link(key),
        escape::markup(key.task.as_str()),
        escape::markup(key.arm.as_str()),
        key.repeat,
        age(trial.for_ms),
        escape::markup(&usage(trial))
    )
}

/// How long something has been going on, in whole seconds.
pub(super) fn age(ms: u64) -> String {
    match ms {
        0..1_000 => "less than a second".to_owned(),
        1_000..60_000 => format!("{} s", ms / 1_000),
        _ => time::duration(ms),
    }
}

/// What a running trial uses now, in words.
pub(super) fn usage(trial: &TrialNow) -> String {
    let Some(curve) = &trial.curve else {
        return trial
            .ceiling_bytes
            .map_or("no ceiling".to_owned(), |bytes| format!("ceiling {}", Bytes(bytes)));
    };
    let of = trial.ceiling_bytes.map_or(", no ceiling".to_owned(), |bytes| format!(" of {}", Bytes(bytes)));
    let now = curve.last().map_or(0, |point| point.memory_bytes);
    let cpus = curve.cpus_now().map(|cpus| format!(" · {} CPU", number::fixed(cpus, 2))).unwrap_or_default();
    format!("{}{of}{cpus}", number::bytes(now))
}

fn causes(view: &View) -> String {
    if view.causes.is_empty() {
        return "<p class=\"muted\">None so far.</p>".to_owned();
    }
    let mut table = Table::new(&["cause", ">all arms"]);
    for arm in &view.arms {
        table.column(&arm.name, infranoise_report::table::Align::Right);
    }
    for cause in &view.causes {
        let look = words::look(cause.shown);
        let name = format!("{} {}", look.sign, crate::watch::cause_words(cause));
        let counts = cause.by_arm.iter().map(|n| number::count(*n));
        table.push([name, number::count(cause.count())].into_iter().chain(counts));
    }
    scrolling("Infra errors by cause and arm", &table.html())
}

fn host(view: &View) -> String {
    let here = view.pressure.now();
    let Some(reading) = here.or(view.pressure_in_records) else {
        return "<p class=\"muted\">Pressure is not counted where this sweep runs.</p>".to_owned();
    };
    let row = |kind: Kind| {
        let shares: Vec<f64> = view.pressure.readings().map(kind.of).collect();
        let label =
            format!("Share of the time in which some task waited for {}, last two minutes", kind.what);
        let line = if shares.is_empty() { String::new() } else { draw::spark(&shares, &label) };
        let value = number::percent((kind.of)(&reading));
        format!("<li><span>{}</span><b>{value} %</b>{line}</li>", kind.name)
    };
    let rows: String = KINDS.into_iter().map(row).collect();
    let note = match here {
        Some(_) => {
            "Share of the last ten seconds in which some task on this host waited; the lines are the last two minutes."
        }
        None => "As the last finished trials met it: the sweep runs elsewhere, or no longer.",
    };
    format!("<ul class=\"meters\">{rows}</ul><p class=\"note\">{note}</p>")
}

fn ended(view: &View) -> String {
    if view.ended.is_empty() {
        return "<p class=\"muted\">No trial is recorded yet.</p>".to_owned();
    }
    let rows = view.ended.iter().map(|trial| {
        let key = &trial.key;
        let attempt = if trial.attempt.0 > 0 { format!(" (attempt {})", trial.attempt.0 + 1) } else { String::new() };
        format!(
            "<tr><th scope=row><a href=\"{}\">{}</a><td>{}<td class=n>{}{attempt}<td>{}<td>{}<td class=n>{}<td class=n>{}",
            trial_link(key),
            escape::markup(key.task.as_str()),
            escape::markup(key.arm.as_str()),
            key.repeat,
            outcome(trial.shown),
            escape::markup(&trial.says),
            time::duration(trial.wall_ms),
            trial.peak_bytes.map(number::bytes).unwrap_or_default()
        )
    });
    let head = "<table><thead><tr><th scope=col>task</th><th scope=col>arm</th><th scope=col class=n>repeat</th><th scope=col>outcome</th>\
                <th scope=col>cause</th><th scope=col class=n>took</th><th scope=col class=n>memory peak</th></tr></thead><tbody>";
    scrolling("Trials that ended last", &format!("{head}{}</tbody></table>", rows.collect::<String>()))
}

fn stamp(view: &View) -> String {
    let Some((analysis, at_ms)) = &view.analysis else {
        return "<p class=\"note\">The first analysis is under way.</p>".to_owned();
    };
    let about = &analysis.about;
    let whole = about.recorded == about.planned;
    let note = match whole {
        true => "of all planned trials",
        false => "of the trials recorded so far: an arm that is not whole is not yet an answer",
    };
    format!(
        "<p class=\"note\">As of {}, {} {note}. <a href=\"report.html\">The whole report</a> · <a href=\"analysis.json\">its numbers as JSON</a></p>",
        clock(*at_ms),
        number::plural(about.recorded, "trial")
    )
}

/// A moment of the day in UTC.
fn clock(ms: u64) -> String {
    let seconds = ms / 1000 % 86_400;
    format!("{:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
