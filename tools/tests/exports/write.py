"""Writes small exports of backtests by the packages' own writers: the files beside `README.md` in tools/tests/exports.

python -m venv v && v/bin/pip install vectorbt==1.2.0 backtrader==1.9.78.123 backtesting==0.6.6 freqtrade==2026.9
v/bin/python exports.py vectorbt|backtrader|backtesting|freqtrade FOLDER
"""
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

PRICES = [100.0, 101.5, 103.25, 102.0, 99.5, 98.0, 101.0, 104.5, 103.0, 100.25, 97.5, 99.0]
START = datetime(2026, 1, 5, tzinfo=timezone.utc)


def by_vectorbt(folder):
    import pandas as pd
    import vectorbt as vbt

    index = pd.date_range("2026-01-05", periods=len(PRICES), freq="1D", tz="UTC")
    close = pd.DataFrame({"AAA": PRICES, "BBB": PRICES[::-1]}, index=index)
    entries = close < 0
    entries.iloc[[1, 6]] = True
    exits = close < 0
    exits.iloc[[3, 8]] = True
    portfolio = vbt.Portfolio.from_signals(
        close, entries, exits, short_entries=exits, short_exits=entries, size=2.0, fees=0.001, init_cash=10_000, freq="1D"
    )
    portfolio.trades.records_readable.to_csv(folder / "vectorbt-trades.csv", index=False)
    portfolio.positions.records_readable.to_csv(folder / "vectorbt-positions.csv", index=False)
    portfolio.orders.records_readable.to_csv(folder / "vectorbt-orders.csv", index=False)


def by_backtrader(folder):
    import backtrader as bt

    class Turns(bt.Strategy):
        def next(self):
            place = len(self)
            if place in (2, 7):
                self.buy(size=3)
            elif place in (5, 10):
                self.close()
            elif place == 6:
                self.sell(size=1)

    rows = ["datetime,open,high,low,close,volume,openinterest"]
    for day, price in enumerate(PRICES):
        at = START + timedelta(days=day)
        rows.append(f"{at:%Y-%m-%d},{price},{price + 1},{price - 1},{price},100,0")
    bars = folder / "bars.tmp"
    bars.write_text("\n".join(rows) + "\n")
    cerebro = bt.Cerebro(stdstats=False)
    cerebro.adddata(bt.feeds.GenericCSVData(dataname=str(bars), dtformat="%Y-%m-%d"), name="AAA")
    cerebro.addstrategy(Turns)
    cerebro.addanalyzer(bt.analyzers.TradeAnalyzer)
    cerebro.addanalyzer(bt.analyzers.Transactions, headers=True)
    cerebro.addobserver(bt.observers.Trades)
    cerebro.addobserver(bt.observers.BuySell)
    cerebro.broker.setcash(10_000)
    cerebro.broker.setcommission(0.001)
    cerebro.addwriter(bt.WriterFile, csv=True, out=str(folder / "backtrader-writer.csv"))
    cerebro.run()
    bars.unlink()


def by_backtesting(folder):
    import pandas as pd
    from backtesting import Backtest, Strategy

    class Turns(Strategy):
        def init(self):
            pass

        def next(self):
            place = len(self.data)
            if place == 2:
                self.buy(size=3, sl=95.0, tag="turn")
            elif place == 6:
                self.position.close()
                self.sell(size=2)

    index = pd.date_range("2026-01-05", periods=len(PRICES), freq="1D")
    bars = pd.DataFrame({"Open": PRICES, "High": [p + 1 for p in PRICES], "Low": [p - 1 for p in PRICES], "Close": PRICES}, index=index)
    test = Backtest(bars, Turns, cash=10_000, commission=0.001, finalize_trades=True)
    test.run()._trades.to_csv(folder / "backtesting-trades.csv")


def freqtrade_trades():
    from freqtrade.persistence import Order, Trade

    trades = []
    for number, (entry, exit_, short) in enumerate([(1, 3, False), (6, 8, True), (8, None, False)]):
        opened = START + timedelta(days=entry)
        rate = PRICES[entry]
        trade = Trade(
            pair="ADA/USDT", base_currency="ADA", stake_currency="USDT", exchange="binance", stake_amount=200.0, amount=200.0 / rate,
            open_rate=rate, open_date=opened, fee_open=0.001, fee_close=0.001, strategy="SampleStrategy", enter_tag="turn",
            timeframe=60, leverage=1.0, is_short=short, is_open=True,
        )
        trade.adjust_stop_loss(rate, -0.05, initial=True)
        side = "sell" if short else "buy"
        trade.orders.append(Order(
            ft_order_side=side, ft_pair=trade.pair, ft_is_open=False, ft_amount=trade.amount, ft_price=rate, order_id=f"o{number}",
            status="closed", symbol=trade.pair, order_type="limit", side=side, price=rate, average=rate, amount=trade.amount,
            filled=trade.amount, remaining=0.0, cost=200.0, order_date=opened, order_filled_date=opened,
        ))
        trade.recalc_open_trade_value()
        if exit_ is not None:
            closed = START + timedelta(days=exit_)
            side = "buy" if short else "sell"
            trade.orders.append(Order(
                ft_order_side=side, ft_pair=trade.pair, ft_is_open=False, ft_amount=trade.amount, ft_price=PRICES[exit_], order_id=f"x{number}",
                status="closed", symbol=trade.pair, order_type="limit", side=side, price=PRICES[exit_], average=PRICES[exit_],
                amount=trade.amount, filled=trade.amount, remaining=0.0, cost=trade.amount * PRICES[exit_],
                order_date=closed, order_filled_date=closed,
            ))
            trade.exit_reason = "roi"
            trade.close_date = closed
            trade.close(PRICES[exit_])
        trades.append(trade)
    return trades


def by_freqtrade(folder):
    import sqlite3
    from freqtrade.misc import file_dump_json
    from freqtrade.persistence import Trade, init_db

    base = folder / "tradesv3.tmp"
    init_db(f"sqlite:///{base}")
    for trade in freqtrade_trades():
        Trade.session.add(trade)
    Trade.commit()
    written = [trade.to_json(minified=True) for trade in Trade.get_trades().all() if not trade.is_open]
    # A backtest's file holds what to_json says of each trade, under its strategy.
    results = {"strategy": {"SampleStrategy": {"trades": written}}, "strategy_comparison": []}
    file_dump_json(folder / "freqtrade-backtest.json", results)
    Trade.session.remove()
    # Of the database its table of trades, as the statements that make it.
    lines = sqlite3.connect(base).iterdump()
    kept = [line for line in lines if line.startswith(("CREATE TABLE trades ", 'INSERT INTO "trades"'))]
    (folder / "freqtrade-tradesv3.sql").write_text("\n".join(kept) + "\n")
    for path in folder.glob("tradesv3.tmp*"):
        path.unlink()


if __name__ == "__main__":
    {"vectorbt": by_vectorbt, "backtrader": by_backtrader, "backtesting": by_backtesting, "freqtrade": by_freqtrade}[sys.argv[1]](Path(sys.argv[2]))
