# What the scripts that write transcripts share: a freshly started service, and calls shown with their responses.
# Sourced with `binary` and `url_or_none` set; needs curl and python3.

folder=$(mktemp -d)
url=${url_or_none:-sqlite://$folder/shop.db}
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$folder"' EXIT

quietly() { "$binary" "$@" --database-url "$url" --data-dir "$folder" 2>"$folder/said"; }

# serve: starts the service and sets `base`.
serve() {
  "$binary" serve --listen 127.0.0.1:0 --database-url "$url" --data-dir "$folder" >/dev/null 2>"$folder/log" &
  server=$!
  base=
  for _ in $(seq 100); do
    base=$(sed 's/\x1b\[[0-9;]*m//g' "$folder/log" | grep -o 'address=[0-9.:]*' | tail -n 1 | cut -d= -f2 || true)
    if [ -n "$base" ]; then break; fi
    sleep 0.1
  done
  origin=http://$base
  base=$origin/api/v1
}

# Shows numbers exactly as they were written.
cat >"$folder/legible.py" <<'PYTHON'
import json, sys

number = lambda text: f"@{text}@"
value = json.load(sys.stdin, parse_float=number, parse_int=number)
print(json.dumps(value, ensure_ascii=False, indent=2).replace('"@', "").replace('@"', ""))
PYTHON

# step TITLE METHOD PATH [BODY [HEADER]]: one call as typed, and its response.
step() {
  local title=$1 method=$2 path=$3 body=${4:-} header=${5:-}
  printf '\n## %s\n\n```console\n$ curl -i -X %s "$BASE%s" -H "Authorization: Bearer $KEY"' "$title" "$method" "$path"
  local arguments=(-sS -i -X "$method" "$base$path" -H "Authorization: Bearer $key")
  if [ -n "$body" ]; then
    printf ' \\\n    -H "Content-Type: application/json" -d '"'%s'" "$body"
    arguments+=(-H 'Content-Type: application/json' -d "$body")
  fi
  if [ -n "$header" ]; then
    printf ' \\\n    -H "%s"' "$header"
    arguments+=(-H "$header")
  fi
  curl "${arguments[@]}" | tr -d '\r' >"$folder/answer"
  printf '\n'
  sed '/^$/q' "$folder/answer" | grep -iE '^(HTTP|location|etag|idempotent-replayed|retry-after|ratelimit-remaining)' || true
  printf '\n'
  sed '1,/^$/d' "$folder/answer" | python3 "$folder/legible.py"
  printf '```\n'
}
found() { sed '1,/^$/d' "$folder/answer" | python3 -c "import json,sys; print(json.load(sys.stdin)$1)"; }

# page TITLE METHOD PATH [FIELDS]: what a visitor's browser sends, and what the page says.
page() {
  local title=$1 method=$2 path=$3 fields=${4:-}
  printf '\n## %s\n\n```console\n$ curl -i -X %s "$ORIGIN%s"' "$title" "$method" "$path"
  local arguments=(-sS -i -X "$method" "$origin$path" -H 'Accept-Language: en')
  if [ -n "$fields" ]; then
    printf ' -d "form=$FORM&%s"' "${fields#form=*&}"
    arguments+=(-d "$fields")
  fi
  curl "${arguments[@]}" | tr -d '\r' >"$folder/answer"
  printf '\n'
  sed '/^$/q' "$folder/answer" | grep -iE '^(HTTP|location)' || true
  sed '1,/^$/d' "$folder/answer" | python3 "$folder/read_aloud.py"
  printf '```\n'
}
cat >"$folder/read_aloud.py" <<'PYTHON'
import html, re, sys

page = sys.stdin.read()
body = page.split("<body>")[-1]
for block in re.findall(r"<(?:h1|h2|p|dt|dd|strong|legend)[^>]*>(.*?)</(?:h1|h2|p|dt|dd|strong|legend)>", body, re.S):
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", block)).split())
    if text:
        print(text)
PYTHON
# form PAGE PLACE: what tells the form that goes to this place from others.
form() { curl -sS "$origin$1" | sed "s|/$2\"|\n&|" | sed -n "/^.$2\"/,\$p" | grep -o 'name="form" value="[^"]*"' | head -n 1 | cut -d'"' -f4; }

kind=SQLite
case $url in postgres*) kind=PostgreSQL ;; esac
