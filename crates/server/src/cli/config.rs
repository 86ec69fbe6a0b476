//! `trastienda config`.

use crate::{output, settings::sources::Row};

pub(super) fn show(rows: &[Row]) {
    let cells = |row: &Row| {
        let Row { name, value, origin, env, meaning } = row;
        [
            (*name).to_owned(),
            value.clone(),
            origin.to_string(),
            (*env).to_owned(),
            (*meaning).to_owned(),
        ]
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    output::table(["SETTING", "VALUE", "FROM", "ENVIRONMENT VARIABLE", "MEANING"], &rows);
}
