// The memories' MCP servers, spoken to by the official TypeScript client: node client.mjs PATH_OF_MORTA, where @modelcontextprotocol/sdk is installed.
import assert from "node:assert";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const morta = path.resolve(process.argv[2]);
const room = fs.mkdtempSync(path.join(os.tmpdir(), "mcp-"));
fs.mkdirSync(path.join(room, "dreaming/ada"), { recursive: true });
fs.writeFileSync(path.join(room, "dreaming/ada/memory-summary.txt"), "I met a dragon.\n");
fs.mkdirSync(path.join(room, "ws/memory"), { recursive: true });

async function session(flags, talk) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: morta, args: ["memory", ...flags], cwd: room }));
  const call = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    assert(!result.isError, JSON.stringify(result.content));
    return result.structuredContent;
  };
  await talk(call, client);
  await client.close();
}

await session(["owm", "serve", "store"], async (call, client) => {
  assert.equal((await client.listTools()).tools.length, 8);
  const trade = { symbol: "XAUUSD", direction: "long", entry_price: 2000, exit_price: 1990, pnl: -100, pnl_r: -1, strategy_name: "breakout" };
  assert.equal((await call("remember_trade", trade)).trades, 1);
  assert.equal((await call("recall_memories", { symbol: "XAUUSD", strategy_name: "breakout" })).ranked.length, 1);
  assert.equal((await call("get_agent_state")).consecutive_losses, 1);
  assert((await client.callTool({ name: "get_trade_reflection", arguments: { trade_id: "7" } })).isError);
});
await session(["dark-pawns", "serve", "dreaming"], async call => assert.equal((await call("get_login_message", { agent: "ada" })).message.type, "memory_summary"));
await session(["openclaw", "serve", "ws"], async call => {
  const hit = { path: "memory/2026-04-01.md", startLine: 1, endLine: 1, score: 1, snippet: "VLAN ten is for guests" };
  assert.equal((await call("record_search", { query: "vlan", results: [hit] })).recalls, 1);
  assert.equal((await call("promote")).passing, 0);
});
fs.rmSync(room, { recursive: true });
console.log("mcp: the official TypeScript client has used all three servers");
