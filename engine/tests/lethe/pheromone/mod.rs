mod field;
