//! What the endpoints of notifications read.

use intake::{Fields, Form};
use kernel::PageRequest;
use payments::NoticeId;

use crate::page::page_request_of;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, "-createdAt", NoticeId::PREFIX))
}
