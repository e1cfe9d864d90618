"""The version of a memory's code, so that results of one version are never taken for those of another."""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib
import importlib.metadata
import os
import re
import struct
import sys
import types
from typing import Any, Callable, Dict, Optional, Tuple

from .memory import Memory


class Unknown(Exception):
    """Something that code depends on and that can't be written down."""


#: Attributes of a class that Python makes, or that say nothing of what it does.
_MADE = frozenset(
    "__dict__ __weakref__ __module__ __doc__ __qualname__ __annotations__ __annotate__ __annotate_func__ __annotations_cache__ __firstlineno__"
    " __static_attributes__ __abstractmethods__ _abc_impl __dataclass_fields__ __dataclass_params__ __match_args__ __parameters__"
    " __orig_bases__ __type_params__ __classcell__".split()
)
_GLOBAL = frozenset(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"))


@functools.lru_cache(maxsize=None)
def _distributions() -> Dict[str, str]:
    """For the name of each module at the top, the distributions that brought it, with their versions."""
    found: Dict[str, str] = {}
    for dist in importlib.metadata.distributions():
        name, version = dist.metadata["Name"], dist.version
        tops = (dist.read_text("top_level.txt") or "").split() or {
            str(file).split("/")[0].split(".")[0] for file in dist.files or () if str(file).endswith((".py", ".so", ".pyd"))
        }
        for top in tops:
            found[top] = f"{found.get(top, '')} {name} {version}"
    return found


def _origin(module: Optional[str]) -> Optional[str]:
    """What a module belongs to whose code needn't be read, as a version says it all: Python, or a distribution; None for one's own."""
    top = (module or "").partition(".")[0]
    if top == "__main__":
        return None
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    # What is installed in a way that follows its sources ("editable") has a version that stays while the code changes.
    is_installed = "site-packages" in file or "dist-packages" in file
    # Python 3.9 has no list of its modules, but they have no file or lie beside `os`.
    is_pythons = not is_installed and (not file or file.startswith(os.path.dirname(os.__file__)))
    if top in ("builtins", "morta") or top in getattr(sys, "stdlib_module_names", (top,) if is_pythons else ()):
        return f"{top} {sys.version_info[:2]}"
    if not is_installed:
        return None
    if top not in _distributions():
        raise Unknown(f"the module `{top}`, whose version isn't known")
    return _distributions()[top]


class _Writer:
    """Writes what code depends on into a hash: each thing once, in the order in which it is met."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        #: Number of what was met, by identity; the things are kept so that no identity is given twice.
        self.met: Dict[int, Tuple[int, Any]] = {}

    def put(self, tag: str, content: bytes = b"") -> None:
        self.hash.update(struct.pack("<I", len(tag)) + tag.encode() + struct.pack("<Q", len(content)) + content)

    def text(self, tag: str, text: str) -> None:
        self.put(tag, text.encode())

    def each(self, tag: str, values: Any, where: str) -> None:
        values = list(values)
        self.text(tag, str(len(values)))
        for value in values:
            self.value(value, where)

    def named(self, tag: str, values: Dict[str, Any], where: str) -> None:
        self.text(tag, str(len(values)))
        for key in sorted(values):
            self.text("name", key)
            self.value(values[key], f"{where}.{key}")

    def value(self, value: Any, where: str) -> None:
        kind = type(value)
        if value is None or value is Ellipsis or value is NotImplemented or kind in (bool, int, str, complex):
            return self.text(kind.__name__, repr(value))
        if kind is float:
            return self.put("float", struct.pack("<d", value))
        if kind is bytes:
            return self.put("bytes", value)
        if id(value) in self.met:
            return self.text("again", str(self.met[id(value)][0]))
        self.met[id(value)] = (len(self.met), value)
        if kind in (tuple, list):
            return self.each(kind.__name__, value, where)
        if kind in (set, frozenset):
            # Sets have no order of their own that lasts.
            return self.text(kind.__name__, " ".join(sorted(_digest(part, where) for part in value)))
        if kind is dict:
            return self.each("dict", (part for item in value.items() for part in item), where)
        for matches, write in _WRITERS:
            if matches(value):
                return write(self, value, where)
        self.other(value, where)

    def function(self, function: types.FunctionType, where: str) -> None:
        origin = _origin(function.__module__)
        if origin is not None:
            return self.text("function", f"{origin} {function.__module__}.{function.__qualname__}")
        self.text("function", function.__name__)
        self.each("defaults", function.__defaults__ or (), where)
        self.named("keyword defaults", function.__kwdefaults__ or {}, where)
        self.code(function.__code__, where)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                content = cell.cell_contents
            except ValueError:
                continue  # Nothing is bound to it yet.
            self.text("cell", name)
            self.value(content, f"{where}.{name}")
        builtins = function.__globals__.get("__builtins__", {})
        builtins = builtins if isinstance(builtins, dict) else vars(builtins)
        for name in sorted(_names_in(function.__code__, frozenset(("IMPORT_NAME",)))):
            try:
                self.value(importlib.import_module(name), name)
            except ImportError:
                raise Unknown(f"`{name}`, which `{function.__qualname__}` imports") from None
        for name in sorted(_names_in(function.__code__, _GLOBAL)):
            if name in function.__globals__:
                self.text("global", name)
                self.value(function.__globals__[name], name)
            elif name not in builtins:
                self.text("missing", name)
        if vars(function).keys() - {"__wrapped__"}:
            self.named("attributes", {k: v for k, v in vars(function).items() if k != "__wrapped__"}, where)

    def code(self, code: types.CodeType, where: str) -> None:
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.text("code", repr((names, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)))
        self.put("bytecode", code.co_code)
        self.put("exceptions", getattr(code, "co_exceptiontable", b""))
        self.each("constants", code.co_consts, where)

    def class_(self, cls: type, where: str) -> None:
        origin = _origin(cls.__module__)
        if origin is not None:
            return self.text("class", f"{origin} {cls.__module__}.{cls.__qualname__}")
        self.text("class", cls.__name__)
        self.each("bases", cls.__bases__, where)
        if type(cls) is not type:
            self.value(type(cls), where)
        self.named("body", {key: value for key, value in vars(cls).items() if key not in _MADE}, cls.__name__)

    def module(self, module: types.ModuleType, where: str) -> None:
        origin = _origin(module.__name__)
        if origin is not None:
            return self.text("module", f"{origin} {module.__name__}")
        self.text("module", module.__name__)
        # Which of its names are used can't be read from the code alone.
        self.named("body", {key: value for key, value in vars(module).items() if not key.startswith("__")}, module.__name__)

    def array(self, array: Any, where: str) -> None:
        if array.dtype.hasobject:
            raise Unknown(f"`{where}`, an array of Python objects")
        self.text("array", f"{array.dtype.str} {array.shape}")
        self.put("content", array.tobytes())

    def instance(self, value: Any, where: str) -> None:
        self.class_(type(value), where)
        self.named("state", vars(value), where)

    def other(self, value: Any, where: str) -> None:
        origin = _origin(getattr(type(value), "__module__", None))
        if origin is None and type(getattr(value, "__dict__", None)) is dict and not isinstance(value, (dict, list, set, tuple, str, int, float)):
            return self.instance(value, where)
        raise Unknown(f"`{where}`, a {type(value).__name__}")


def _digest(value: Any, where: str) -> str:
    writer = _Writer()
    writer.value(value, where)
    return writer.hash.hexdigest()


def _names_in(code: types.CodeType, operations: "frozenset[str]") -> "set[str]":
    """The names that some operations of code have, with those of the functions within."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in operations}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names_in(constant, operations)
    return names


def _parts(*names: str) -> Callable[[_Writer, Any, str], None]:
    def write(writer: _Writer, value: Any, where: str) -> None:
        writer.text("kind", type(value).__name__)
        for name in names:
            writer.value(getattr(value, name), where)

    return write


def _by_name(writer: _Writer, value: Any, where: str) -> None:
    """What is written in C, known by where it is from."""
    module = getattr(value, "__module__", None) or type(value).__module__
    bound_to = getattr(value, "__self__", None)
    if bound_to is not None and not isinstance(bound_to, (types.ModuleType, type)):
        raise Unknown(f"`{where}`, a method of a {type(bound_to).__name__}")
    writer.text("built in", f"{_origin(module)} {getattr(value, '__qualname__', None) or getattr(value, '__name__', '')}")


def _is_numpy(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))


