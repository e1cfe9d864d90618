"""Writes a Parquet file with every kind of column for the tests of `lab/src/io/table_file/parquet_file.rs`:

    python checks/pyarrow_fixture.py lab/src/io/table_file/pyarrow.parquet
"""

import datetime
import decimal
import sys

import pyarrow as pa
import pyarrow.parquet as pq

c = {}
for bits in (8, 16, 32, 64):
    c[f"int{bits}"] = pa.array([-(2 ** (bits - 1)), None, 2 ** (bits - 1) - 1], getattr(pa, f"int{bits}")())
    c[f"uint{bits}"] = pa.array([0, None, 2**bits - 1], getattr(pa, f"uint{bits}")())
c["float"] = pa.array([-0.5, None, 0.1], pa.float32())
c["double"] = pa.array([-0.5, None, 0.1], pa.float64())
c["text"] = pa.array(["a", None, "ü"])
c["large"] = pa.array(["a", None, "ü"], pa.large_string())
c["category"] = pa.array(["a", None, "ü"]).dictionary_encode()
c["flag"] = pa.array([True, None, False])
day = datetime.datetime(2020, 1, 1)
c["date"] = pa.array([day.date()] * 3)
c["time"] = pa.array([datetime.time(1)] * 3, pa.time64("us"))
c["stamp"] = pa.array([day] * 3, pa.timestamp("ns"))
c["moment"] = pa.array([day] * 3, pa.timestamp("ms", "UTC"))
c["decimal"] = pa.array([decimal.Decimal("1.25")] * 3, pa.decimal128(10, 2))
c["binary"] = pa.array([b"x"] * 3)
c["list"] = pa.array([[1]] * 3)
c["struct"] = pa.array([{"x": 1}] * 3)
pq.write_table(pa.table(c), sys.argv[1])
