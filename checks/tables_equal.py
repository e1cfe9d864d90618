#!/usr/bin/env python3
"""Compares the Parquet tables of two folders, such as one run written by two builds, value for value.

    python3 -m venv env && env/bin/pip install pyarrow pandas
    env/bin/python checks/tables_equal.py BEFORE_DIR AFTER_DIR

Held against each other: which tables there are (folders below included), their columns in order with type and nullability, rows in
order, empty cells, the bits of numbers, texts, what pandas makes of them, and each column's unit and meaning, which may stand in the
fields' metadata or in the footer's entry `morta:columns`. Prints a line per table, and ends with 1 if anything differs.
"""

import json
import sys
from pathlib import Path

import pandas
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet as parquet


def described(schema):
    """Unit and meaning by column."""
    entry = (schema.metadata or {}).get(b"morta:columns")
    if entry is not None:
        return json.loads(entry)
    fields = {field.name: field.metadata or {} for field in schema}
    return {name: {key.decode(): text.decode() for key, text in told.items() if not key.startswith(b"PARQUET:")}
            for name, told in fields.items()}


def differing(ours, theirs):
    """How many cells of two columns of one type and length differ."""
    ours, theirs = ours.combine_chunks(), theirs.combine_chunks()
    if pyarrow.types.is_floating(ours.type):  # By their bits: NaN is NaN, and 0 is not -0.
        bits = [pyarrow.array(cells.fill_null(0).to_numpy(zero_copy_only=False).view("u8"), mask=cells.is_null().to_numpy(zero_copy_only=False))
                for cells in (ours, theirs)]
        ours, theirs = bits
    same = compute.fill_null(compute.equal(ours, theirs), compute.and_(ours.is_null(), theirs.is_null()))
    return len(ours) - (compute.sum(same).as_py() or 0)


def compare(before, after):
    """What differs between two tables, in words, and their size."""
    schemas = parquet.read_schema(before), parquet.read_schema(after)
    shapes = [[(field.name, field.type, field.nullable) for field in schema] for schema in schemas]
    told = []
    if shapes[0] != shapes[1]:
        told += [f"column {ours} became {theirs}" for ours, theirs in zip(*shapes) if ours != theirs]
        told += [] if told else [f"{len(shapes[0])} columns became {len(shapes[1])}"]
    texts = [described(schema) for schema in schemas]
    told += [f"{name}: described otherwise" for name in texts[0] if texts[0][name] != texts[1].get(name)]
    ours, theirs = parquet.read_table(before), parquet.read_table(after)
    if ours.num_rows != theirs.num_rows:
        told.append(f"{ours.num_rows} rows became {theirs.num_rows}")
    elif shapes[0] == shapes[1]:
        cells = {name: differing(ours[name], theirs[name]) for name in ours.column_names}
        told += [f"{name}: {count} cells differ" for name, count in cells.items() if count]
        if not pandas.read_parquet(before).equals(pandas.read_parquet(after)):
            told.append("pandas reads them differently")
    return told, ours.num_rows, ours.num_columns


def tables(folder):
    """The tables of a folder by name. Those of a sweep's cells go by arm and seed: their own folders are named by a hash of the build, too."""
    found = {}
    for path in Path(folder).rglob("*.parquet"):
        cell = path.parent / "cell.json"
        told = json.loads(cell.read_text()) if cell.exists() else None
        name = f"cell {told['arm']}, seed {told['seed']}: {path.name}" if told else str(path.relative_to(folder))
        found[name] = path
    return found


def main(before, after):
    names = [tables(folder) for folder in (before, after)]
    found = [f"{name}: in one folder only" for name in sorted(names[0].keys() ^ names[1].keys())]
    if not names[0]:
        found.append(f"{before}: no tables")
    for name in sorted(names[0].keys() & names[1].keys()):
        pair = names[0][name], names[1][name]
        told, rows, columns = compare(*pair)
        sizes = [path.stat().st_size for path in pair]
        print(f"{name}: {rows} rows, {columns} columns, {len(told)} differences, {sizes[0]} bytes became {sizes[1]}")
        found += [f"{name}: {line}" for line in told]
    print(*found, f"{len(found)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
