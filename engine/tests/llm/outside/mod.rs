mod call;
