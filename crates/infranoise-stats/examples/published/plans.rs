//! What can be detected, and the noise floor of a leaderboard.

use infranoise_stats::Result;
use infranoise_stats::noise_floor::{LeaderboardRow, RowNoise, noise_floor};
use infranoise_stats::power::{Errors, Noise, mde};

pub fn print() -> Result<()> {
    println!("\n### Smallest detectable effect\n");
    println!("In points, power 80 %, two-sided 5 %, rho = 0.6.\n");
    let repeats = [1, 3, 5, 10, 20, 40];
    println!("| tasks | score | claim | {} |", repeats.map(|k| format!("k = {k}")).join(" | "));
    println!("|--:|--:|:--|{}", "--:|".repeat(repeats.len()));
    for (tasks, score, sd, claim) in [
        (89, 0.6, 0.0, "these tasks"),
        (89, 0.6, 0.10, "unseen tasks, effect sd 10 points"),
        (227, 0.7, 0.0, "these tasks"),
    ] {
        let noise = Noise { var_seed: score * (1.0 - score) * 0.4, var_delta: sd * sd };
        let cells: Vec<String> = repeats
            .iter()
            .map(|&k| Ok(format!("{:.1}", 100.0 * mde(tasks, k, noise, Errors::default())?.effect)))
            .collect::<Result<_>>()?;
        println!("| {tasks} | {score} | {claim} | {} |", cells.join(" | "));
    }
    floors()
}

fn floors() -> Result<()> {
    println!("\n### Noise floor of two leaderboard rows\n");
    println!("In points, 95 %, score 0.75, rho = 0.6. The infra shifts are assumptions from one article.\n");
    println!("| tasks | k | claim | matched (0) | within 1x to 3x (2 points) | unknown (6 points) |");
    println!("|--:|--:|:--|--:|--:|--:|");
    for (tasks, repeats, correlation) in
        [(89, 1, None), (89, 5, None), (89, 10, None), (89, 5, Some(0.8)), (500, 1, None)]
    {
        let row = LeaderboardRow { score: 0.75, repeats };
        let noise = RowNoise { tasks, rho: 0.6, task_correlation: correlation, extra_variance: 0.0 };
        let floor = |shift| Ok(format!("{:.1}", 100.0 * noise_floor(row, row, noise, shift, 0.95)?.floor));
        let claim = if correlation.is_some() { "unseen tasks (r = 0.8)" } else { "these tasks" };
        let cells: Result<Vec<String>> = [0.0, 0.02, 0.06].into_iter().map(floor).collect();
        println!("| {tasks} | {repeats} | {claim} | {} |", cells?.join(" | "));
    }
    Ok(())
}
