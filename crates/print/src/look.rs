//! What an issuer may choose of a sheet's appearance.

use crate::color::Color;

/// How a sheet looks, and what the issuer says of itself on it. The default is a plain sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The colour of titles and of the total's ground. Where it would be too pale to read, a darker shade of it is
    /// used, and text on it is black or white, whichever can be read.
    pub accent: Color,
    /// Where the logo stands, if there is one.
    pub logo_place: LogoPlace,
    /// What the table of items says beside what it has to.
    pub item_details: ItemDetails,
    /// Where the issuer is found.
    pub contact: Contact,
    /// One line at the foot of every page, as much of it as fits.
    pub footer: Option<String>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            accent: Color(0x1f, 0x3a, 0x5f),
            logo_place: LogoPlace::default(),
            item_details: ItemDetails::default(),
            contact: Contact::default(),
            footer: None,
        }
    }
}

/// Where the logo stands on the first page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogoPlace {
    /// With the issuer's name: above it, or beside it where the logo is not much wider than high.
    #[default]
    Left,
    /// Above everything, in the middle.
    Center,
    /// Above the document's title and number.
    Right,
}

impl LogoPlace {
    /// Every place.
    pub const EVERY: [Self; 3] = [Self::Left, Self::Center, Self::Right];
}

/// What the table of items may leave out; by default it leaves out nothing.
///
/// Quantity, key of the unit, product key, description, unit price, discount and amount, the numbers of customs
/// declarations and property accounts, and on whose behalf an item is sold always stand there: article 29-A of the
/// CFF asks for them. So do the issuer's own word for a unit and the code of the tax object, which a reader can
/// find nowhere else on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemDetails {
    /// The issuer's own number of the item (`NoIdentificacion`).
    pub sku: bool,
    /// What SAT's catalog calls the unit, below its key.
    pub unit_name: bool,
    /// What SAT's catalog calls the product key, below the description.
    pub product_name: bool,
    /// What SAT's catalog calls the code of the tax object.
    pub tax_object_name: bool,
    /// Each tax of each item. The taxes of the whole document by kind and rate, which article 29-A asks for,
    /// stand beside the sums in any case.
    pub taxes: bool,
}

impl ItemDetails {
    /// Only what has to be there.
    pub const NONE: Self = Self {
        sku: false,
        unit_name: false,
        product_name: false,
        tax_object_name: false,
        taxes: false,
    };
}

impl Default for ItemDetails {
    fn default() -> Self {
        Self { sku: true, unit_name: true, product_name: true, tax_object_name: true, taxes: true }
    }
}

/// Where the issuer is found, printed below its name. What is empty is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// Lines of the postal address, at most [`ADDRESS_LINES_MAX`]. Each is printed in two lines at most.
    pub address: Vec<String>,
    /// The telephone number, as much of it as fits in a line.
    pub phone: Option<String>,
    /// The email address, as much of it as fits in a line.
    pub email: Option<String>,
    /// The address of the website, as much of it as fits in a line.
    pub website: Option<String>,
}

/// How many lines of an address are printed.
pub const ADDRESS_LINES_MAX: usize = 4;
