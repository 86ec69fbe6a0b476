//! What the service is measured against: the fastest way known to do the same work here.

pub(crate) mod bare_posts;
pub(crate) mod bulk_load;
pub(crate) mod openssl;
pub(crate) mod pgbench;
pub(crate) mod sqlite_rows;
pub(crate) mod static_answer;

/// Products that orders are placed on, here and in the service.
pub(crate) const ORDERED_PRODUCTS: u32 = 1_000;

/// The service's own settings of a connection that writes to SQLite.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; PRAGMA mmap_size = 4194304; \
    PRAGMA wal_autocheckpoint = 16000;";

#[cfg(test)]
mod tests {
    use super::PRAGMAS;

    #[test]
    fn the_limits_write_with_the_settings_of_the_service() {
        let service =
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/src/db.rs"));
        for pragma in PRAGMAS.split("; ") {
            let (name, value) = pragma.trim_end_matches(';').split_once(" = ").unwrap();
            let worked_out = match name {
                "PRAGMA cache_size" => ("-{cache_kib}", ("\"OFF\", 8_192", "-8192")),
                "PRAGMA wal_autocheckpoint" => {
                    ("{LOG_PAGES_MAX}", ("LOG_PAGES_MAX: i64 = 16_000;", "16000"))
                }
                _ => (value, (name, value)),
            };
            let (written, (said, meant)) = worked_out;
            assert!(service.contains(&format!("{name} = {written}")), "{pragma}");
            assert!(service.contains(said) && value == meant, "{pragma}");
        }
    }
}
