DROP TABLE parked_forms;
