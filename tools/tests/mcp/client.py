"""The memories' MCP servers, spoken to by the official Python client: over standard input and output, and over streamable HTTP.

    python client.py PATH_OF_MORTA_MEMORY
"""

import asyncio
import contextlib
import importlib.metadata
import pathlib
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

TRADE = {
    "symbol": "XAUUSD", "direction": "long", "entry_price": 2000.0, "exit_price": 2010.0, "pnl": 150.0, "pnl_r": 1.5, "strategy_name": "breakout",
    "market_context": "quiet", "context_regime": "trending_up", "context_atr_d1": 20.0, "confidence": 0.6, "reflection": "waited",
}
FACT = "VLAN ten is for guests"


def over_stdio(program, room, flags):
    return stdio_client(StdioServerParameters(command=str(program), args=flags, cwd=str(room)))


@contextlib.asynccontextmanager
async def over_http(program, room, flags):
    server = subprocess.Popen([program, *flags, "--http"], cwd=room, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().split()[-1]
        async with streamablehttp_client(url) as (read, write, _):
            yield read, write
    finally:
        server.terminate()
        assert server.wait() == 0, "the server ends in peace"


async def session(over, program, room, flags, talk):
    async with over(program, room, flags) as (read, write):
        async with ClientSession(read, write) as client:
            await client.initialize()
            await talk(client)


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.isError, result.content
    return result.structuredContent


async def owm(client):
    tools = [tool.name for tool in (await client.list_tools()).tools]
    assert len(tools) == 11 and "recall_memories" in tools, tools
    for _ in range(3):
        assert (await call(client, "remember_trade", **TRADE))["trades"] == 1
    recalled = await call(client, "recall_memories", symbol="XAUUSD", market_context="quiet", context_regime="trending_up")
    assert [memory["memory_type"] for memory in recalled["ranked"]].count("episodic") == 3, recalled
    assert (await call(client, "get_agent_state"))["consecutive_wins"] == 3
    await call(client, "create_trading_plan", trigger_condition={"regime": "volatile"}, planned_action={"type": "alert"}, reasoning="look twice")
    assert len((await call(client, "check_active_plans", current_context={"regime": "volatile"}))["plans"]) == 1
    assert (await call(client, "get_strategy_performance"))["performance"][0]["win_rate"] == 1.0
    assert (await call(client, "get_trade_reflection", trade_id="0"))["reflection"] == "waited"
    assert (await call(client, "get_behavioral_analysis"))["habits"]
    wrong = await client.call_tool("remember_trade", {"symbol": "XAUUSD"})
    assert wrong.isError and "missing field" in wrong.content[0].text, wrong


async def dark_pawns(client):
    assert (await call(client, "get_login_message", agent="ada"))["message"]["type"] == "memory_summary"
    assert (await call(client, "get_login_message", agent="eve"))["message"] is None


async def openclaw(client):
    hit = {"path": "memory/2026-04-01.md", "startLine": 1, "endLine": 1, "score": 1.0, "snippet": FACT}
    for n in range(10):
        at = f"2026-04-{1 + n // 3:02}T{8 + n % 3:02}:00:00Z"
        await call(client, "record_search", query=f"question {n}", results=[hit], at=at)
    assert (await call(client, "get_status"))["store"]
    done = await call(client, "promote", apply=True, now="2026-04-05T03:00:00Z")
    assert done["passing"] == 1, done


async def use_all(over, program):
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        (room / "dreaming/ada").mkdir(parents=True)
        (room / "dreaming/ada/memory-summary.txt").write_text("I met a dragon.\n")
        (room / "ws/memory").mkdir(parents=True)
        (room / "ws/memory/2026-04-01.md").write_text(FACT + "\n")
        await session(over, program, room, ["owm", "serve", "store"], owm)
        await session(over, program, room, ["dark-pawns", "serve", "dreaming"], dark_pawns)
        await session(over, program, room, ["openclaw", "serve", "ws"], openclaw)
        assert FACT in (room / "ws/MEMORY.md").read_text()


async def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    for over, name in [(over_stdio, "standard input and output"), (over_http, "streamable HTTP")]:
        await use_all(over, program)
        print(f"mcp: the official Python client {importlib.metadata.version('mcp')} has used all three servers over {name}")


asyncio.run(main())
