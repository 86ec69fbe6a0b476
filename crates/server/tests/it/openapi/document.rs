//! The OpenAPI document as the service serves it, to be walked.

use serde_json::Value;
use testkit::App;

/// The document.
pub(crate) struct Document(Value);

/// One operation of it.
pub(crate) struct Operation<'a> {
    /// In upper case.
    pub(crate) method: String,
    /// Below the base path, e.g. `/orders/{id}`.
    pub(crate) path: &'a str,
    /// What the document says of it.
    pub(crate) spec: &'a Value,
}

impl Document {
    pub(crate) fn of(app: &App) -> Self {
        Self(app.anonymous().get("/api/v1/openapi.json").expect(200))
    }

    pub(crate) fn json(&self) -> &Value {
        &self.0
    }

    /// Every operation.
    pub(crate) fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.0["paths"].as_object().expect("paths");
        let each = paths.iter().flat_map(|(path, item)| {
            item.as_object().expect("operations").iter().map(move |(method, spec)| Operation {
                method: method.to_uppercase(),
                path,
                spec,
            })
        });
        each.collect()
    }

    /// Every operation, those last that delete what others are asked of.
    pub(crate) fn operations_in_turn(&self) -> Vec<Operation<'_>> {
        let mut operations = self.operations();
        operations.sort_by_key(|operation| operation.method == "DELETE");
        operations
    }

    /// The operations that take a body.
    pub(crate) fn operations_with_body(&self) -> Vec<Operation<'_>> {
        self.operations().into_iter().filter(|operation| operation.body().is_some()).collect()
    }

    /// The schema itself, wherever it is written.
    pub(crate) fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => {
                let pointer = reference.strip_prefix('#').expect("a local reference");
                self.0.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
            }
            None => schema,
        }
    }
}

impl<'a> Operation<'a> {
    /// `POST /orders`
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether its path has an identifier.
    pub(crate) fn names_one(&self) -> bool {
        self.path.contains("{id}")
    }

    /// Whether it may change something; a shop that it was asked of is as before otherwise.
    pub(crate) fn changes(&self) -> bool {
        self.method != "GET"
    }

    /// Whether it answers a page of a list.
    pub(crate) fn is_list(&self) -> bool {
        self.method == "GET" && self.answer_name().ends_with("Page")
    }

    /// Whether it answers a part of a feed.
    pub(crate) fn is_feed(&self) -> bool {
        self.method == "GET" && self.answer_name().ends_with("Feed")
    }

    /// The name of the schema of its success.
    fn answer_name(&self) -> &'a str {
        let schema = &self.success().1["content"]["application/json"]["schema"];
        schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()).unwrap_or_default()
    }

    /// The scope that it needs.
    pub(crate) fn scope(&self) -> &'a str {
        self.spec["x-required-scope"].as_str().unwrap_or_default()
    }

    /// The media type object of its body: schema and example.
    pub(crate) fn body(&self) -> Option<&'a Value> {
        self.spec.pointer("/requestBody/content/application~1json")
    }

    /// Its query parameters by name.
    pub(crate) fn query_parameters(&self) -> Vec<(&'a str, &'a Value)> {
        let parameters = self.spec["parameters"].as_array().into_iter().flatten();
        let query = parameters.filter(|parameter| parameter["in"] == "query");
        query.filter_map(|parameter| Some((parameter["name"].as_str()?, parameter))).collect()
    }

    /// The status and the response of its success.
    pub(crate) fn success(&self) -> (u16, &'a Value) {
        let responses = self.spec["responses"].as_object().expect("responses");
        let success = responses.iter().find(|(status, _)| status.starts_with('2'));
        let (status, response) = success.unwrap_or_else(|| panic!("{} succeeds", self.name()));
        (status.parse().expect("a status"), response)
    }

    /// Whether the document says that it may be refused so.
    pub(crate) fn may_refuse(&self, document: &Document, status: u16, code: &str) -> bool {
        let response = document.resolved(&self.spec["responses"][status.to_string()]);
        response.pointer(&format!("/content/application~1json/examples/{code}")).is_some()
    }
}
