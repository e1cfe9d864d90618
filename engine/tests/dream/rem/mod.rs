mod creative;
