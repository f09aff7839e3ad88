//! Which number of repeats makes the three p-values of Terminal-Bench 2.0?

use crate::simulation::{Dice, mean, shifted};
use infranoise_stats::difference::{cmh, paired_task_t};
use infranoise_stats::special::normal;
use infranoise_stats::{Pair, Result};

const TASKS: usize = 89;
const EXPERIMENTS: u32 = 3_000;

/// One published claim: true rates per task in both arms, and the difference that was observed.
struct Claim {
    name: &'static str,
    draw: fn(&mut Dice) -> (Vec<f64>, Vec<f64>),
    observed: f64,
}

const CLAIMS: [Claim; 3] = [
    Claim { name: "infra 5.8 → 2.1 %", draw: infra, observed: -0.037 },
    Claim { name: "success +6", draw: |dice| success(dice, 0.06), observed: 0.06 },
    Claim { name: "success +2", draw: |dice| success(dice, 0.02), observed: 0.02 },
];

/// Infra errors on few tasks, the same ones in both arms.
fn infra(dice: &mut Dice) -> (Vec<f64>, Vec<f64>) {
    let a = dice.rates(TASKS, 0.058, 0.3);
    let b = a.iter().map(|rate| rate * 0.021 / 0.058).collect();
    (a, b)
}

/// Task rates around 0.6 with rho = 0.6, moved on the logit scale (by amounts with sd 0.7, as agents change course)
/// so that they rise by `effect` on average.
fn success(dice: &mut Dice, effect: f64) -> (Vec<f64>, Vec<f64>) {
    let a = dice.rates(TASKS, 0.6 - effect / 2.0, 0.6);
    let own: Vec<f64> = a.iter().map(|_| 0.7 * dice.normal()).collect();
    let moved = |logits: f64| -> Vec<f64> {
        a.iter().zip(&own).map(|(&rate, own)| shifted(rate, logits + own)).collect()
    };
    let missing = |logits: f64| mean(&moved(logits)) - mean(&a) - effect;
    let logits = infranoise_stats::root::find_root(missing, -20.0, 20.0).unwrap_or(0.0);
    let b = moved(logits);
    (a, b)
}

pub fn print() -> Result<()> {
    println!("\n### Terminal-Bench 2.0: three p-values\n");
    println!(
        "Median p-values over {EXPERIMENTS} simulated experiments of 89 tasks, among those that show the published difference (to one trial): pooled z / CMH / paired t.\n"
    );
    println!("| k | {} |", CLAIMS.map(|claim| claim.name).join(" | "));
    println!("|--:|:--|:--|:--|");
    for repeats in [3, 5, 6, 8, 10, 12, 15] {
        let cells: Vec<String> = CLAIMS.iter().map(|claim| medians(claim, repeats)).collect();
        println!("| {repeats} | {} |", cells.join(" | "));
    }
    println!(
        "\nPublished: p < 0.001, p < 0.01, p = 0.40. All three fit a pooled z with k of 10 to 12, or a test stratified by task with k of 5 to 6; a paired t fits no single k."
    );
    Ok(())
}

fn medians(claim: &Claim, repeats: u32) -> String {
    let mut dice = Dice::new(50 + u64::from(repeats));
    let mut p_values: [Vec<f64>; 3] = Default::default();
    let trials = TASKS as f64 * f64::from(repeats);
    for _ in 0..EXPERIMENTS {
        let (a, b) = (claim.draw)(&mut dice);
        let pairs = dice.pairs(&a, &b, repeats);
        let shown = pairs.iter().filter_map(|pair| pair.difference()).sum::<f64>() / TASKS as f64;
        if ((shown - claim.observed) * trials).abs() > 1.0 {
            continue;
        }
        let tests = [
            Some(pooled_z_p(&pairs)),
            cmh(&pairs, 0.95).ok().map(|t| t.p),
            paired_task_t(&pairs, 0.95).ok().map(|t| t.p),
        ];
        p_values.iter_mut().zip(tests).for_each(|(list, p)| list.extend(p));
    }
    p_values.map(|list| short(median(list))).join(" / ")
}

/// The pooled two-proportion z: for contrast, it takes all trials as independent.
fn pooled_z_p(pairs: &[Pair]) -> f64 {
    let sum = |of: fn(&Pair) -> u32| pairs.iter().map(of).map(f64::from).sum::<f64>();
    let (x_a, n_a) = (sum(|pair| pair.a.hits()), sum(|pair| pair.a.trials()));
    let (x_b, n_b) = (sum(|pair| pair.b.hits()), sum(|pair| pair.b.trials()));
    let rate = (x_a + x_b) / (n_a + n_b);
    let se = (rate * (1.0 - rate) * (1.0 / n_a + 1.0 / n_b)).sqrt();
    normal::two_sided((x_b / n_b - x_a / n_a) / se)
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Two significant digits.
pub fn short(p: f64) -> String {
    if p >= 0.095 {
        format!("{p:.2}")
    } else if p >= 0.001 {
        let digits = (1 - p.log10().floor() as i32) as usize;
        format!("{p:.digits$}")
    } else {
        format!("{p:.0e}")
    }
}
