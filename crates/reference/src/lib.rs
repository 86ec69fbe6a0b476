//! The reference of the API for people: one page for each chapter of its OpenAPI document, drawn on the server.
//!
//! It reads nothing but the document, so a page cannot say anything that the document does not. The pages work
//! without their script; that adds forms that send requests, copying, and results of a search while it is typed.

mod chapters;
mod document;
mod fields;
mod html;
mod operations;
mod pages;
mod samples;
mod search;

use chapters::Chapter;
use document::Document;
use html::Html;

/// How the pages look.
pub const STYLE: &str = include_str!("../assets/reference.css");
/// What they do beyond being read.
pub const SCRIPT: &str = include_str!("../assets/reference.js");

/// Why there is no reference: the document is not one of OpenAPI 3.1, as far as this crate reads it.
pub type Unreadable = serde_json::Error;

/// A reference, ready to be shown.
#[derive(Debug)]
pub struct Reference {
    title: String,
    about: Html,
    chapters: Vec<Chapter>,
}

impl Reference {
    /// The reference of this OpenAPI document in JSON.
    ///
    /// # Errors
    /// When it is not one.
    pub fn of(openapi: &str) -> Result<Self, Unreadable> {
        let document: Document = serde_json::from_str(openapi)?;
        Ok(Self {
            chapters: chapters::of(&document),
            about: Html::document(&document.info.description),
            title: document.info.title,
        })
    }

    /// What holds for the whole API.
    #[must_use]
    pub fn overview(&self, origin: &str) -> String {
        pages::overview(self, origin)
    }

    /// A chapter by its name in addresses, for readers who reach the service at this origin
    /// (`https://shop.example`); `None` if there is none.
    #[must_use]
    pub fn chapter(&self, slug: &str, origin: &str) -> Option<String> {
        let chapter = self.chapters.iter().find(|chapter| chapter.slug == slug)?;
        Some(pages::chapter(self, chapter, origin))
    }

    /// What has all of these words.
    #[must_use]
    pub fn search(&self, words: &str) -> String {
        pages::search(self, words)
    }

    /// What is shown where there is no page.
    #[must_use]
    pub fn nothing(&self) -> String {
        pages::nothing(self)
    }

    /// The chapters' names in addresses.
    pub fn slugs(&self) -> impl Iterator<Item = &str> {
        self.chapters.iter().map(|chapter| chapter.slug.as_str())
    }
}
