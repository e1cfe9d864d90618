# A journal of trades that are made up: awk -v trades=10000 -f trades.awk > trades.csv
#
# Two strategies on two instruments, three trades a day. The market ranges for ten days and is wild for ten: a breakout gains seven times of ten in the
# first, three times of ten in the second; a fade is the other way round. Luck comes from a generator of its own (Park and Miller's), so that every awk
# writes the same.
function luck() { state = (state * 16807) % 2147483647; return state / 2147483647 }

BEGIN {
  state = 20240101
  print "id,timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl,lot_size,market_context"
  for (n = 0; n < trades; n++) {
    day = int(n / 3); hour = 7 + 3 * (n % 3)
    date = sprintf("%d-%02d-%02d", 2015 + int(day / 336), 1 + int(day % 336 / 28), 1 + day % 28)
    ranging = int(day / 10) % 2 == 0
    strategy = luck() < 0.5 ? "breakout" : "fade"
    symbol = luck() < 0.7 ? "XAUUSD" : "XAGUSD"
    price = symbol == "XAUUSD" ? 2000 : 25
    risk = price / 200
    won = luck() < ((strategy == "breakout") == ranging ? 0.7 : 0.3)
    made = won ? 1.5 * risk : -risk
    printf "T%05d,%s %02d:00,%s %02d:00,%s,%s,long,%.3f,%.3f,%.3f,%.2f,0.1,%s\n", n, date, hour, date, hour + 2, symbol, strategy, \
      price, price + made, price - risk, made / risk * 100, ranging ? "a sideways market" : "whipsaw all day"
  }
}
