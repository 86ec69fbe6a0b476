DROP TABLE bulk_action_rows;
DROP TABLE bulk_actions;
