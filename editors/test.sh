#!/usr/bin/env bash
# The language server with real clients: Neovim, driven without a screen, and the client
# library of Visual Studio Code under Node; and the extension itself. Neovim and Node are
# installed where they are missing and apt is there; what can't be had is said and left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install() {
	command -v "$1" >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${@:2}"; } >/dev/null 2>&1 || true
}

(cd .. && go build -o "$work/bin/dicescript" ./cmd/dicescript)
export PATH="$work/bin:$PATH" DICESCRIPT="$work/bin/dicescript"

echo "-- Neovim"
install nvim neovim
if command -v nvim >/dev/null; then
	nvim --version | head -1
	mkdir -p "$work/nvim/recipes"
	(
		cd "$work/nvim/recipes"
		export XDG_CACHE_HOME="$work/nvim/cache" XDG_STATE_HOME="$work/nvim/state" XDG_DATA_HOME="$work/nvim/data"
		timeout 300 nvim --headless --clean -u "$here/nvim/dicescript.lua" -c "luafile $here/nvim/test.lua"
	)
else
	echo "skipped: there is no Neovim"
fi

echo "-- Visual Studio Code"
install npm nodejs npm
if command -v npm >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]; then
	(cd vscode && npm ci --no-audit --no-fund --loglevel=error && npm test)
else
	echo "skipped: there is no Node 20"
fi
