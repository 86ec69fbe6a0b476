//! Whether an item is subject to tax (c_ObjetoImp).

use time::macros::date;

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("01", "No objeto de impuesto"),
    Entry::new("02", "Sí objeto de impuesto"),
    Entry::new("03", "Sí objeto del impuesto y no obligado al desglose"),
    Entry::since("04", "Sí objeto del impuesto y no causa impuesto", date!(2022 - 10 - 07)),
    Entry::since("05", "Sí objeto del impuesto, IVA crédito PODEBI", date!(2023 - 12 - 06)),
    Entry::since("06", "Sí objeto del IVA, No traslado IVA", date!(2024 - 12 - 13)),
    Entry::since("07", "No traslado del IVA, Sí desglose IEPS", date!(2024 - 12 - 13)),
    Entry::since("08", "No traslado del IVA, No desglose IEPS", date!(2024 - 12 - 13)),
];

catalog!(Entry, ROWS);
