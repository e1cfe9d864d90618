# Prints the bounds of looks that stats/tests/statistics/looks.rs expects: ldbounds 2.0.2, whose grid is good for three decimals at best.
library(ldbounds)
for (iuse in 1:2) for (t in list((1:5) / 5, c(.1, .15, .9, 1), c(.3, .35, .37, .8, 1))) {
  found <- ldBounds(t = t, iuse = iuse, alpha = .05)
  cat(iuse, "|", t, "|", format(found$upper.bounds, digits = 10), "| spent", format(found$exit.pr, digits = 10), "\n")
}
