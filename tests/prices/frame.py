"""Makes pandas.parquet: hours of a data frame in New York's time, over the night in which its clocks go back, newest first, one hour without trades."""

import pandas

hours = pandas.date_range("2023-11-03 09:00", periods=72, freq="h", tz="America/New_York", name="Datetime")
close = [100 + (7 * hour % 13) / 8 for hour in range(72)]
frame = pandas.DataFrame({"Close": close, "Volume": range(72)}, index=hours)
frame["Open"] = frame["Close"].shift(1, fill_value=100.0)
frame["High"] = frame[["Open", "Close"]].max(axis=1) + 0.5
frame["Low"] = frame[["Open", "Close"]].min(axis=1) - 0.5
frame.loc[frame.index[40], ["Open", "High", "Low", "Close"]] = None
frame.iloc[::-1].to_parquet("pandas.parquet")
