//! What else the form of a product says: its brand, costs, images, measures, taxes and categories.

use catalog::{
    CategoryId, DetailsChanges, Dimensions, Product, Tax, Tree,
    category::CATEGORIES_OF_PRODUCT_MAX,
    details::{
        BRAND_CHARS_MAX, IMAGES_MAX, UNIT_CHARS_MAX, checked_image, checked_side, checked_weight,
        refuse_repeated_images,
    },
};
use intake::{
    Fields,
    checks::{line, number, one_of, text},
};
use kernel::{Amount, FieldFault, Language, Message, message};

use super::{edit::price, taxes};
use crate::{
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{amount, money},
    pages::{categories, reading::required},
    parts::Field,
    texts::Say,
};

const CATEGORIES: &str = "categories";
const YES: &str = "yes";
const ANSWERS: &[&str] = &[YES, "no"];
const SIDES: [&str; 3] = ["length", "width", "height"];

/// What a form says of it. What it leaves empty is not there.
pub(super) struct Filled {
    pub(super) changes: DetailsChanges,
    pub(super) taxes: Vec<Tax>,
    /// Unless the form does not ask.
    pub(super) tax_included: Option<bool>,
    categories: Option<String>,
}

pub(super) fn read(fields: &mut Fields<'_>) -> Filled {
    let own = |text: &str| Ok(text.to_owned());
    let changes = DetailsChanges {
        brand: Some(fields.optional("brand", line(BRAND_CHARS_MAX))),
        unit: Some(fields.optional("unit", line(UNIT_CHARS_MAX))),
        compare_at_price: Some(fields.optional("compareAtPrice", price())),
        cost: Some(fields.optional("cost", price())),
        images: Some(fields.optional("images", text(images)).unwrap_or_default()),
        weight: Some(fields.optional("weight", number(Some(0), checked_weight))),
        dimensions: Some(read_dimensions(fields)),
    };
    let taxes = fields.optional("taxes", text(taxes::read)).unwrap_or_default();
    let tax_included = fields.optional("taxIncluded", one_of(ANSWERS, |answer| answer));
    let tax_included = tax_included.map(|answer| answer == YES);
    let categories = fields.optional(CATEGORIES, text(own));
    Filled { changes, taxes, tax_included, categories }
}

fn images(given: &str) -> Result<Vec<String>, Message> {
    let lines = given.lines().map(str::trim).filter(|line| !line.is_empty());
    let images: Vec<String> = lines.map(checked_image).collect::<Result<_, _>>()?;
    if images.len() > IMAGES_MAX {
        return Err(message!(
            "must be at most {IMAGES_MAX} addresses",
            "deben ser a lo más {IMAGES_MAX} direcciones"
        ));
    }
    refuse_repeated_images(&images).map_err(|(_, problem)| problem)?;
    Ok(images)
}

/// All three sides, or none.
fn read_dimensions(fields: &mut Fields<'_>) -> Option<Dimensions> {
    let sides = SIDES.map(|name| fields.optional(name, number(Some(0), checked_side)));
    if SIDES.iter().any(|name| fields.gives(name)) {
        for name in SIDES.iter().filter(|name| !fields.gives(name)).collect::<Vec<_>>() {
            fields.refuse::<()>(name, required());
        }
    }
    let [length, width, height] = sides;
    Some(Dimensions { length: length?, width: width?, height: height? })
}

impl Filled {
    /// The categories that are meant.
    pub(super) fn categories(&self, tree: &Tree) -> Result<Vec<CategoryId>, FieldFault> {
        let given = self.categories.as_deref().unwrap_or_default();
        chosen(tree, given).map_err(|problem| FieldFault::new(CATEGORIES, problem))
    }
}

/// The categories that lines name, each with what it is in or by its identifier.
fn chosen(tree: &Tree, given: &str) -> Result<Vec<CategoryId>, Message> {
    let mut all: Vec<CategoryId> = Vec::new();
    for line in given.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let by_path = || {
            let mut names = line.split('>').map(str::trim);
            names.try_fold(None, |parent, name| tree.named(parent, name).map(Some)).flatten()
        };
        let known = CategoryId::parse(line).filter(|id| tree.get(*id).is_some()).or_else(by_path);
        let Some(id) = known else {
            return Err(message!(
                "({line}) is no category of this account",
                "({line}) no es una categoría de esta cuenta"
            ));
        };
        if !all.contains(&id) {
            all.push(id);
        }
    }
    if all.len() > CATEGORIES_OF_PRODUCT_MAX {
        return Err(message!(
            "must be at most {CATEGORIES_OF_PRODUCT_MAX}",
            "deben ser a lo más {CATEGORIES_OF_PRODUCT_MAX}"
        ));
    }
    Ok(all)
}

