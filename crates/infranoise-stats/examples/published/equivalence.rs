//! "Within noise from 1x to 3x (p = 0.40)": what does it say?

use infranoise_stats::Result;
use infranoise_stats::power::{Errors, Noise, required_k_equivalence};
use infranoise_stats::special::normal;

/// Points of success from 1x to 3x: the total of +6 less "almost 4".
const LIFTS_PP: [f64; 2] = [1.9, 2.0];
const P: f64 = 0.40;
const MARGIN_PP: f64 = 3.0;

pub fn print() -> Result<()> {
    println!("\n### 1x to 3x: p = 0.40 is not equivalence\n");
    println!("| lift in points | implied SE | 90 % interval | TOST at ±3 points | TOST at ±5 points |");
    println!("|--:|--:|:--|--:|--:|");
    for lift in LIFTS_PP {
        let se = lift / normal::quantile(1.0 - P / 2.0);
        let half = normal::quantile(0.95) * se;
        let tost = |margin: f64| normal::sf((margin - lift) / se);
        println!(
            "| {lift} | {se:.2} | {:.1} … {:+.1} | {:.2} | {:.3} |",
            lift - half,
            lift + half,
            tost(MARGIN_PP),
            tost(5.0)
        );
    }
    let need = |var_seed: f64, difference: f64| -> Result<String> {
        let noise = Noise { var_seed, var_delta: 0.0 };
        let errors = Errors { alpha: 0.05, power: 0.8 };
        Ok(required_k_equivalence(89, MARGIN_PP / 100.0, difference, noise, errors)?
            .map_or("none".to_owned(), |k| k.to_string()))
    };
    println!(
        "\nRepeats of 89 tasks that show equivalence within 3 points (power 80 %), at rho = 0.6 and 0.5: no true difference {} and {}; a true difference of one point {} and {}.",
        need(0.096, 0.0)?,
        need(0.12, 0.0)?,
        need(0.096, 0.01)?,
        need(0.12, 0.01)?
    );
    Ok(())
}
