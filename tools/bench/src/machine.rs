//! What the results were measured on.

use std::time::Duration;

/// One sentence about the machine: its cores, their name, and what its disk commits.
pub(crate) fn description(commit_time: Duration) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor_model(&processors).unwrap_or("unknown processor");
    let micros = commit_time.as_micros();
    let rate = 1.0 / commit_time.as_secs_f64().max(1e-9);
    format!("{cores} cores ({model}); fdatasync of 4 KiB: {micros} µs, {rate:.0} commits/s")
}

fn processor_model(processors: &str) -> Option<&str> {
    let line = processors.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

#[cfg(test)]
mod tests {
    use super::processor_model;

    #[test]
    fn the_model_is_the_first_processors() {
        let text = "processor\t: 0\nmodel name\t: Fast One @ 3GHz\nmodel name\t: Other\n";
        assert_eq!(processor_model(text), Some("Fast One @ 3GHz"));
        assert_eq!(processor_model("processor: 0\n"), None);
    }
}
