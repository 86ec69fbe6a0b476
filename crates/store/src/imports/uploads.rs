//! Files that wait until somebody has said what their columns hold.

use ::imports::{
    ImportId, ImportKind, KeptFile, KeptUpload, NewUpload, UPLOAD_DAYS, Upload, UploadId, Uploads,
    giving_way,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::by_id;
use crate::{
    db::{Db, on},
    error::Failure,
    readers::Cost,
    rows::{read, read_name},
    schema::import_uploads::{self as table, dsl},
    store::Store,
    tx::Tx,
};

const DAY_SECONDS: i64 = 86_400;

impl Uploads for Store {
    fn keep(&self, ctx: Ctx, new: NewUpload) -> Pending<Written<KeptUpload, ()>> {
        self.engine.command(Some(ctx.account), move |tx| {
            Ok::<_, Failure<()>>(Done::now(keep(tx, &ctx, &new)?))
        })
    }

    fn upload(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: UploadId,
    ) -> Pending<Result<Option<Upload>, Fault>> {
        self.engine.read(Cost::Small, move |db| one(db, account, kind, id))
    }

    fn upload_of(
        &self,
        account: AccountId,
        import: ImportId,
    ) -> Pending<Result<Option<Upload>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let Some(import) = by_id(db, account, import)? else { return Ok(None) };
            let row: Option<UploadRow> = table::table
                .filter(dsl::account_id.eq(account.to_string()))
                .filter(dsl::kind.eq(import.kind.name()))
                .filter(dsl::file_digest.eq(import.file.digest))
                .select(UploadRow::as_select())
                .first(db)
                .optional()?;
            row.map(UploadRow::upload).transpose()
        })
    }

    fn uploads(&self, account: AccountId, kind: ImportKind) -> Pending<Result<Vec<Upload>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let mut uploads = all(db, account)?;
            uploads.retain(|upload| upload.kind == kind);
            Ok(uploads)
        })
    }

    fn discard(&self, ctx: Ctx, kind: ImportKind, id: UploadId) -> Pending<Written<Upload, ()>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let upload = one(tx.db, ctx.account, kind, id)?.ok_or(Refused::NotFound)?;
            forget(tx, ctx.account, id)?;
            Ok::<_, Failure<()>>(Done::now(upload))
        })
    }
}

fn keep(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewUpload) -> QueryResult<KeptUpload> {
    let known = all(tx.db, ctx.account)?;
    let expires_at = ctx.now.plus_seconds(UPLOAD_DAYS * DAY_SECONDS);
    let is_same = |known: &&Upload| known.kind == new.kind && known.file.digest == new.file.digest;
    if let Some(same) = known.iter().find(is_same) {
        return renew(tx, ctx, same, (new, expires_at));
    }
    let leaving = giving_way(&known, new.file.size);
    for id in &leaving {
        forget(tx, ctx.account, *id)?;
    }
    let left = known.into_iter().filter(|upload| leaving.contains(&upload.id));
    let mut left: Vec<String> = left.map(|upload| upload.file.name).collect();
    let upload = Upload {
        id: UploadId::from_u128(tx.ids.next()),
        kind: new.kind,
        name: new.name.clone(),
        file: new.file.clone(),
        created_at: ctx.now,
        expires_at,
    };
    let row = UploadRow::of(ctx.account, &upload);
    let inserted = on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if inserted > 0 {
        return Ok(KeptUpload { upload, left });
    }
    // Another node has kept the same meanwhile.
    let known = all(tx.db, ctx.account)?;
    let same = known.iter().find(is_same).ok_or(diesel::result::Error::NotFound)?;
    let kept = renew(tx, ctx, same, (new, expires_at))?;
    left.extend(kept.left);
    Ok(KeptUpload { left, ..kept })
}

/// Keeps a file in the place of the same one: what was kept before may be gone from its disk.
fn renew(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    same: &Upload,
    (new, expires_at): (&NewUpload, Timestamp),
) -> QueryResult<KeptUpload> {
    let left = vec![same.file.name.clone()];
    let upload =
        Upload { name: new.name.clone(), file: new.file.clone(), expires_at, ..same.clone() };
    let changes = (
        dsl::name.eq(&upload.name),
        dsl::file.eq(&upload.file.name),
        dsl::expires_at.eq(expires_at.micros()),
    );
    diesel::update(this(ctx.account, upload.id)).set(changes).execute(tx.db)?;
    Ok(KeptUpload { upload, left })
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: UploadId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

fn forget(tx: &mut Tx<'_>, account: AccountId, id: UploadId) -> QueryResult<()> {
    diesel::delete(this(account, id)).execute(tx.db).map(drop)
}

fn one(
    db: &mut Db,
    account: AccountId,
    kind: ImportKind,
    id: UploadId,
) -> QueryResult<Option<Upload>> {
    let row: Option<UploadRow> =
        this(account, id).select(UploadRow::as_select()).first(db).optional()?;
    let upload = row.map(UploadRow::upload).transpose()?;
    Ok(upload.filter(|upload| upload.kind == kind))
}

/// All of an account, the newest first: there are few.
fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Upload>> {
    let rows: Vec<UploadRow> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .order(dsl::id.desc())
        .select(UploadRow::as_select())
        .load(db)?;
    rows.into_iter().map(UploadRow::upload).collect()
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct UploadRow {
    account_id: String,
    id: String,
    kind: String,
    name: String,
    file: String,
    file_size: i64,
    file_digest: String,
    created_at: i64,
    expires_at: i64,
}

impl UploadRow {
    fn of(account: AccountId, upload: &Upload) -> Self {
        Self {
            account_id: account.to_string(),
            id: upload.id.to_string(),
            kind: upload.kind.name().to_owned(),
            name: upload.name.clone(),
            file: upload.file.name.clone(),
            file_size: i64::try_from(upload.file.size).unwrap_or(i64::MAX),
            file_digest: upload.file.digest.clone(),
            created_at: upload.created_at.micros(),
            expires_at: upload.expires_at.micros(),
        }
    }

    fn upload(self) -> QueryResult<Upload> {
        let file = KeptFile {
            name: self.file,
            size: self.file_size.unsigned_abs(),
            digest: self.file_digest,
        };
        Ok(Upload {
            id: read(&self.id, UploadId::parse)?,
            kind: read_name(&self.kind, ImportKind::EVERY, ImportKind::name)?,
            name: self.name,
            file,
            created_at: Timestamp::from_micros(self.created_at),
            expires_at: Timestamp::from_micros(self.expires_at),
        })
    }
}
