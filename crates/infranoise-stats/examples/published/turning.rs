//! Is the turning point at 3x established by the published totals?

use infranoise_stats::special::normal;

const TASKS: f64 = 89.0;

pub fn print() {
    println!("\n### The turning point at 3x\n");
    println!(
        "Success rises by 3.9 points from 3x to uncapped while infra errors fall by 1.6: agent failures fall by 2.3. With ten repeats:\n"
    );
    println!("| change, 3x to uncapped | SE, pooled | p | SE, these tasks (rho 0.6) | p |");
    println!("|:--|--:|--:|--:|--:|");
    // Success around 0.60; agent failures around 0.38.
    row("success +3.9 (two-sided)", 3.9, 0.60, 2.0);
    row("agent failures -2.3 (one-sided)", 2.3, 0.38, 1.0);
    println!(
        "\nThe rise itself is likely; that agent failures fall, which is what a turning point means, is not established by the totals."
    );
    println!(
        "\nOn the totals, 1x to 3x: noise removed (5.8 - 2.1) q = 2.1 to 2.3 points at q of 0.56 to 0.61, newly solved -0.1 to -0.3, agent failures +1.7: what one expects if killed trials pass like the others. That most of them were doomed cannot be read from totals."
    );
}

fn row(what: &str, change_pp: f64, rate: f64, sides: f64) {
    const REPEATS: f64 = 10.0;
    const RHO: f64 = 0.6;
    let variance = 2.0 * rate * (1.0 - rate) / (TASKS * REPEATS);
    let pooled = 100.0 * variance.sqrt();
    let seed = 100.0 * (variance * (1.0 - RHO)).sqrt();
    let p = |se: f64| sides * normal::sf(change_pp / se);
    println!("| {what} | {pooled:.2} | {:.2} | {seed:.2} | {:.3} |", p(pooled), p(seed));
}
