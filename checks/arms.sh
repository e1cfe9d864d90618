# For checks that live through the arms of a world; read by them with `.`, and no program of its own. They have set morta, here, out, first and worlds.

# NAME DESCRIPTION SCENARIO SETTINGS ARMS: lives through a sweep, or goes on with it, into $out/NAME. ARMS has a line `name|settings` for each.
live_through() {
    local name=$1 description=$2 scenario=$3 settings=$4 arms=$5 arm
    cat >"$out/$name.toml" <<TOML
name = "$(basename "$0" .sh)-$name"
description = "$description"
scenario = "$here/scenarios/$scenario"
[seeds]
first = $first
count = $worlds
[set]
$settings
TOML
    while IFS= read -r arm; do
        printf '[[arms]]\nname = "%s"\ndescription = "An arm."\nset = { %s }\n' "${arm%%|*}" "${arm#*|}" >>"$out/$name.toml"
    done <<<"$arms"
    local resume=()
    [ ! -d "$out/$name" ] || resume=(--resume)
    "$morta" sweep "$out/$name.toml" --out "$out/$name" "${resume[@]}" >"$out/$name.log" 2>&1 || { tail -3 "$out/$name.log" >&2; exit 1; }
}

# MORE...: what `morta stats compare` says of all arms against one another, the table alone.
compared() {
    "$morta" stats compare "$@" | sed -n '/ less /,/^Holm/{/^Holm/!p}'
}
