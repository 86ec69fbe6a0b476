//! How the private server is configured.

use std::path::{Path, PathBuf};

use crate::scratch::quick_place;

/// Whether what the server acknowledges survives a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Durability {
    /// For tests: nothing waits for the disk.
    None,
    /// For measurements and chaos: as a merchant's server would run.
    Full,
}

impl Durability {
    /// The folder to make the cluster in.
    pub(super) fn base_dir(self) -> PathBuf {
        // A /tmp in memory would make fsync free, and the measurement wrong.
        let on_disk = Path::new("/var/tmp");
        match self {
            Durability::Full if on_disk.is_dir() => on_disk.to_path_buf(),
            _ => quick_place(),
        }
    }
}

const COMMON: &[(&str, &str)] = &[
    ("listen_addresses", "127.0.0.1"),
    ("max_connections", "300"),
    // Lines of a failed start are read by people.
    ("log_line_prefix", "%t [%p] "),
];

const FOR_TESTS: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("shared_buffers", "128MB"),
    // The log is kept in memory, too.
    ("max_wal_size", "256MB"),
    // A test's database is gone before anything could be gained by it.
    ("autovacuum", "off"),
    // Nobody reads what the server counts, and every session would hand it in at its end.
    ("track_counts", "off"),
    ("update_process_title", "off"),
];

const DURABLE: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("shared_buffers", "512MB"),
    ("max_wal_size", "2GB"),
];

/// The text of the cluster's configuration file.
pub(super) fn configuration(durability: Durability, socket_dir: &Path) -> String {
    let special = match durability {
        Durability::None => FOR_TESTS,
        Durability::Full => DURABLE,
    };
    let settings = COMMON.iter().chain(special);
    let lines: String = settings.map(|(name, value)| format!("{name} = '{value}'\n")).collect();
    let socket_dir = socket_dir.to_string_lossy().replace('\'', "''");
    format!("{lines}unix_socket_directories = '{socket_dir}'\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_do_not_wait_for_the_disk_and_measurements_do() {
        let tests = configuration(Durability::None, Path::new("/tmp/it's"));
        assert!(tests.contains("fsync = 'off'\n"));
        assert!(tests.contains("unix_socket_directories = '/tmp/it''s'\n"));
        let durable = configuration(Durability::Full, Path::new("/tmp/x"));
        assert!(durable.contains("fsync = 'on'\n") && !durable.contains("off"));
    }
}
