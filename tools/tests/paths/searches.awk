# A month of an OpenClaw workspace that is made up: awk -v ws=WORKSPACE -v a_day=40 -f searches.awk > searches.jsonl
#
# Writes thirty daily notes of ten facts each into WORKSPACE/memory, and the searches of the month: a few facts are asked for again and again, in other
# words and on other days, most hardly ever.
function luck() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function fact(day, line) { return sprintf("%s %d is %s since day %d", subject[(day * 7 + line) % 10], day * 10 + line, verb[(day + line) % 6], day) }

BEGIN {
  state = 20260401
  split("router printer backup budget garden invoice server camera ticket bicycle", words, " ")
  for (n = 1; n <= 10; n++) subject[n - 1] = words[n]
  split("moved,renewed,broken,paid,on loan,replaced", words, ",")
  for (n = 1; n <= 6; n++) verb[n - 1] = words[n]
  for (day = 1; day <= 30; day++) {
    note = sprintf("%s/memory/2026-04-%02d.md", ws, day)
    printf "# April %d\n\n", day > note
    for (line = 1; line <= 10; line++) print fact(day, line) > note
    close(note)
  }
  for (day = 1; day <= 30; day++) for (n = 0; n < a_day; n++) {
    minute = 7 * 60 + int(n * 14 * 60 / a_day)
    # Cubed luck is mostly small: what was noted lately, and the first lines of a day.
    of = day - int(luck() ^ 3 * day); line = 1 + int(luck() ^ 3 * 10)
    printf "{\"at\": \"2026-04-%02dT%02d:%02d:00Z\", \"query\": \"what about %s, %d\", \"results\": [{\"path\": \"memory/2026-04-%02d.md\", " \
      "\"startLine\": %d, \"endLine\": %d, \"score\": %.2f, \"snippet\": \"%s\"}]}\n", day, int(minute / 60), minute % 60, \
      subject[(of * 7 + line) % 10], int(luck() * 9), of, line + 2, line + 2, 0.8 + 0.2 * luck(), fact(of, line)
  }
}
