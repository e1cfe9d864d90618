mod encode;
