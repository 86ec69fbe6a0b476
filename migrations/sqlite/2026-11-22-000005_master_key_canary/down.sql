DROP TABLE master_key_canary;
