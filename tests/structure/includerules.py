# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
"""Checks who includes whom (CONTRIBUTING.md, "Rooms"): prints each broken rule, exits 1 if any."""

import pathlib
import re
import sys

NODECORE = {
    "base": set(),
    "protocol": {"base"},
    "identity": {"base"},
    "policy": {"base"},
    "approval": {"base", "policy"},
    "exec": {"base", "policy"},
    # storage implements identity's SecretStore seam (the owner-only file), hence identity.
    "storage": {"base", "policy", "identity"},
    "tools": {"base", "policy", "approval", "exec"},
    "gateway": {"base", "protocol", "identity"},
    "mcp": {"base", "protocol", "identity"},
    "control": {"base", "protocol", "identity"},
    "host": {"base", "protocol", "identity", "policy", "approval", "exec", "storage", "tools"},
    "service": None,  # sees every room of nodecore
}
OS_FOLDERS = {
    "posix": set(),
    "linux": {"posix", "qt"},
    "macos": {"posix", "qt"},
    "windows": set(),
    "desktop": set(),
    "null": {"desktop"},
    "qt": set(),
}
JSON_ROOMS = ("nodecore/protocol/", "nodecore/storage/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OS_CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif).*\b(Q_OS_|_WIN32|__APPLE__|__linux__|__unix__)")
OS_HEADERS = re.compile(r"^(unistd\.h|fcntl\.h|signal\.h|poll\.h|spawn\.h|pwd\.h|errno\.h|windows\.h|sys/.*|linux/.*)$")


def room_of(path):
    parts = path.split("/")
    if parts[0] in ("nodecore", "app") and len(parts) > 2:
        return parts[0], parts[1]
    if parts[0] == "platform":
        return "platform", parts[1] if len(parts) > 2 else ""
    return parts[0], ""


def own_include_problem(path, target):
    """Why the project file `path` may not include the project file `target`, or None."""
    layer, room = room_of(path)
    other_layer, other_room = room_of(target)
    if layer == "tests":
        return None
    if other_layer == "tests":
        return "only tests include tests"
    if layer == "nodecore":
        if other_layer != "nodecore":
            return f"nodecore never includes {other_layer}"
        allowed = NODECORE.get(room, set())
        if allowed is not None and other_room != room and other_room not in allowed:
            return f"{room} may include {', '.join(sorted(allowed)) or 'no other room'}, not {other_room}"
    if layer == "platform":
        if other_layer == "app":
            return "platform never includes app"
        if other_layer == "platform" and room in OS_FOLDERS and other_room in OS_FOLDERS:
            if other_room != room and other_room not in OS_FOLDERS[room]:
                return f"platform/{room} never includes platform/{other_room}"
    if layer == "app" and other_layer == "platform":
        if target != "platform/factory.h" and other_room != "desktop":
            return "app includes platform/factory.h and platform/desktop only"
    return None


def problems_in(path, lines):
    for number, line in enumerate(lines, 1):
        if OS_CONDITION.match(line) and not (path.startswith("platform/") and path.endswith(".cpp")):
            if not path.startswith("tests/"):
                yield number, "a condition on the OS belongs in a .cpp of platform"
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, target = match.groups()
        if kind == '"':
            if target.endswith(".moc"):
                continue
            if "/" not in target or target.startswith("."):
                yield number, f'"{target}" is not written from the root'
                continue
            problem = own_include_problem(path, target)
            if problem:
                yield number, f"{target}: {problem}"
            continue
        if target.startswith("nlohmann/") and not path.startswith("tests/"):
            if not path.startswith(JSON_ROOMS) or not path.endswith(".cpp"):
                yield number, "nlohmann/json is for .cpp files of protocol and storage"
        if target.startswith("spdlog/") and path != "nodecore/base/log.cpp":
            yield number, "spdlog is used through nodecore/base/log.h"
        if target.startswith("sodium") and not path.startswith(("nodecore/identity/", "tests/")):
            yield number, "libsodium is for identity"
        if path.startswith("nodecore/"):
            if re.match(r"^Q?(QtGui|QtWidgets)(/|$)", target):
                yield number, "nodecore has no GUI"
            if OS_HEADERS.match(target):
                yield number, "nodecore includes no OS header"


def check(root):
    found = []
    for top in ("nodecore", "platform", "app", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp") or not file.is_file():
                continue
            path = file.relative_to(root).as_posix()
            lines = file.read_text(encoding="utf-8").splitlines()
            found += [f"{path}:{number}: {problem}" for number, problem in problems_in(path, lines)]
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    found = check(root)
    for line in found:
        print(line)
    print(f"{len(found)} include rules broken")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
