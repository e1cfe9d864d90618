// OpenClaw's own recall store, ranking and promotion beside Morta's, on random searches: node openclaw.mjs PATH_OF_MORTA_MEMORY, in the folder where the package
// lies. Its modules are read as they are; what they import besides of the program around them is never called here, and stands empty.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { register } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const STUB = "data:text/javascript,export const m = () => {}; export const p = m; export const t = m;";
const AROUND = ["memory-core-host-status", "agent-scope", "memory-search"];
const hooks = `export const resolve = (name, context, next) =>
  ${JSON.stringify(AROUND)}.some(part => name.includes("/" + part + "-")) ? { url: ${JSON.stringify(STUB)}, shortCircuit: true } : next(name, context);`;
register("data:text/javascript," + encodeURIComponent(hooks));

const memory = path.resolve(process.argv[2]);
const dist = path.resolve("package/dist");
const file = fs.readdirSync(dist).find(name => /^short-term-promotion-.*\.js$/.test(name));
const exported = Object.values(await import(pathToFileURL(path.join(dist, file))));
const named = name => exported.find(value => value?.name === name);
const [record, rank, apply] = ["recordShortTermRecalls", "rankShortTermPromotionCandidates", "applyShortTermPromotions"].map(named);

let state = 21;
const luck = () => (state = (state * 16807) % 2147483647) / 2147483647;
const below = n => Math.floor(luck() * n);
const WORDS = "router printer backup VLAN guest-network budget S3 glacier ollama:12345 invoice 2026 camera lease.yaml bicycle".split(" ");
const words = n => Array.from({ length: n }, () => WORDS[below(WORDS.length)]).join(" ");

