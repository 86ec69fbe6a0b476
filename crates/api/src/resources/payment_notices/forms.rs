//! What the endpoints of notifications read.

use intake::{Fields, Form};
use kernel::PageRequest;

use crate::page::page_request;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request(fields, "-createdAt"))
}
