mod arena;
