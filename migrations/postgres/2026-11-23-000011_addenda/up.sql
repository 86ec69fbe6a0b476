-- What a buyer wants to find in the document beside what the tax authority does, as XML: appended to what is served.
ALTER TABLE invoice_papers ADD COLUMN addenda TEXT;
