#!/usr/bin/env bash
# A morning at a shop, called with curl against the built program, written as Markdown.
#   docs/morning.sh BINARY [DATABASE_URL] > docs/morning.md
# Without a URL it runs on a SQLite file of its own. Needs curl and python3 (to show JSON legibly).
set -euo pipefail

binary=$1
folder=$(mktemp -d)
url=${2:-sqlite://$folder/shop.db}
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$folder"' EXIT

quietly() { "$binary" "$@" --database-url "$url" --data-dir "$folder" 2>"$folder/said"; }
account=$(quietly account create "Flores del Sur" | grep -o 'acc_[0-9A-Z]*' | head -n 1)
key=$(quietly key create --account "$account" --name morning --scopes 'products,orders,customers' | grep -o 'service_[0-9A-Za-z]*')

"$binary" serve --listen 127.0.0.1:0 --database-url "$url" --data-dir "$folder" 2>"$folder/log" &
server=$!
base=
for _ in $(seq 100); do
  base=$(sed 's/\x1b\[[0-9;]*m//g' "$folder/log" | grep -o 'address=[0-9.:]*' | tail -n 1 | cut -d= -f2 || true)
  if [ -n "$base" ]; then break; fi
  sleep 0.1
done
base=http://$base/api/v1

# Numbers are shown as they were written, digit by digit.
cat >"$folder/legible.py" <<'PYTHON'
import json, sys

number = lambda text: f"@{text}@"
value = json.load(sys.stdin, parse_float=number, parse_int=number)
print(json.dumps(value, ensure_ascii=False, indent=2).replace('"@', "").replace('@"', ""))
PYTHON

# step TITLE METHOD PATH [BODY [HEADER]]: one call as it is typed, and as it is answered.
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

kind=SQLite
case $url in postgres*) kind=PostgreSQL ;; esac
cat <<END
# A morning at the shop, on $kind

Made by \`docs/morning.sh\`, which calls a freshly started \`trastienda serve\` and writes down what it answers.
\`\$BASE\` is the address and \`/api/v1\`; the key was made by

\`\`\`console
\$ trastienda account create "Flores del Sur"
\$ trastienda key create --account acc_… --name morning --scopes products,orders,customers
\`\`\`
END

step 'A product' POST /products '{"name":"Ramo de girasoles","sku":"RAMO-GIR","price":349.90,"currency":"MXN","inventory":5,"lowStockThreshold":3,"ean":"7501031311309","satProductKey":"10317331","satUnitKey":"H87"}'
sunflowers=$(found '["id"]')
step 'A product with variants' POST /products '{"name":"Maceta de barro","sku":"MAC","price":120,"variants":[{"name":"Chica","sku":"MAC-CH","inventory":20},{"name":"Grande","sku":"MAC-GR","price":185.50,"inventory":8}]}'
pot=$(found '["id"]')
large=$(found '["variants"][1]["id"]')
step 'A customer' POST /customers '{"name":"Ana Ruiz","email":"ana@example.com","phone":"+52 55 1234 5678","rfc":"XAXX010101000"}'
customer=$(found '["id"]')
order="{\"customerId\":\"$customer\",\"items\":[{\"productId\":\"$sunflowers\",\"quantity\":3},{\"productId\":\"$pot\",\"variantId\":\"$large\",\"quantity\":2}]}"
step 'An order' POST /orders "$order" 'Idempotency-Key: morning-1'
first=$(found '["id"]')
step 'The same order again: the answer was lost on the way' POST /orders "$order" 'Idempotency-Key: morning-1'
step 'Another order under the same key' POST /orders "{\"customerId\":\"$customer\",\"items\":[{\"productId\":\"$sunflowers\",\"quantity\":1}]}" 'Idempotency-Key: morning-1'
step 'More than there is' POST /orders "{\"customerId\":\"$customer\",\"items\":[{\"productId\":\"$sunflowers\",\"quantity\":3}]}"
step 'What is left' GET "/products/$sunflowers"
step 'Paid' PATCH "/orders/$first" '{"status":"paid"}'
step 'Shipped' PATCH "/orders/$first" '{"status":"shipped","carrier":"Estafeta","trackingNumber":"8055241528464720"}'
step 'Too late to cancel' PATCH "/orders/$first" '{"status":"cancelled","reason":"changed mind"}'
step 'A second order' POST /orders "{\"customerId\":\"$customer\",\"items\":[{\"productId\":\"$sunflowers\",\"quantity\":2}]}" 'Idempotency-Key: morning-2'
second=$(found '["id"]')
step 'Cancelled, with its reason' PATCH "/orders/$second" '{"status":"cancelled","reason":"the customer called"}'
step 'Its stock is back' GET "/products/$sunflowers"
step 'A typo is told, with everything else that is wrong' POST /orders '{"customerId":"cus_1","itmes":[],"items":[{"productId":"x","quantity":1.5}]}'
step 'The first page of orders, one a page' GET '/orders?limit=1'
step 'The cancelled ones' GET '/orders?status=cancelled'
step 'Looking for a product, accents aside' GET '/products?search=maceta%20barro&limit=5'
step 'A key without the scope' GET /crm/leads
