#!/bin/sh
# Install a real n8n into a folder, to try against it what we promise of it: about three minutes,
# 1.8 GB, nothing outside the folder. What is there already stays.
set -eu

VERSION=2.41.1
FOLDER=${1:-.n8n}

say() { echo "scripts/n8n.sh: $*" >&2; }

if [ -e "$FOLDER/installed-$VERSION" ]; then
    exit 0
fi
if ! command -v npm >/dev/null; then
    say "there is no npm here; install Node (Debian: apt install npm), then the same again."
    exit 1
fi

mkdir -p "$FOLDER/tools" "$FOLDER/app"
FOLDER=$(cd "$FOLDER" && pwd)

say "Node 24, which n8n wants, with the headers that its native parts are built with ..."
cd "$FOLDER/tools"
# The headers come by a script of that package, whose work a second installation throws away.
rm -rf node_modules package-lock.json
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund node@24 pnpm@10 node-gyp@11
PATH="$FOLDER/tools/node_modules/.bin:$PATH"
export PATH
headers=$(find "$FOLDER/tools/node_modules" -path '*/include/node/common.gypi' | head -n 1)

say "n8n $VERSION ..."
cd "$FOLDER/app"
# Newer releases of these two came out incomplete.
cat >package.json <<'JSON'
{"private":true,"pnpm":{"overrides":{"linkedom":"0.18.12","@langchain/langgraph":"1.4.0"}}}
JSON
printf 'node-linker=hoisted\nauto-install-peers=false\nstrict-peer-dependencies=false\n' >.npmrc
pnpm add --loglevel=error --ignore-scripts --store-dir "$FOLDER/store" "n8n@$VERSION"
rm -rf "$FOLDER/store"

say "its one native part ..."
cd node_modules/sqlite3
node-gyp rebuild --loglevel=error --nodedir="${headers%/include/node/common.gypi}" \
    >"$FOLDER/build.log" 2>&1 || { cat "$FOLDER/build.log" >&2; exit 1; }

touch "$FOLDER/installed-$VERSION"
cat >"$FOLDER/n8n" <<SH
#!/bin/sh
exec "$FOLDER/tools/node_modules/.bin/node" "$FOLDER/app/node_modules/n8n/bin/n8n" "\$@"
SH
chmod +x "$FOLDER/n8n"
say "done: $FOLDER/n8n"
