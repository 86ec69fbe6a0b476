//! How long the disk takes to make one small write durable.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::statistics::median;

const WRITES: u64 = 500;
const BLOCK_BYTES: usize = 4096;
/// Faster than any disk: what is measured is memory.
const IMPLAUSIBLE: Duration = Duration::from_micros(10);

/// The median time of a 4 KiB write with `fdatasync` in `folder`, over 500 of them.
pub(crate) fn commit_time(folder: &Path) -> anyhow::Result<Duration> {
    let path = folder.join("fdatasync");
    let file = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
    let block = [0x5a_u8; BLOCK_BYTES];
    let mut times = Vec::new();
    for number in 0..WRITES {
        let began = Instant::now();
        file.write_all_at(&block, number * BLOCK_BYTES as u64)?;
        file.sync_data()?;
        times.push(began.elapsed().as_secs_f64());
    }
    std::fs::remove_file(&path)?;
    let median = Duration::from_secs_f64(median(&times).unwrap_or_default());
    if median < IMPLAUSIBLE {
        eprintln!("bench: {} is not on a disk; set TMPDIR to a folder that is", folder.display());
    }
    Ok(median)
}
