DROP TABLE former_invoices;
