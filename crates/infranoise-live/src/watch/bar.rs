//! Bars made of characters: what stands in each cell tells the outcome, with or without colour.

use infranoise_core::Shown;
use ratatui::text::Span;

use super::Paint;

/// The character of an outcome in a bar.
pub(super) fn sign(shown: Shown) -> char {
    match shown {
        Shown::Pass => '█',
        Shown::Fail => '░',
        Shown::Ceiling => '▲',
        Shown::Fault => '✕',
        Shown::Undetermined => '?',
        Shown::NotStarted => '○',
    }
}

const RUNNING: char = '▸';
const PENDING: char = '·';

/// A bar over planned trials: outcomes, then running, then pending. Whatever occurs gets at least one cell, if there is room.
pub(super) fn stacked(
    shown: &[u64; Shown::ALL.len()],
    running: u64,
    planned: u64,
    width: usize,
    paint: Paint,
) -> Vec<Span<'static>> {
    let done: u64 = shown.iter().sum();
    let pending = planned.saturating_sub(done + running);
    let mut parts: Vec<u64> = shown.to_vec();
    parts.extend([running, pending]);
    let cells = share_out(&parts, width);
    let mut spans: Vec<Span<'static>> = Shown::ALL
        .iter()
        .zip(&cells)
        .map(|(shown, cells)| Span::styled(sign(*shown).to_string().repeat(*cells), paint.outcome(*shown)))
        .collect();
    let [running, pending] = [cells[Shown::ALL.len()], cells[Shown::ALL.len() + 1]];
    spans.push(Span::raw(RUNNING.to_string().repeat(running)));
    spans.push(Span::styled(PENDING.to_string().repeat(pending), paint.dim()));
    spans
}

/// Shares cells out in proportion; what occurs gets at least one where there is room, taken from the largest.
fn share_out(parts: &[u64], width: usize) -> Vec<usize> {
    let total: u64 = parts.iter().sum();
    if total == 0 || width == 0 {
        return vec![0; parts.len()];
    }
    let exact = |part: &u64| *part as f64 / total as f64 * width as f64;
    let mut cells: Vec<usize> =
        parts.iter().map(|part| if *part == 0 { 0 } else { (exact(part) as usize).max(1) }).collect();
    loop {
        let sum: usize = cells.iter().sum();
        if sum == width {
            return cells;
        }
        // Whoever is furthest from its share gives or takes one; the last cell is given last.
        let over = |place: &usize| cells[*place] as f64 - exact(&parts[*place]);
        let furthest = |least: usize| {
            (0..parts.len()).filter(|place| cells[*place] > least).max_by(|a, b| over(a).total_cmp(&over(b)))
        };
        let place = if sum > width {
            furthest(1).or_else(|| furthest(0))
        } else {
            (0..parts.len()).filter(|place| parts[*place] > 0).min_by(|a, b| over(a).total_cmp(&over(b)))
        };
        match place {
            Some(place) if sum > width => cells[place] -= 1,
            Some(place) => cells[place] += 1,
            None => return cells,
        }
    }
}

/// A curve in one line of blocks: the last values, each against `most`.
pub(super) fn spark(values: &[f64], most: f64, width: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if values.is_empty() || most <= 0.0 {
        return String::new();
    }
    let cells = values.len().min(width);
    (0..cells)
        .map(|cell| {
            let (from, to) = (cell * values.len() / cells, (cell + 1) * values.len() / cells);
            let highest = values[from..to.max(from + 1)].iter().copied().fold(0.0, f64::max);
            BLOCKS[((highest / most * 8.0) as usize).min(7)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_add_up_and_nothing_that_occurs_is_hidden() {
        let cases: [(&[u64], usize, &[usize]); 6] = [
            (&[1, 1], 10, &[5, 5]),
            (&[1, 999], 10, &[1, 9]),
            (&[1, 1, 1, 997], 10, &[1, 1, 1, 7]),
            (&[0, 0], 5, &[0, 0]),
            (&[5, 5, 5], 2, &[0, 1, 1]),
            (&[3, 0], 0, &[0, 0]),
        ];
        for (parts, width, expected) in cases {
            let cells = share_out(parts, width);
            let sum: usize = cells.iter().sum();
            let full: usize = expected.iter().sum();
            assert_eq!(sum, full, "{parts:?}");
            if width >= parts.iter().filter(|part| **part > 0).count() {
                assert_eq!(cells, expected, "{parts:?}");
            }
        }
    }

    #[test]
    fn a_spark_keeps_its_peak() {
        assert_eq!(spark(&[0.0, 1.0, 0.5], 1.0, 3), "▁█▅");
        let mut long = vec![0.0; 100];
        long[50] = 1.0;
        assert_eq!(spark(&long, 1.0, 10), "▁▁▁▁▁█▁▁▁▁");
        assert_eq!(spark(&[], 1.0, 5), "");
        assert_eq!(spark(&[9.0], 1.0, 5), "█", "above its limit");
    }
}
