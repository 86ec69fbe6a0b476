//! The results as Markdown.

use std::fmt::Write;
use std::time::Duration;

use crate::benchmark::Plan;
use crate::benchmark::line::Line;

const HEADER: &str = "\
| what | database | /s | p50 ms | p99 ms | p99.9 ms | limit | ratio: median (min–max) | goal | met | \
server µs | database µs | generator µs | server MiB |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// The table with what is needed to repeat it.
pub(crate) fn render(lines: &[Line], plan: &Plan, notes: &[String]) -> String {
    let mut text = HEADER.to_owned();
    for line in lines {
        text.push_str(&row(line));
    }
    let command: Vec<String> = std::env::args().skip(1).collect();
    let Plan { rounds, seconds, products, .. } = plan;
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\n`bench {}`: {rounds} rounds of {seconds} s after a warm-up, {products} products. \
         Processor time is per answer. {}.\n",
        command.join(" "),
        notes.join(". ")
    );
    for line in lines.iter().filter(|line| !line.is_sound()) {
        let Line { what, database, errors, replays, .. } = line;
        let _ = writeln!(
            text,
            "\n**{what} on {database}: {errors} wrong answers, {replays} fresh keys replayed.**"
        );
    }
    text
}

fn row(line: &Line) -> String {
    let latency = |index: usize| {
        let found = line.latencies.as_ref().and_then(|latencies| latencies.get(index));
        found.map(|latency| milliseconds(*latency))
    };
    let cells = [
        Some(line.what.clone()),
        Some(line.database.to_owned()),
        line.rate.map(grouped),
        latency(0),
        latency(1),
        latency(2),
        line.limit.clone(),
        line.value.map(|value| match line.unit {
            "" => value.to_string(),
            unit => format!("{value:.1} {unit}"),
        }),
        line.goal.map(|goal| format!("{goal} {}", line.unit).trim_end().to_owned()),
        line.meets_goal().map(|met| if met { "yes" } else { "**no**" }.to_owned()),
        line.server_micros.map(|micros| format!("{micros:.1}")),
        line.database_micros.map(|micros| format!("{micros:.1}")),
        line.generator_micros.map(|micros| format!("{micros:.1}")),
        line.memory_mib.map(|mib| format!("{mib:.1}")),
    ];
    let cells = cells.map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
    format!("| {} |\n", cells.join(" | "))
}

fn milliseconds(latency: Duration) -> String {
    format!("{:.2}", latency.as_secs_f64() * 1e3)
}

/// A whole number with its thousands set apart.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::line::Goal;
    use crate::statistics::Spread;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(7.4), "7");
        assert_eq!(grouped(123_456.0), "123,456");
        assert_eq!(grouped(1_234.5), "1,234");
    }

    #[test]
    fn what_does_not_apply_is_a_dash() {
        let value = Spread::of(&[41.0, 40.0, 45.5]);
        let line = Line::absolute("cold start", "SQLite", value, "ms", Goal::AtMost(100.0));
        assert_eq!(
            row(&line),
            "| cold start | SQLite | – | – | – | – | – | 41.0 (40.0–45.5) ms | ≤ 100 ms | yes \
             | – | – | – | – |\n"
        );
    }
}
