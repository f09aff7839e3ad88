//! Looking before the end.

use crate::simulation::{Dice, Tally, shifted};
use infranoise_stats::difference::paired_task_t;
use infranoise_stats::sequential::{DiscordantEvidence, cs_discordant, e_value_discordant, gs_bounds};
use infranoise_stats::special::normal;
use infranoise_stats::{Cell, Pair};

const ROUNDS: u32 = 10;
const EVERY: u32 = 2;

pub fn print(experiments: u32) {
    println!(
        "\n**Ten rounds, a look after every second** (k = 10 at the end): stopped with a claim, in percent, and mean rounds\n"
    );
    println!(
        "| T | odds ratio | gs_bounds | rounds | e-value | plain p at each look (not to be used) | sequence misses |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for tasks in [10, 30, 89, 227] {
        for (log_odds, name) in [(0.0, "1"), (0.7, "2")] {
            row(experiments, tasks, log_odds, name);
        }
    }
}

fn row(experiments: u32, tasks: usize, log_odds: f64, name: &str) {
    let looks: Vec<f64> =
        (1..=ROUNDS / EVERY).map(|look| f64::from(look * EVERY) / f64::from(ROUNDS)).collect();
    let critical = gs_bounds(&looks, 0.05).expect("a valid design").critical;
    let mut dice = Dice::new(30 ^ (tasks as u64) << 8 ^ (log_odds * 10.0) as u64);
    let [mut planned, mut evidence, mut naive, mut missed] = [Tally::default(); 4];
    let mut rounds = 0;
    for _ in 0..experiments {
        let path = Path::new(&mut dice, tasks, log_odds);
        let claim = path.z.iter().zip(&critical).position(|(z, critical)| z.abs() > *critical);
        planned.count(claim.is_some());
        rounds += claim.map_or(ROUNDS, |look| (look as u32 + 1) * EVERY);
        evidence.count(path.evidence.iter().any(|&e| e_value_discordant(e).is_ok_and(|e| e >= 20_f64.ln())));
        naive.count(path.z.iter().any(|z| z.abs() > 1.96));
        let out = |e: &DiscordantEvidence| cs_discordant(*e, 0.05).is_ok_and(|s| !s.contains(path.share));
        missed.count(path.evidence.iter().any(out));
    }
    let mean = f64::from(rounds) / f64::from(experiments);
    println!("| {tasks} | {name} | {planned} | {mean:.1} | {evidence} | {naive} | {missed} |");
}

/// The looks of one experiment.
struct Path {
    z: Vec<f64>,
    evidence: Vec<DiscordantEvidence>,
    /// The true share of discordant pairs that favour B.
    share: f64,
}

impl Path {
    fn new(dice: &mut Dice, tasks: usize, log_odds: f64) -> Self {
        let a = dice.rates(tasks, 0.6, 0.6);
        let b: Vec<f64> = a.iter().map(|&rate| shifted(rate, log_odds)).collect();
        let for_b: f64 = a.iter().zip(&b).map(|(a, b)| (1.0 - a) * b).sum();
        let against_b: f64 = a.iter().zip(&b).map(|(a, b)| a * (1.0 - b)).sum();
        let share = for_b / (for_b + against_b);
        let mut counts = vec![(0, 0); tasks];
        let mut now = DiscordantEvidence::new(0, 0);
        let mut path = Self { z: Vec::new(), evidence: Vec::new(), share };
        for round in 1..=ROUNDS {
            for (task, count) in counts.iter_mut().enumerate() {
                let (hit_a, hit_b) = (dice.chance(a[task]), dice.chance(b[task]));
                count.0 += u32::from(hit_a);
                count.1 += u32::from(hit_b);
                now.for_b += u64::from(hit_b && !hit_a);
                now.against_b += u64::from(hit_a && !hit_b);
            }
            if round.is_multiple_of(EVERY) {
                path.z.push(z(&counts, round));
                path.evidence.push(now);
            }
        }
        path
    }
}

/// The paired t, turned into z by its p-value.
fn z(counts: &[(u32, u32)], trials: u32) -> f64 {
    let cell = |hits| Cell::try_new(hits, trials).expect("hits <= trials");
    let pairs: Vec<Pair> = counts.iter().map(|&(a, b)| Pair { a: cell(a), b: cell(b) }).collect();
    paired_task_t(&pairs, 0.95).map_or(0.0, |test| -normal::quantile(test.p / 2.0))
}
