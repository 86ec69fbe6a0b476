//! Putting the panel into an actix application.

use actix_web::web::{self, Data, ServiceConfig};

use crate::{Panel, serve::serve};

/// Mounts the panel at `/panel` and below.
pub fn configure(config: &mut ServiceConfig, panel: Data<Panel>) {
    let answer = move |request, payload| serve(panel.clone(), request, payload);
    config.service(web::resource(["/panel", "/panel/{tail:.*}"]).to(answer));
}
