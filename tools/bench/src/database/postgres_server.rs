//! Ending and starting the PostgreSQL server itself.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::arguments::Surroundings;

/// A server whose program and data folder are known, and which is ours to kill.
#[derive(Debug)]
pub(crate) struct PostgresServer {
    pg_ctl: PathBuf,
    data: PathBuf,
    /// Who runs it, when that is not who runs us.
    user: Option<String>,
}

impl PostgresServer {
    /// The server of these surroundings; `None` when they do not name its programs and its data.
    pub(crate) fn of(surroundings: &Surroundings) -> anyhow::Result<Option<Self>> {
        let Surroundings { postgres_bin: Some(folder), postgres_data: Some(data), .. } =
            surroundings
        else {
            return Ok(None);
        };
        let pg_ctl = folder.join("pg_ctl");
        if !pg_ctl.exists() {
            return Ok(None);
        }
        Ok(Some(Self { pg_ctl, data: data.clone(), user: other_owner(data)? }))
    }

    /// Ends the server as a crash would: nothing is written down any more.
    pub(crate) fn kill(&self) -> anyhow::Result<()> {
        self.run(&["stop", "-m", "immediate"])
    }

    /// Starts the server as it was started before, and waits until it has recovered.
    pub(crate) fn start(&self) -> anyhow::Result<()> {
        // `restart` takes the port and other options from the last start, which `start` does not.
        self.run(&["restart", "-t", "60"])
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let mut command = match &self.user {
            None => Command::new(&self.pg_ctl),
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(&self.pg_ctl);
                command
            }
        };
        // The server keeps what it is given as output, so pipes would never end.
        command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let log = self.data.join("restart.log");
        command.args(arguments).args(["-w", "-s", "-D"]).arg(&self.data).arg("-l").arg(&log);
        let status = command.status().context("running pg_ctl")?;
        let what = arguments.first().copied().unwrap_or_default();
        ensure!(status.success(), "pg_ctl {what}: {status}; see {}", log.display());
        Ok(())
    }
}

/// The name of a folder's owner, when somebody else runs us.
fn other_owner(folder: &Path) -> anyhow::Result<Option<String>> {
    let owner = std::fs::metadata(folder).with_context(|| format!("{}", folder.display()))?.uid();
    if owner == std::fs::metadata("/proc/self")?.uid() {
        return Ok(None);
    }
    let passwd = std::fs::read_to_string("/etc/passwd")?;
    let name = user_name(&passwd, owner).context("the owner of PostgreSQL's data has no name")?;
    Ok(Some(name.to_owned()))
}

fn user_name(passwd: &str, uid: u32) -> Option<&str> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_names() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\npostgres:x:104:110::/var/lib:/bin/sh\n";
        assert_eq!(user_name(passwd, 104), Some("postgres"));
        assert_eq!(user_name(passwd, 110), None);
    }

    #[test]
    fn ones_own_folder_needs_no_other_user() {
        assert_eq!(other_owner(Path::new("/proc/self")).unwrap(), None);
    }
}
