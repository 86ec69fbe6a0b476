DROP TABLE job_file_pieces;
DROP TABLE job_files;
