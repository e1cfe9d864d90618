# Logs of a game's agent that are made up: awk -v sessions=100 -v logs=data/sessions/ada -f sessions.awk
#
# A log an evening, of sixty turns: walks, fights with what is weaker and stronger, flights, dealings with a few people of whom one betrays, and finds.
function luck() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function substr_of(list, n,    parts) { split(list, parts, ","); return parts[n] }

BEGIN {
  state = 20260101
  for (s = 0; s < sessions; s++) {
    month = 1 + int(s / 28); day = 1 + s % 28
    log_file = sprintf("%s/2026-%02d-%02d-190000.jsonl", logs, month, day)
    room = 3001; hp = 50
    for (t = 0; t < 60; t++) {
      extra = ""; action = "look"; args = ""
      what = luck()
      if (what < 0.3) { action = substr_of("north,south,east,west", 1 + int(luck() * 4)); room = 3001 + int(luck() * 12) }
      else if (what < 0.55) {
        mob = 1 + int(luck() * 5)
        action = luck() < 0.5 ? "kill" : "hit"; args = "\"" substr_of("rat,wolf,orc,troll,dragon", mob) "\""
        extra = sprintf(", \"agent_level\": 20, \"mob_level\": %d, \"fighting\": %s", substr_of("5,17,21,26,40", mob), args)
        hp -= int(luck() * 5 * mob)
      } else if (what < 0.62 && hp < 35) {
        action = "flee"; extra = ", \"fighting\": \"" substr_of("orc,troll,dragon", 1 + int(luck() * 3)) "\""; hp += 10
      } else if (what < 0.8) {
        who = 1 + int(luck() * 4)
        action = "say"; args = "\"well met\""
        extra = sprintf(", \"social_target\": \"%s\", \"social_type\": \"%s\"", substr_of("Brenda,Elara,Tomas,Vex", who), \
          who == 4 ? substr_of("betrayal,insult,threaten", 1 + int(luck() * 3)) : substr_of("gift,assist,greet", 1 + int(luck() * 3)))
      } else if (what < 0.9) {
        action = "get"; args = "\"" substr_of("bread,sword,crown", 1 + int(luck() * 3)) "\""
        extra = sprintf(", \"item_level\": %d", int(luck() * 100))
      } else hp = 50
      if (hp < 1) hp = 50
      printf "{\"timestamp\": \"2026-%02d-%02dT19:%02d:%02dZ\", \"action\": \"%s\", \"args\": [%s], \"room_vnum\": %d, \"room_name\": \"room %d\", " \
        "\"hp\": %d, \"max_hp\": 50%s}\n", month, day, int(t / 2), 30 * (t % 2), action, args, room, room, hp, extra > log_file
    }
    close(log_file)
  }
}
