//! Files that wait until somebody has said what their columns hold, for whoever tries them before and imports them after.

use kernel::{AccountId, Ctx, Fault, Pending, Timestamp, Written};

use crate::{ImportId, ImportKind, KeptFile};

kernel::ids! {
    /// The identifier of a file that waits.
    UploadId = "fil";
}

/// The most files of an account that wait.
pub const UPLOADS_MAX: usize = 10;
/// The most bytes that they have together: 2 GiB.
pub const UPLOADS_BYTES_MAX: u64 = 2 << 30;
/// How many days a file waits.
pub const UPLOAD_DAYS: i64 = 7;
/// The most characters of the name of a file that are kept.
const NAME_CHARS_MAX: usize = 120;

/// A file that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Upload {
    pub id: UploadId,
    /// What its rows are about.
    pub kind: ImportKind,
    /// What its sender calls it; empty of rows that were pasted.
    pub name: String,
    pub file: KeptFile,
    pub created_at: Timestamp,
    /// When it goes.
    pub expires_at: Timestamp,
}

/// A file that is to wait.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewUpload {
    pub kind: ImportKind,
    pub name: String,
    pub file: KeptFile,
}

/// A file that waits, and what nobody needs any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptUpload {
    /// The file.
    pub upload: Upload,
    /// The names of kept files that are to be removed: those that have given way, or the new one, where the same bytes wait
    /// already.
    pub left: Vec<String>,
}

/// The name of a file as it is kept: without folders, which some browsers send along, and on one line.
#[must_use]
pub fn file_name(text: &str) -> String {
    let last = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = last.chars().map(|one| if one.is_control() { ' ' } else { one });
    let name: String = plain.take(NAME_CHARS_MAX).collect();
    name.trim().to_owned()
}

/// Which files give way to a new one of so many bytes: the oldest, until as many are left as may wait.
#[must_use]
pub fn giving_way(waiting: &[Upload], bytes: u64) -> Vec<UploadId> {
    let mut newest: Vec<&Upload> = waiting.iter().collect();
    newest.sort_by_key(|upload| std::cmp::Reverse((upload.created_at, upload.id)));
    let (mut files, mut sum) = (1, bytes);
    let mut leaving = Vec::new();
    for upload in newest {
        let together = sum.saturating_add(upload.file.size);
        // Behind one that has no room, older ones go, too, however small.
        if leaving.is_empty() && files < UPLOADS_MAX && together <= UPLOADS_BYTES_MAX {
            (files, sum) = (files + 1, together);
        } else {
            leaving.push(upload.id);
        }
    }
    leaving
}

/// Files that wait, for those who send them.
pub trait Uploads: Send + Sync {
    /// Has a file wait, from now on as long as any. The same bytes wait once.
    fn keep(&self, ctx: Ctx, new: NewUpload) -> Pending<Written<KeptUpload, ()>>;

    /// One of them; `None` when no such file of the account waits.
    fn upload(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: UploadId,
    ) -> Pending<Result<Option<Upload>, Fault>>;

    /// The one that an import was begun with, as long as it waits.
    fn upload_of(
        &self,
        account: AccountId,
        import: ImportId,
    ) -> Pending<Result<Option<Upload>, Fault>>;

    /// All of a kind, the newest first.
    fn uploads(&self, account: AccountId, kind: ImportKind) -> Pending<Result<Vec<Upload>, Fault>>;

    /// Has a file wait no longer. What it is kept as is to be removed.
    fn discard(&self, ctx: Ctx, kind: ImportKind, id: UploadId) -> Pending<Written<Upload, ()>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(number: u128, size: u64) -> Upload {
        let at = Timestamp::from_micros(i64::try_from(number).unwrap());
        let file = KeptFile { name: String::new(), size, digest: String::new() };
        Upload {
            id: UploadId::from_u128(number),
            kind: ImportKind::Products,
            name: String::new(),
            file,
            created_at: at,
            expires_at: at,
        }
    }

    #[test]
    fn the_oldest_give_way() {
        const GIB: u64 = 1 << 30;
        let cases: &[(&[u64], u64, &[u128])] = &[
            (&[], GIB, &[]),
            (&[1; 9], 1, &[]),
            (&[1; 10], 1, &[1]),
            (&[1; 12], 1, &[3, 2, 1]),
            (&[GIB], GIB, &[]),
            (&[1, GIB, GIB], 1, &[2, 1]),
            (&[GIB, 1, 1], GIB, &[1]),
        ];
        for (sizes, bytes, gone) in cases {
            let number = |place: usize| place as u128 + 1;
            let sized = sizes.iter().enumerate();
            let waiting: Vec<_> = sized.map(|(place, size)| upload(number(place), *size)).collect();
            let gone: Vec<_> = gone.iter().map(|number| UploadId::from_u128(*number)).collect();
            assert_eq!(giving_way(&waiting, *bytes), gone, "{sizes:?} {bytes}");
        }
    }

    #[test]
    fn names_of_files_are_names_alone() {
        for (sent, kept) in [
            ("catalogo.csv", "catalogo.csv"),
            ("C:\\fakepath\\lista de precios.xlsx", "lista de precios.xlsx"),
            ("../../etc/passwd", "passwd"),
            (" a\u{0}b\n", "a b"),
            ("", ""),
        ] {
            assert_eq!(file_name(sent), kept);
        }
        assert_eq!(file_name(&"á".repeat(500)).chars().count(), NAME_CHARS_MAX);
    }
}
