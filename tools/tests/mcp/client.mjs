// The memories' MCP servers, spoken to by the official TypeScript client over standard input and output, and over streamable HTTP: node client.mjs PATH_OF_MORTA_MEMORY, where @modelcontextprotocol/sdk is installed.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ProgressNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const memory = path.resolve(process.argv[2]);
const version = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "node_modules/@modelcontextprotocol/sdk/package.json"))).version;

async function overStdio(room, flags, talk) {
  await talk(new StdioClientTransport({ command: memory, args: flags, cwd: room }));
}

async function overHttp(room, flags, talk) {
  const server = spawn(memory, [...flags, "--http"], { cwd: room, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(readline.createInterface({ input: server.stdout }), "line");
  await talk(new StreamableHTTPClientTransport(new URL(line.split(/\s+/).at(-1))));
  server.kill();
  assert.deepEqual(await once(server, "exit"), [0, null]);
}

async function session(over, room, flags, talk) {
  await over(room, flags, async transport => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    const call = async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      assert(!result.isError, JSON.stringify(result.content));
      return result.structuredContent;
    };
    await talk(call, client);
    await client.close();
  });
}

for (const [over, name] of [[overStdio, "standard input and output"], [overHttp, "streamable HTTP"]]) {
  const room = fs.mkdtempSync(path.join(os.tmpdir(), "mcp-"));
  fs.mkdirSync(path.join(room, "dreaming/ada"), { recursive: true });
  fs.writeFileSync(path.join(room, "dreaming/ada/memory-summary.txt"), "I met a dragon.\n");
  fs.mkdirSync(path.join(room, "ws/memory"), { recursive: true });
  await session(over, room, ["owm", "serve", "store"], async (call, client) => {
    assert.equal((await client.listTools()).tools.length, 11);
    const trade = { symbol: "XAUUSD", direction: "long", entry_price: 2000, exit_price: 1990, pnl: -100, pnl_r: -1, strategy_name: "breakout" };
    assert.equal((await call("remember_trade", trade)).trades, 1);
    assert.equal((await call("recall_memories", { symbol: "XAUUSD", strategy_name: "breakout" })).ranked.length, 1);
    assert.equal((await call("get_agent_state")).consecutive_losses, 1);
    assert((await client.callTool({ name: "get_trade_reflection", arguments: { trade_id: "7" } })).isError);
  });
  for (let night = 1; night <= 5; night++) {
    const turn = { timestamp: `2026-05-0${night}T19:00:00Z`, action: "kill", args: ["rat"] };
    fs.mkdirSync(path.join(room, "sessions/eve"), { recursive: true });
    fs.writeFileSync(path.join(room, `sessions/eve/2026-05-0${night}-190000.jsonl`), JSON.stringify(turn) + "\n");
  }
  await session(over, room, ["dark-pawns", "serve", "dreaming", "--sessions", "sessions"], async (call, client) => {
    // From here on the client holds every answer against the schema that it was told of.
    await client.listTools();
    assert.equal((await call("get_login_message", { agent: "ada" })).message.type, "memory_summary");
    assert.equal((await call("get_login_message", { agent_id: "nobody", sessionId: "s" })).message, null);
    assert.deepEqual((await client.listResources()).resources.map(one => one.uri), ["dark-pawns://summary/ada"]);
    assert.match((await client.readResource({ uri: "dark-pawns://summary/ada" })).contents[0].text, /dragon/);
    await assert.rejects(client.readResource({ uri: "dark-pawns://summary/nobody" }), error => error.code === -32002);
    assert.match((await client.getPrompt({ name: "at_login", arguments: { agent: "ada" } })).messages[0].content.text, /dragon/);
    // Not by onprogress: this client forgets its handler at the answer, before it has handed on reports that came in the same piece.
    const steps = [];
    client.setNotificationHandler(ProgressNotificationSchema, step => { steps.push(step.params.progress); });
    const night = { name: "dream", arguments: { agent: "eve", nightly: true }, _meta: { progressToken: "night" } };
    const dreamt = await client.callTool(night);
    assert.equal(dreamt.structuredContent.events_extracted, 5);
    assert.deepEqual(steps, [1, 2, 3, 4, 5]);
  });
  await session(over, room, ["openclaw", "serve", "ws"], async call => {
    const hit = { path: "memory/2026-04-01.md", startLine: 1, endLine: 1, score: 1, snippet: "VLAN ten is for guests" };
    assert.equal((await call("record_search", { query: "vlan", results: [hit] })).recalls, 1);
    assert.equal((await call("promote")).passing, 0);
  });
  fs.rmSync(room, { recursive: true });
  console.log(`mcp: the official TypeScript client ${version} has used all three servers over ${name}`);
}
