//! Files that wait for their imports, in a folder that all processes share.

mod peeked;
mod turns;

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use imports::{
    Column, FileRefusal, ImportFiles, ImportKind, ImportOptions, KeptFile, Layout, LayoutFault,
    Mapping, NotKept, Peek, Receiving, SAMPLE_CHARS_MAX, SAMPLES_MAX,
};
use kernel::{AccountId, Fault, Message, id::IdSource};
use rustix::fs::statvfs;
use sheets::{Encoding, Extent, Options, Refusal, Sheet};

use self::{
    peeked::{Look, Peeked},
    turns::{Turn, Turns},
};

/// The folder of imports within that of all files.
const FOLDER: &str = "imports";
/// What a file is called until all of it has come.
const PARTIAL: &str = "part";
/// What the spool of a file is called.
const SPOOL: &str = "spool";
/// How long a file that no import knows is left alone: its request may still be under way.
const ORPHAN_TIME: Duration = Duration::from_secs(24 * 60 * 60);
/// So much of the disk is left to everything else.
const SPARED_BYTES: u64 = 256 << 20;

/// Keeps files in a folder.
pub struct KeptFiles {
    folder: PathBuf,
    ids: IdSource,
    turns: Arc<Turns>,
    peeked: Peeked,
}

impl KeptFiles {
    /// In a folder of this one, made once the first file comes.
    #[must_use]
    pub fn new(files_dir: &Path) -> Self {
        Self {
            folder: files_dir.join(FOLDER),
            ids: IdSource::default(),
            turns: Arc::default(),
            peeked: Peeked::default(),
        }
    }

    /// Where a file is.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where its spool is.
    pub(super) fn spool(&self, name: &str) -> PathBuf {
        self.path(name).with_extension(SPOOL)
    }

    /// Removes a file, its spool, and what is left of spools that were not finished.
    pub(super) fn forget(&self, name: &str) {
        for path in [self.path(name), self.spool(name)] {
            remove(&path);
        }
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let paths = entries.flatten().map(|entry| entry.path());
        for path in paths.filter(|path| path.file_stem().is_some_and(|stem| stem == name)) {
            remove(&path);
        }
    }

    /// Removes what is old and none of the files that are kept.
    pub(super) fn sweep(&self, kept: &HashSet<String>) {
        // There is no folder before the first file.
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_kept = path
                .file_stem()
                .and_then(|name| name.to_str())
                .is_some_and(|name| kept.contains(name));
            let changed = entry.metadata().and_then(|metadata| metadata.modified());
            let age = changed.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            if !is_kept && age.is_some_and(|age| age > ORPHAN_TIME) {
                remove(&path);
            }
        }
    }
}

pub(super) fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), %error, "a file cannot be removed");
    }
}

fn fault(what: &str, error: &io::Error) -> Fault {
    Fault::Unavailable(format!("{what}: {error}"))
}

impl ImportFiles for KeptFiles {
    fn receive(&self, account: AccountId) -> Result<Option<Box<dyn Receiving>>, Fault> {
        let Some(turn) = self.turns.take(account) else { return Ok(None) };
        let made = fs::create_dir_all(&self.folder);
        made.map_err(|error| fault("the folder of imports cannot be made", &error))?;
        spare(&self.folder)?;
        let name = format!("{:032x}", self.ids.next());
        let path = self.path(&name);
        let partial = path.with_extension(PARTIAL);
        let file = create(&partial).map_err(|error| fault("a file cannot be made", &error))?;
        Ok(Some(Box::new(Arriving { name, path, partial, file, size: 0, _turn: turn })))
    }

    fn peek(
        &self,
        name: &str,
        kind: ImportKind,
        options: &ImportOptions,
    ) -> Result<Option<Peek>, NotKept> {
        let file = match File::open(self.path(name)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(NotKept::Fault(fault("a file cannot be read", &error))),
        };
        let look = Look::of(name, kind, options);
        if let Some(known) = self.peeked.find(&look) {
            return Ok(Some(known));
        }
        let mut sheet = opened(kind, file, options, Extent::Head).map_err(refused)?;
        let mut rows: Vec<Vec<String>> = Vec::new();
        let read = sheet.rows(|row| -> Result<(), Enough> {
            rows.push(row.cells.iter().map(|cell| shown(cell.text)).collect());
            if rows.len() < SAMPLES_MAX { Ok(()) } else { Err(Enough(None)) }
        });
        // What is wrong with the first rows is told of them once the file is tried.
        if let Err(Enough(Some(Refusal::Unreadable(error)))) = read {
            return Err(NotKept::Fault(fault("a file cannot be read", &error)));
        }
        let peek = Peek {
            encoding: sheet.encoding().map(Encoding::name).map(str::to_owned),
            separator: sheet.separator(),
            ..Peek::of(kind, sheet.header(), &rows)
        };
        self.peeked.keep(look, peek.clone());
        Ok(Some(peek))
    }

