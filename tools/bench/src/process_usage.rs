//! Processor time and memory of running processes, as `/proc` tells them.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

/// Linux reports process times in hundredths of a second on every architecture it runs on here.
const TICK: Duration = Duration::from_millis(10);

/// Resident memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) resident_kib: u64,
    pub(crate) peak_kib: u64,
}

/// Processor time that a process has used so far, its finished threads included.
pub(crate) fn processor_time(pid: u32) -> anyhow::Result<Duration> {
    Ok(read_stat(pid)?.own_time())
}

/// Processor time of the PostgreSQL server whose data folder this is, over all its processes.
pub(crate) fn postgres_processor_time(data: &Path) -> anyhow::Result<Duration> {
    let pid_file = data.join("postmaster.pid");
    let text = std::fs::read_to_string(&pid_file)
        .with_context(|| format!("reading {}", pid_file.display()))?;
    let postmaster: u32 =
        text.lines().next().unwrap_or_default().trim().parse().context("postmaster.pid")?;
    let stats = all_stats()?;
    let family = family_of(postmaster, &stats);
    let living = family.iter().filter_map(|pid| stats.get(pid)).map(Stat::own_time);
    // Backends that have gone count in what the postmaster has waited for.
    let gone = stats.get(&postmaster).map_or(Duration::ZERO, |stat| ticks(stat.waited_ticks));
    Ok(living.sum::<Duration>() + gone)
}

/// Resident and peak memory of a process.
pub(crate) fn memory(pid: u32) -> anyhow::Result<Memory> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    parse_memory(&text).context("no memory lines in /proc/PID/status")
}

/// The fields of `/proc/PID/stat` that matter here.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
    used_ticks: u64,
    waited_ticks: u64,
}

impl Stat {
    fn own_time(&self) -> Duration {
        ticks(self.used_ticks)
    }
}

fn ticks(count: u64) -> Duration {
    TICK * u32::try_from(count).unwrap_or(u32::MAX)
}

fn read_stat(pid: u32) -> anyhow::Result<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    parse_stat(&text).context("unexpected /proc/PID/stat")
}

fn all_stats() -> anyhow::Result<HashMap<u32, Stat>> {
    let mut stats = HashMap::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        // A process may end between the listing and the look.
        if let Ok(stat) = read_stat(pid) {
            stats.insert(pid, stat);
        }
    }
    Ok(stats)
}

fn parse_stat(text: &str) -> Option<Stat> {
    // The command's name may hold spaces and parentheses: the fields start after the last one.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        used_ticks: number(11)? + number(12)?,
        waited_ticks: number(13)? + number(14)?,
    })
}

fn parse_memory(status: &str) -> Option<Memory> {
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').split_whitespace().next()?.parse().ok()
    };
    Some(Memory { resident_kib: kib("VmRSS")?, peak_kib: kib("VmHWM")? })
}

fn family_of(root: u32, stats: &HashMap<u32, Stat>) -> HashSet<u32> {
    let mut family = HashSet::from([root]);
    loop {
        let before = family.len();
        let children = stats.iter().filter(|(_, stat)| family.contains(&stat.parent));
        let children: Vec<u32> = children.map(|(pid, _)| *pid).collect();
        family.extend(children);
        if family.len() == before {
            return family;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_read_after_the_name() {
        let text = "42 (odd) name)) S 7 42 42 0 -1 4194304 1 0 0 0 150 50 30 10 20 0 5 0 100";
        let expected = Stat { parent: 7, used_ticks: 200, waited_ticks: 40 };
        assert_eq!(parse_stat(text), Some(expected));
        assert_eq!(parse_stat("nonsense"), None);
    }

    #[test]
    fn memory_is_read_in_kib() {
        let text = "Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\n";
        assert_eq!(parse_memory(text), Some(Memory { resident_kib: 1024, peak_kib: 2048 }));
    }

    #[test]
    fn a_family_includes_grandchildren() {
        let stat = |parent| Stat { parent, used_ticks: 0, waited_ticks: 0 };
        let stats = HashMap::from([(2, stat(1)), (3, stat(2)), (4, stat(3)), (5, stat(1))]);
        assert_eq!(family_of(2, &stats), HashSet::from([2, 3, 4]));
    }

    #[test]
    fn this_process_has_used_memory_and_time() {
        let memory = memory(std::process::id()).unwrap();
        assert!(memory.resident_kib > 0 && memory.peak_kib >= memory.resident_kib / 2);
        processor_time(std::process::id()).unwrap();
    }
}