/// The fields.
pub(super) fn fields(say: Say, price: Field, stock: Field, values: &Values) -> Vec<Field> {
    let answers = [(YES, say.yes()), ("no", say.no())];
    let answers = answers.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let money = vec![
        Field::text("compareAtPrice", say.compare_at_price(), values)
            .hint(say.compare_at_price_hint()),
        Field::text("cost", say.cost(), values).hint(say.cost_hint()),
    ];
    let included = Field::select("taxIncluded", say.price_has_taxes(), answers, values);
    let pricing = std::iter::once(price).chain(money).chain([included]).collect();
    let measures = vec![
        Field::text("weight", say.weight(), values),
        Field::text("length", say.length_cm(), values),
        Field::text("width", say.width_cm(), values),
        Field::text("height", say.height_cm(), values),
    ];
    let fiscal = vec![
        Field::text("satProductKey", say.sat_product_key(), values),
        Field::text("satUnitKey", say.sat_unit_key(), values),
        Field::text("unit", say.unit_called(), values).hint(say.unit_called_hint()),
    ];
    vec![
        Field::group("pricing", say.prices(), pricing),
        stock,
        Field::group("fiscal", say.for_invoices(), fiscal),
        Field::area("taxes", say.taxes(), 2, values).hint(say.taxes_hint()),
        Field::area(CATEGORIES, say.categories(), 2, values).hint(say.categories_hint()),
        Field::text("brand", say.brand(), values),
        Field::area("images", say.images(), 3, values).hint(say.images_hint()),
        Field::group("measures", say.more_about_product(), measures),
    ]
}

/// What is known of it, for who looks at the product.
pub(super) async fn facts(
    call: &Call<Member>,
    product: &Product,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let (say, details) = (call.say(), &product.details);
    let price = |amount: Amount| money(amount, product.currency);
    let categories = match product.category_ids.as_slice() {
        [] => None,
        ids => {
            let tree = categories::tree(call).await?;
            let paths = ids.iter().map(|id| categories::path(&tree, *id));
            Some(paths.collect::<Vec<_>>().join("; "))
        }
    };
    let sides = details.dimensions.map(|it| [it.length, it.width, it.height].map(amount));
    let sides = sides.map(|sides| format!("{} cm", sides.join(" × ")));
    let written = taxes::written(&product.taxes, call.language).replace('\n', "; ");
    let included = if product.tax_included { say.yes() } else { say.no() };
    let facts = [
        (say.categories(), categories),
        (say.brand(), details.brand.clone()),
        (say.unit_called(), details.unit.clone()),
        (say.compare_at_price(), details.compare_at_price.map(price)),
        (say.cost(), details.cost.map(price)),
        (say.price_has_taxes(), Some(included.to_owned())),
        (say.taxes(), Some(written).filter(|taxes| !taxes.is_empty())),
        (say.weight(), details.weight.map(|weight| format!("{} kg", amount(weight)))),
        (say.dimensions(), sides),
        (say.images(), Some(details.images.join(" ")).filter(|images| !images.is_empty())),
    ];
    Ok(facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect())
}

/// What the fields show of a product.
pub(super) fn values_of(
    product: &Product,
    tree: &Tree,
    language: Language,
) -> Vec<(&'static str, String)> {
    let details = &product.details;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let amount = |amount: Option<Amount>| amount.map(|it| it.to_string()).unwrap_or_default();
    let side = |of: fn(&Dimensions) -> Amount| amount(details.dimensions.as_ref().map(of));
    let category = |id: &CategoryId| {
        let path = categories::path(tree, *id);
        // A name with the mark in it is told by its identifier.
        match chosen(tree, &path) {
            Ok(found) if found == [*id] => path,
            _ => id.to_string(),
        }
    };
    let chosen: Vec<_> = product.category_ids.iter().map(category).collect();
    vec![
        (CATEGORIES, chosen.join("\n")),
        ("brand", text(&details.brand)),
        ("unit", text(&details.unit)),
        ("compareAtPrice", amount(details.compare_at_price)),
        ("cost", amount(details.cost)),
        ("taxIncluded", if product.tax_included { YES } else { "no" }.to_owned()),
        ("taxes", taxes::written(&product.taxes, language)),
        ("images", details.images.join("\n")),
        ("weight", amount(details.weight)),
        ("length", side(|it| it.length)),
        ("width", side(|it| it.width)),
        ("height", side(|it| it.height)),
    ]
}

#[cfg(test)]
mod tests {
    use catalog::Category;
    use kernel::Timestamp;

    use super::*;

    fn category(own: u128, name: &str, parent: Option<u128>) -> Category {
        Category {
            id: CategoryId::from_u128(own),
            name: name.to_owned(),
            parent: parent.map(CategoryId::from_u128),
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
            version: 1,
        }
    }

    #[test]
    fn categories_are_named_by_their_paths() {
        let tree = Tree::of([
            category(1, "Hogar", None),
            category(2, "Cocina", Some(1)),
            category(3, "A > B", None),
        ]);
        let id = CategoryId::from_u128;
        assert_eq!(chosen(&tree, "Hogar > cocina\n\nHOGAR\nHogar").unwrap(), [id(2), id(1)]);
        assert_eq!(chosen(&tree, &id(3).to_string()).unwrap(), [id(3)]);
        for wrong in ["Cocina", "Hogar > Jardín", "A > B", &id(9).to_string()] {
            assert!(chosen(&tree, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn images_are_lines() {
        let image = |number: usize| format!("https://example.com/{number}.jpg");
        let all = |count: usize| (0..count).map(image).collect::<Vec<_>>().join("\r\n");
        assert_eq!(images(&all(IMAGES_MAX)).unwrap().len(), IMAGES_MAX);
        for wrong in [all(IMAGES_MAX + 1), "taza.jpg".to_owned(), [image(1), image(1)].join("\n")] {
            assert!(images(&wrong).is_err(), "{wrong}");
        }
    }
}