    fn keep_too(&self, name: &str) -> Result<Option<String>, Fault> {
        let unkept = |error| fault("a file cannot be kept once more", &error);
        let (path, other) = (self.path(name), format!("{:032x}", self.ids.next()));
        let file = match File::options().write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unkept(error)),
        };
        // Until it is on record it is left alone as one that has just come.
        file.set_modified(SystemTime::now()).map_err(unkept)?;
        let linked = fs::hard_link(&path, self.path(&other));
        // Some file systems have no links.
        let kept = linked.or_else(|_| copy(&path, &self.path(&other)));
        kept.and_then(|()| sync(&self.folder)).map_err(unkept)?;
        Ok(Some(other))
    }

    fn remove(&self, name: &str) {
        self.forget(name);
    }
}

/// Reading ends early: what was wanted is there, or the file is at fault.
struct Enough(Option<Refusal>);

impl From<Refusal> for Enough {
    fn from(refusal: Refusal) -> Self {
        Self(Some(refusal))
    }
}

/// As much of a cell as is looked at.
fn shown(cell: &str) -> String {
    cell.chars().take(2 * SAMPLE_CHARS_MAX).collect()
}

/// Leaves what is left of a disk to everything else, once that is little.
fn spare(path: &Path) -> Result<(), Fault> {
    let room = statvfs(path).map_err(|error| fault("a disk tells no room", &error.into()))?;
    match room.f_bavail.saturating_mul(room.f_frsize) < SPARED_BYTES {
        true => Err(Fault::Unavailable("the disk of the files is nearly full".to_owned())),
        false => Ok(()),
    }
}

/// A copy that is on the disk.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let _ = fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

/// Has the disk know the files of a folder: what is on record must be there after a power failure, too.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A new file that its owner alone can read.
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).write(true).create_new(true).mode(0o600).open(path)
}

struct Arriving {
    name: String,
    path: PathBuf,
    partial: PathBuf,
    file: File,
    size: u64,
    _turn: Turn,
}

impl Receiving for Arriving {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.size += bytes.len() as u64;
        spare(&self.partial)?;
        self.file.write_all(bytes).map_err(|error| fault("a file cannot be written", &error))
    }

    fn keep(
        self: Box<Self>,
        kind: ImportKind,
        options: &ImportOptions,
        digest: String,
    ) -> Result<KeptFile, NotKept> {
        check_head(&self.file, kind, options)?;
        self.kept(digest)
    }

    fn keep_unmapped(
        self: Box<Self>,
        kind: ImportKind,
        digest: String,
    ) -> Result<KeptFile, NotKept> {
        drop(opened(kind, &self.file, &ImportOptions::default(), Extent::Head).map_err(refused)?);
        self.kept(digest)
    }
}

impl Arriving {
    /// Gives the file its name.
    fn kept(&self, digest: String) -> Result<KeptFile, NotKept> {
        let named = self.file.sync_all().and_then(|()| fs::rename(&self.partial, &self.path));
        let kept = named.and_then(|()| self.path.parent().map_or(Ok(()), sync));
        kept.map_err(|error| NotKept::Fault(fault("a file cannot be kept", &error)))?;
        Ok(KeptFile { name: self.name.clone(), size: self.size, digest })
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        // Once it is kept it is not there any more.
        remove(&self.partial);
    }
}

/// Refuses a file whose beginning tells that it cannot be imported.
fn check_head(file: &File, kind: ImportKind, options: &ImportOptions) -> Result<(), NotKept> {
    let sheet = opened(kind, file, options, Extent::Head).map_err(refused)?;
    layout_of(kind, sheet.header(), options).map(drop).map_err(|faults| {
        NotKept::Refused(FileRefusal { code: INVALID_COLUMNS, message: said(&faults) })
    })
}

/// Why a file that cannot be read is not taken.
fn refused(refusal: Refusal) -> NotKept {
    match refusal {
        Refusal::Unreadable(error) => NotKept::Fault(fault("a file cannot be read", &error)),
        refusal => {
            NotKept::Refused(FileRefusal { code: refusal.code(), message: refusal.message() })
        }
    }
}

/// The code of a file whose columns are wrong.
pub(super) const INVALID_COLUMNS: &str = "invalid_columns";

/// A file as a table.
pub(super) fn opened<R: io::Read + io::Seek>(
    kind: ImportKind,
    file: R,
    options: &ImportOptions,
    extent: Extent,
) -> Result<Sheet<R>, Refusal> {
    let encoding = options.encoding.as_deref();
    let encoding = Encoding::EVERY.iter().copied().find(|one| Some(one.name()) == encoding);
    let how = Options { encoding, sheet: options.sheet.clone() };
    let is_known =
        |name: &str| imports::is_known(kind, name) || options.mapping.contains_key(name.trim());
    Sheet::open(file, &how, extent, &is_known)
}

/// What its columns hold.
pub(super) fn layout_of(
    kind: ImportKind,
    header: &[String],
    options: &ImportOptions,
) -> Result<Layout, Vec<LayoutFault>> {
    let field =
        |field: &Option<String>| field.as_deref().and_then(|name| Column::named(kind, name));
    let mapping: Mapping =
        options.mapping.iter().map(|(name, column)| (name.clone(), field(column))).collect();
    Layout::of(kind, header, &mapping, options.mode)
}

/// All that is wrong with columns, in one sentence.
pub(super) fn said(faults: &[LayoutFault]) -> Message {
    Message::both(|language| {
        let all = faults.iter().map(|fault| fault.message().in_language(language).to_owned());
        all.collect::<Vec<_>>().join("; ")
    })
}
