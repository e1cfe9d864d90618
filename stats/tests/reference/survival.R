# Prints what stats/tests/statistics/late.rs expects of R: survival 3.5.3, which has robust errors and concordance of lives that enter late.
library(survival)
lives <- read.csv("../data/leukemia.csv")
row <- seq_len(nrow(lives)) - 1
lives$entry <- lives$t * c(0, .13, .37, 0)[row %% 4 + 1]
lives$weight <- c(1, 2, .5, 1.5, 3)[row %% 5 + 1]
lives$cluster <- row %% 14
show <- function(name, ...) cat(name, ":", paste(format(c(...), digits = 16), collapse = ", "), "\n")
exact <- coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 50)
for (ties in c("efron", "breslow")) {
  fit <- coxph(Surv(entry, t, status) ~ sex + logWBC + Rx, lives, weights = weight, cluster = cluster, ties = ties, control = exact)
  show(paste(ties, "coefficients"), coef(fit))
  show("  naive", sqrt(diag(fit$naive.var)))
  show("  robust", sqrt(diag(fit$var)))
  show("  log likelihood", fit$loglik)
  show("  concordance", concordance(fit)$concordance)
  fit <- coxph(Surv(entry, t, status) ~ sex + logWBC + Rx, lives, weights = weight, cluster = row, ties = ties, control = exact)
  show("  robust, each life its own", sqrt(diag(fit$var)))
}
fit <- coxph(Surv(entry, t, status) ~ sex + logWBC + Rx, lives, control = exact)
residual <- residuals(fit, "schoenfeld")
show("entries alone, Schoenfeld", colSums(residual * rank(as.numeric(rownames(residual)))))
show("  concordance", concordance(fit)$concordance)
lives$t <- lives$t + .001 * row
fit <- coxph(Surv(entry, t, status) ~ factor(Rx), lives)
show("log-rank of entries, untied: score test", fit$score)
flies <- read.csv("../data/waltons.csv")
row <- seq_len(nrow(flies)) - 1
flies$entry <- flies$T * c(0, .13, .37, 0)[row %% 4 + 1]
flies$weight <- c(1, 2, .5, 1.5, 3)[row %% 5 + 1]
for (group in c("control", "miR-137")) {
  # lifelines cuts weighted numbers at risk down to whole ones in its variance.
  some <- flies[flies$group == group, ]
  weighted <- survfit(Surv(T, E) ~ 1, some, weights = weight, conf.type = "log-log", robust = FALSE)
  both <- survfit(Surv(entry, T, E) ~ 1, some, weights = weight, conf.type = "log-log", robust = FALSE)
  for (curve in list(weighted, both)) {
    at <- summary(curve, times = c(20, 40, 60))
    show(paste(group, "survival, bands"), at$surv, at$lower, at$upper)
  }
}