function a_month() {
  const facts = Array.from({ length: 4 + below(20) }, (_, n) => ({ day: 1 + below(20), line: 1 + n, snippet: words(2 + below(8)) }));
  let now = Date.parse("2026-04-21T06:00:00Z");
  const searches = Array.from({ length: 10 + below(120) }, () => {
    now += below(4 * 3_600_000);
    const results = Array.from({ length: 1 + below(3) }, () => facts[below(facts.length)]).map(fact => ({
      path: `memory/2026-04-${String(fact.day).padStart(2, "0")}.md`, startLine: fact.line, endLine: fact.line, score: luck(), snippet: fact.snippet, source: "memory",
    }));
    return { at: new Date(now).toISOString(), query: words(1 + below(3)), results };
  });
  return { facts, searches, now: now + below(86_400_000) };
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
const same = (a, b) => (typeof a === "number" ? near(a, b) : JSON.stringify(a) === JSON.stringify(b));
const FIELDS = ["path", "startLine", "endLine", "snippet", "recallCount", "totalScore", "maxScore", "firstRecalledAt", "lastRecalledAt", "queryHashes", "recallDays"];

async function compare(month, room, count) {
  const [ours, theirs] = ["ours", "theirs"].map(name => path.join(room, name));
  for (const ws of [ours, theirs]) {
    fs.mkdirSync(path.join(ws, "memory/.dreams"), { recursive: true });
    for (const { day, line, snippet } of month.facts) {
      const note = path.join(ws, `memory/2026-04-${String(day).padStart(2, "0")}.md`);
      const lines = fs.existsSync(note) ? fs.readFileSync(note, "utf8").split("\n") : [];
      for (let n = 0; n < line; n++) lines[n] ??= "";
      lines[line - 1] = snippet;
      fs.writeFileSync(note, lines.join("\n"));
    }
  }
  const store = ws => path.join(ws, "memory/.dreams/short-term-recall.json");
  const tell = (...args) => JSON.parse(execFileSync(memory, ["openclaw", ...args, "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
  fs.writeFileSync(path.join(room, "log.jsonl"), month.searches.map(search => JSON.stringify(search) + "\n").join(""));
  tell("record", store(ours), path.join(room, "log.jsonl"));
  for (const { at, query, results } of month.searches) await record({ workspaceDir: theirs, query, results, nowMs: Date.parse(at), timezone: "UTC" });
  const [a, b] = [ours, theirs].map(ws => JSON.parse(fs.readFileSync(store(ws))).entries);
  count("keys", same(Object.keys(a), Object.keys(b)));
  for (const [key, entry] of Object.entries(b)) {
    count("entries", FIELDS.every(field => same(a[key]?.[field], entry[field])));
    // The words that count before all others are ours; what they leave is cut alike.
    count("tags", same([...(a[key]?.conceptTags ?? [])].sort(), [...entry.conceptTags].sort()));
    // From here on both hold the same tags.
    a[key].conceptTags = entry.conceptTags;
  }
  fs.writeFileSync(store(ours), JSON.stringify({ ...JSON.parse(fs.readFileSync(store(ours))), entries: a }));
  const open = { minScore: 0, minRecallCount: 0, minUniqueQueries: 0 };
  const theirRanking = await rank({ workspaceDir: theirs, nowMs: month.now, ...open });
  const now = new Date(month.now).toISOString();
  const ourRanking = tell("promote", store(ours), "--now", now, "--min-score", "0", "--min-recall-count", "0", "--min-unique-queries", "0").entries;
  for (const entry of theirRanking) {
    const row = ourRanking.find(row => row.key === entry.key);
    count("scores", near(row.score, entry.score));
    count("signals", Object.entries(entry.components).every(([name, value]) => near(row.components[name], value)));
  }
  const candidates = await rank({ workspaceDir: theirs, nowMs: month.now, minScore: 0.6, minRecallCount: 3, minUniqueQueries: 3 });
  await apply({ workspaceDir: theirs, candidates, nowMs: month.now, minScore: 0.6, minRecallCount: 3, minUniqueQueries: 3, limit: 100, timezone: "UTC" });
  tell("promote", store(ours), "--apply", "--now", now, "--min-score", "0.6", "--min-recall-count", "3", "--min-unique-queries", "3", "--limit", "100", "--max-age-days", "1000");
  const memories = [ours, theirs].map(ws => path.join(ws, "MEMORY.md")).map(file => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : ""));
  const promoted = ws => Object.values(JSON.parse(fs.readFileSync(store(ws))).entries).filter(entry => entry.promotedAt).map(entry => entry.key).sort();
  count("promoted", same(promoted(ours), promoted(theirs)));
  // A fact has the moment of its promotion here, which the document asks for; one that another fact says has its marker there, or none.
  const own = memories[0].replaceAll(/ promoted=[^ \]]+\]$/gm, "]").replaceAll(/<!-- \S+ -->\n(?=<!-- )/g, "");
  const said = (pair, key, snippet) => (!own.includes(`:${key} -->`) && own.includes(snippet) ? "" : pair);
  const other = memories[1].replaceAll(/<!-- openclaw-memory-promotion:(\S+) -->\n- (.*) \[score=.*\n/g, said);
  // A new file has a blank line less under its title here.
  count("MEMORY.md", own === other.replace("\n\n\n", "\n\n"));
}

const tally = {};
const count = (what, is_same) => {
  tally[what] ??= [0, 0];
  tally[what][0] += is_same ? 1 : 0;
  tally[what][1] += 1;
};
const MONTHS = Number(process.env.MONTHS ?? 60);
for (let n = 0; n < MONTHS; n++) {
  const room = fs.mkdtempSync(path.join(os.tmpdir(), "openclaw-"));
  await compare(a_month(), room, count);
  fs.rmSync(room, { recursive: true });
}
// Which words a list protects is no arithmetic: their lists differ, and so may the tags of a text of nine words. All else must be the same.
const wrong = Object.entries(tally).filter(([what, [n, of]]) => n !== of && what !== "tags");
process.exitCode = wrong.length > 0 || tally.tags[0] < 0.9 * tally.tags[1] ? 1 : 0;
const version = JSON.parse(fs.readFileSync("package/package.json")).version;
console.log(`originals: OpenClaw ${version} beside Morta, ${MONTHS} months of searches: ` + Object.entries(tally).map(([what, [n, of]]) => `${what} ${n} of ${of}`).join(", "));
