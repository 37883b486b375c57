"""Packs the client, which is Python alone, for pip: no build tool has to be fetched.

The interface is that of PEP 517 and PEP 660.
"""

import base64
import hashlib
import io
import os
import tarfile
import zipfile

NAME = "dicescript"
HERE = os.path.dirname(os.path.abspath(__file__))


def _version():
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("version = "):
                return line.split('"')[1]
    raise RuntimeError("pyproject.toml has no version")


def _metadata():
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {NAME}\n"
        f"Version: {_version()}\n"
        "Summary: Exact chances of dice: a client of the dicescript command\n"
        "Requires-Python: >=3.10\n"
        "Description-Content-Type: text/markdown\n"
        "\n" + readme
    )


def _package_files():
    package = os.path.join(HERE, NAME)
    for name in sorted(os.listdir(package)):
        path = os.path.join(package, name)
        if os.path.isfile(path) and name.endswith((".py", ".typed")):
            yield f"{NAME}/{name}", path


def _read(path):
    with open(path, "rb") as f:
        return f.read()


def _wheel(directory, files):
    info = f"{NAME}-{_version()}.dist-info"
    files = files + [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: dicescript\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = ""
    for name, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode()))
    wheel = f"{NAME}-{_version()}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files:
            z.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, [(name, _read(path)) for name, path in _package_files()])


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, [(f"{NAME}.pth", (HERE + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    root = f"{NAME}-{_version()}"
    files = dict(_package_files())
    for name in ("pyproject.toml", "build_backend.py", "README.md"):
        files[name] = os.path.join(HERE, name)
    with tarfile.open(os.path.join(sdist_directory, root + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as t:
        for name, data in [(n, _read(p)) for n, p in files.items()] + [("PKG-INFO", _metadata().encode())]:
            member = tarfile.TarInfo(f"{root}/{name}")
            member.size = len(data)
            t.addfile(member, io.BytesIO(data))
    return root + ".tar.gz"
