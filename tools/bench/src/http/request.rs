//! Requests as the bytes that go over the wire.

const JSON: &str = "application/json";
const CSV: &str = "text/csv";

/// A request to be rendered, borrowed from whoever builds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    /// The API key; none for what is open to all.
    pub(crate) api_key: Option<&'a str>,
    pub(crate) idempotency_key: Option<&'a str>,
    pub(crate) body: Option<&'a str>,
    /// What the body is.
    pub(crate) content_type: &'static str,
}

impl<'a> Request<'a> {
    pub(crate) const fn get(path: &'a str, api_key: Option<&'a str>) -> Self {
        let (idempotency_key, body, content_type) = (None, None, JSON);
        Self { method: "GET", path, api_key, idempotency_key, body, content_type }
    }

    pub(crate) const fn with_body(
        method: &'a str,
        path: &'a str,
        api_key: &'a str,
        body: &'a str,
    ) -> Self {
        let (api_key, body, content_type) = (Some(api_key), Some(body), JSON);
        Self { method, path, api_key, idempotency_key: None, body, content_type }
    }

    /// A table that is sent to be imported.
    pub(crate) const fn with_table(path: &'a str, api_key: &'a str, table: &'a str) -> Self {
        Self { content_type: CSV, ..Self::with_body("POST", path, api_key, table) }
    }

    pub(crate) fn render(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        self.render_into(&mut bytes);
        bytes
    }

    /// Appends the request to `bytes`.
    pub(crate) fn render_into(&self, bytes: &mut Vec<u8>) {
        let mut put = |parts: &[&str]| {
            for part in parts {
                bytes.extend_from_slice(part.as_bytes());
            }
        };
        put(&[self.method, " ", self.path, " HTTP/1.1\r\nHost: bench\r\n"]);
        if let Some(key) = self.api_key {
            put(&["Authorization: Bearer ", key, "\r\n"]);
        }
        if let Some(key) = self.idempotency_key {
            put(&["Idempotency-Key: ", key, "\r\n"]);
        }
        if let Some(body) = self.body {
            let length = body.len().to_string();
            put(&["Content-Type: ", self.content_type, "\r\nContent-Length: ", &length, "\r\n"]);
        }
        put(&["\r\n", self.body.unwrap_or_default()]);
    }
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn a_request_with_a_body_names_its_length() {
        let mut request = Request::with_body("POST", "/orders", "service_x", r#"{"a":1}"#);
        request.idempotency_key = Some("k1");
        let text = String::from_utf8(request.render()).unwrap();
        assert_eq!(
            text,
            "POST /orders HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer service_x\r\n\
             Idempotency-Key: k1\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n\
             {\"a\":1}"
        );
    }

    #[test]
    fn a_get_ends_after_its_head() {
        let text = String::from_utf8(Request::get("/readyz", None).render()).unwrap();
        assert_eq!(text, "GET /readyz HTTP/1.1\r\nHost: bench\r\n\r\n");
    }
}