def _isinstance(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


#: How kinds of things are written, the first that fits.
_WRITERS: Tuple[Tuple[Callable[[Any], bool], Callable[[_Writer, Any, str], None]], ...] = (
    (_isinstance(types.FunctionType), _Writer.function),
    (_isinstance(types.CodeType), _Writer.code),
    (_isinstance(type), _Writer.class_),
    (_isinstance(types.ModuleType), _Writer.module),
    (_isinstance(staticmethod, classmethod, types.MethodType), _parts("__func__")),
    (_isinstance(property), _parts("fget", "fset", "fdel")),
    (_isinstance(functools.partial), _parts("func", "args", "keywords")),
    (_isinstance(functools.cached_property), _parts("func")),
    (lambda value: isinstance(value, type(functools.lru_cache(len))), _parts("__wrapped__")),
    (_isinstance(re.Pattern), _parts("pattern", "flags")),
    (_isinstance(types.MappingProxyType), lambda writer, value, where: writer.value(dict(value), where)),
    (_isinstance(types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType), _by_name),
    (_isinstance(types.MemberDescriptorType, types.GetSetDescriptorType), _by_name),
    (lambda value: type(value).__module__ == "numpy" and type(value).__name__ == "ufunc", _by_name),
    (_is_numpy, _Writer.array),
    (lambda value: type(value).__module__ == "typing", lambda writer, value, where: writer.text("type", repr(value))),
)


def version_of(memory: "type[Memory]") -> Tuple[Optional[str], Optional[str]]:
    """A hash of all that the class's code depends on, or None and why it can't be known.

    Bytecode and constants are read and not the source: they are what runs, where the source on disk may have changed since it was
    imported, and a class of a notebook or a prompt has none. A class with a `version` of its own is known by that alone.
    """
    version = memory.version
    if version is not None:
        return hashlib.sha256(f"version {version}".encode()).hexdigest(), None
    try:
        writer = _Writer()
        writer.text("python", str(sys.version_info[:2]))
        writer.class_(memory, memory.__name__)
        return writer.hash.hexdigest(), None
    except Unknown as unknown:
        return None, str(unknown)
    except RecursionError:
        return None, "something that is nested too deep"
