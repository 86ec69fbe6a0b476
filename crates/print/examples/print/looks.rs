//! Looks that issuers may choose, and some that strain the sheet.

use print::{Color, Contact, ItemDetails, LogoPlace, Look};

/// All of them, with a name.
pub(crate) fn all() -> Vec<(&'static str, Look)> {
    let plain = Look::default();
    let of = |accent, logo_place| Look { logo_place, contact: contact(), ..colored(accent) };
    let footer =
        "Gracias por su preferencia · Cuenta BBVA 012180012345678901 a nombre de Escuela Kemper";
    vec![
        ("left", of("#0B6E4F", LogoPlace::Left)),
        ("center", of("#8A1538", LogoPlace::Center)),
        ("right", Look { footer: Some(footer.to_owned()), ..of("#111111", LogoPlace::Right) }),
        ("pale", of("#F2C14E", LogoPlace::Left)),
        ("white", colored("#FFFFFF")),
        (
            "few_details",
            Look { item_details: ItemDetails::NONE, contact: contact(), ..plain.clone() },
        ),
        ("long_contact", Look { contact: endless(), footer: Some(footer.repeat(3)), ..plain }),
    ]
}

fn colored(accent: &str) -> Look {
    let plain = Look::default();
    Look { accent: Color::parse(accent).unwrap_or(plain.accent), ..plain }
}

/// Where an issuer is found.
pub(crate) fn contact() -> Contact {
    let address = [
        "Av. Insurgentes Sur 1234, piso 5, col. Del Valle",
        "Benito Juárez, 03100 Ciudad de México, México",
    ];
    Contact {
        address: address.map(str::to_owned).to_vec(),
        phone: Some("+52 55 5555 0100".to_owned()),
        email: Some("facturas@escuela-kemper.example".to_owned()),
        website: Some("www.escuela-kemper.example".to_owned()),
    }
}

fn endless() -> Contact {
    let line = "Carretera federal México–Querétaro kilómetro 123.5, parque industrial, nave 17, "
        .repeat(4);
    Contact {
        address: vec![line.clone(); 6],
        phone: Some("+52 55 5555 0100 ext. 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 y 11, de lunes a viernes de 9 a 18 horas".to_owned()),
        email: Some(format!("{}@ejemplo.mx", "facturacion.electronica.".repeat(5))),
        website: Some(line),
    }
}
