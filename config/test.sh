#!/usr/bin/env bash
# ./ostraka test [--long] [maven arguments]: the whole suite, then its minutes by group.
set -uo pipefail
cd "$(dirname "$0")/.."

excluded=long
if [ "${1:-}" = "--long" ]; then shift; excluded=none; fi

started=$(date +%s)
export OSTRAKA_CLIENTS=absent
clients=0
if command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1; then
  # The real clients, from the lock file alone; no scripts of packages run.
  if [ ! -f acceptance/node_modules/.stamp ] || [ acceptance/package-lock.json -nt acceptance/node_modules/.stamp ]; then
    (cd acceptance && npm ci --omit=optional --ignore-scripts --no-audit --no-fund >target-npm.log 2>&1 && touch node_modules/.stamp) &
    clients=$!
  fi
  export OSTRAKA_CLIENTS=present
elif [ "${CI:-}" = true ]; then
  echo "ostraka: node and npm are needed here, to run mongosh and the Node driver; install Node.js 20 or newer." >&2
  exit 1
fi

mvn=${OSTRAKA_MAVEN:-mvn}
command -v "$mvn" >/dev/null 2>&1 || { echo "ostraka: Maven not found. Install Maven 3.8.7 or newer so that 'mvn' is on the PATH." >&2; exit 1; }

if [ "$clients" != 0 ] && ! wait "$clients"; then
  cat acceptance/target-npm.log >&2
  echo "ostraka: the clients could not be installed from acceptance/package-lock.json." >&2
  [ "${CI:-}" = true ] && exit 1
  export OSTRAKA_CLIENTS=absent
fi
rm -f acceptance/target-npm.log

log=$(mktemp)
times=$(mktemp)
"$mvn" -B -ntp verify -Dtest.excludedGroups="$excluded" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# Seconds by group: a module's own tests are one group, the acceptance tests are grouped by package.
# From the lines printed, not from the reports: classes with tests of two engines write one report over the other.
# A line a class: module, class, seconds, tests, errors and failures, skipped.
awk '
  / Building ostraka-/ { for (i = 1; i < NF; i++) if ($i == "Building") { module = $(i + 1); sub(/^ostraka-/, "", module) } }
  /Tests run: .* Time elapsed: / { gsub(/,/, "")
    for (i = 1; i <= NF; i++) { if ($i == "run:") t = $(i + 1); if ($i == "Failures:") f = $(i + 1); if ($i == "Errors:") e = $(i + 1)
      if ($i == "Skipped:") s = $(i + 1); if ($i == "elapsed:") sec = $(i + 1); if ($i == "in") class = $(i + 1) }
    print module, class, sec, t, e + f, s }' "$log" > "$times"
echo
echo "Time by group:"
awk '
  { group = $1; if (group == "acceptance") { split($2, part, "."); group = "acceptance " part[4] }
    seconds[group] += $3; tests[group] += $4; skipped[group] += $6 }
  END { for (g in seconds) printf "  %-28s %7.1f s  %6d tests%s\n", g, seconds[g], tests[g], skipped[g] ? "  " skipped[g] " skipped" : "" }' "$times" | sort
# The budgets stand in docs/testing.md; over by half is worth a look, and never a failure.
awk '
  NR == FNR { group = $1; if (group == "acceptance") { split($2, part, "."); group = "acceptance " part[4] }; seconds[group] += $3; next }
  /^\| [a-z]/ { n = split($0, cell, "|"); budget = cell[3] + 0; if (budget == 0) next
    names = cell[2]; prefix = ""; if (sub(/^ *acceptance /, "", names)) prefix = "acceptance "
    count = split(names, name, ","); spent = 0
    for (i = 1; i <= count; i++) { gsub(/^ +| +$/, "", name[i]); spent += seconds[prefix name[i]] }
    if (spent > budget * 1.5) printf "  Warning: group%s took %.0f s; its budget is %d s\n", cell[2], spent, budget }' "$times" docs/testing.md
echo "  in all                       $(( $(date +%s) - started )) s, build and checks included"

names=$(awk '$6 > 0 { print $2 }' "$times" | tr '\n' ' ')
[ -n "$names" ] && echo "Skipped tests in: $names"
awk '{ t += $4; bad += $5; s += $6 } END { printf "%d passed, %d failed, %d skipped\n", t - bad - s, bad, s }' "$times"
rm -f "$times" "$log"
exit "$status"
