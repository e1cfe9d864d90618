mod sum_tree;
