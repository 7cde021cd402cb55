/**
 * The deletion loops of the standards for bigkeys, made safe (V9 in explanations.ts says how), in five languages. A
 * compact encoding is one allocation, and *SCAN would return all of its elements at once, so compact keys, strings and
 * streams are freed by UNLINK.
 *
 * A cluster reads a hash tag between the first brace and the next closing one, if there is something between them. If a
 * name that contains a closing brace were put in braces, the tag would end early and the key would move to another
 * slot. The snippets refuse such a name.
 */

import type { RuleInfo } from '@/lib/model/rules/rules';

const bash = `#!/usr/bin/env bash
# drain-key.sh KEY [redis-cli options]. Not for names, fields or members with line breaks.
set -euo pipefail
key=$1; shift
r() { redis-cli --raw "\${opts[@]}" "$@"; }
opts=("$@")
# redis-cli ends with 0 after an error too: whatever is no number and not OK ends this.
said() { [[ $1 =~ ^([0-9]+|OK)$ ]] || { echo "stopped, $gone is left: $1" >&2; exit 1; }; }
# The same slot: a hash tag stays as it is, a name without one becomes one.
tag='^[^{]*\\{[^}]+\\}'
gone="$key:trash:$RANDOM$RANDOM"
if [[ ! $key =~ $tag ]]; then
  [[ $key != *}* ]] || { echo "not renamed: the name has a } and no hash tag" >&2; exit 1; }
  gone="{$key}:trash:$RANDOM$RANDOM"
fi
[[ $(r RENAMENX "$key" "$gone") == 1 ]] || { echo "not renamed: no such key, or no right to" >&2; exit 1; }
r PERSIST "$gone" >/dev/null   # or the server frees the rest at once when it expires
type=$(r TYPE "$gone")
case $(r OBJECT ENCODING "$gone") in listpack | ziplist | intset) type=compact ;; esac
cursor=0
while [[ $(r EXISTS "$gone") == 1 ]]; do
  case $type in
    hash)
      mapfile -t page < <(r HSCAN "$gone" "$cursor" COUNT 100)
      cursor=\${page[0]}; said "$cursor"; names=()
      for ((i = 1; i < \${#page[@]}; i += 2)); do names+=("\${page[i]}"); done
      ((\${#names[@]} == 0)) || said "$(r HDEL "$gone" "\${names[@]}")" ;;
    set)
      mapfile -t page < <(r SSCAN "$gone" "$cursor" COUNT 100)
      cursor=\${page[0]}; said "$cursor"; names=("\${page[@]:1}")
      ((\${#names[@]} == 0)) || said "$(r SREM "$gone" "\${names[@]}")" ;;
    list) said "$(r LTRIM "$gone" 0 -101)" ;;
    zset) said "$(r ZREMRANGEBYRANK "$gone" 0 99)" ;;
    *) said "$(r UNLINK "$gone")" ;;
  esac
  sleep 0.01
done
said "$(r EXISTS "$gone")"`;

const ioredis = `// await drainKey(redis, 'user:1:followers')
async function drainKey(redis, key, pauseMs = 10) {
  const id = Math.random().toString(36).slice(2);
  // The same slot: a hash tag stays as it is, a name without one becomes one.
  const tagged = /^[^{]*\\{[^}]+\\}/.test(key);
  if (!tagged && key.includes('}')) throw new Error('not renamed: the name has a } and no hash tag');
  const gone = tagged ? \`\${key}:trash:\${id}\` : \`{\${key}}:trash:\${id}\`;
  if ((await redis.renamenx(key, gone)) !== 1) throw new Error('not renamed');
  await redis.persist(gone); // or the server frees the rest at once when it expires
  const encoding = await redis.object('ENCODING', gone);
  const compact = ['listpack', 'ziplist', 'intset'].includes(encoding);
  const type = compact ? 'compact' : await redis.type(gone);
  let cursor = '0';
  // Buffers: fields and members need not be text.
  while (await redis.exists(gone)) {
    if (type === 'hash') {
      const [next, page] = await redis.hscanBuffer(gone, cursor, 'COUNT', 100);
      cursor = String(next);
      const fields = page.filter((_, i) => i % 2 === 0);
      if (fields.length > 0) await redis.hdel(gone, ...fields);
    } else if (type === 'set') {
      const [next, members] = await redis.sscanBuffer(gone, cursor, 'COUNT', 100);
      cursor = String(next);
      if (members.length > 0) await redis.srem(gone, ...members);
    } else if (type === 'list') await redis.ltrim(gone, 0, -101);
    else if (type === 'zset') await redis.zremrangebyrank(gone, 0, 99);
    else await redis.unlink(gone);
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}`;

const python = `import re, time, uuid

def drain_key(r, key: bytes, pause=0.01):  # r = redis.Redis(..., decode_responses=False)
    tail = b":trash:" + uuid.uuid4().hex.encode()
    # The same slot: a hash tag stays as it is, a name without one becomes one.
    tagged = re.match(rb"[^{]*\\{[^}]+\\}", key)
    if not tagged and b"}" in key:
        raise ValueError("not renamed: the name has a } and no hash tag")
    gone = (key if tagged else b"{" + key + b"}") + tail
    if not r.renamenx(key, gone):
        raise RuntimeError("not renamed")
    r.persist(gone)  # or the server frees the rest at once when it expires
    compact = r.object("ENCODING", gone) in (b"listpack", b"ziplist", b"intset")
    kind = b"compact" if compact else r.type(gone)
    cursor = 0
    while r.exists(gone):
        if kind == b"hash":
            cursor, page = r.hscan(gone, cursor, count=100)
            if page:
                r.hdel(gone, *page.keys())
        elif kind == b"set":
            cursor, members = r.sscan(gone, cursor, count=100)
            if members:
                r.srem(gone, *members)
        elif kind == b"list":
            r.ltrim(gone, 0, -101)
        elif kind == b"zset":
            r.zremrangebyrank(gone, 0, 99)
        else:
            r.unlink(gone)
        time.sleep(pause)`;

const java = `// Jedis 4 and later. In a cluster pass a JedisCluster (both are UnifiedJedis).
static void drainKey(UnifiedJedis jedis, String key) throws InterruptedException {
  String id = UUID.randomUUID().toString();
  // The same slot: a hash tag stays as it is, a name without one becomes one.
  boolean tagged = Pattern.compile("^[^{]*\\\\{[^}]+\\\\}").matcher(key).find();
  if (!tagged && key.contains("}"))
    throw new IllegalArgumentException("not renamed: the name has a } and no hash tag");
  String gone = (tagged ? key : "{" + key + "}") + ":trash:" + id;
  if (jedis.renamenx(key, gone) != 1) throw new IllegalStateException("not renamed");
  jedis.persist(gone); // or the server frees the rest at once when it expires
  boolean compact = Set.of("listpack", "ziplist", "intset").contains(jedis.objectEncoding(gone));
  String type = compact ? "compact" : jedis.type(gone);
  ScanParams page = new ScanParams().count(100);
  String cursor = ScanParams.SCAN_POINTER_START;
  while (jedis.exists(gone)) {
    switch (type) {
      case "hash" -> {
        ScanResult<Map.Entry<String, String>> found = jedis.hscan(gone, cursor, page);
        cursor = found.getCursor();
        String[] fields = found.getResult().stream().map(Map.Entry::getKey).toArray(String[]::new);
        if (fields.length > 0) jedis.hdel(gone, fields);
      }
      case "set" -> {
        ScanResult<String> found = jedis.sscan(gone, cursor, page);
        cursor = found.getCursor();
        if (!found.getResult().isEmpty()) jedis.srem(gone, found.getResult().toArray(String[]::new));
      }
      case "list" -> jedis.ltrim(gone, 0, -101);
      case "zset" -> jedis.zremrangeByRank(gone, 0, 99);
      default -> jedis.unlink(gone);
    }
    Thread.sleep(10);
  }
}`;

const go = `// go-redis v9; UniversalClient is a single server or a cluster.
var tag = regexp.MustCompile(\`^[^{]*\\{[^}]+\\}\`)

func drainKey(ctx context.Context, r redis.UniversalClient, key string) error {
	gone := fmt.Sprintf("%s:trash:%d", key, time.Now().UnixNano())
	if !tag.MatchString(key) { // the same slot
		if strings.Contains(key, "}") {
			return errors.New("not renamed: the name has a } and no hash tag")
		}
		gone = fmt.Sprintf("{%s}:trash:%d", key, time.Now().UnixNano())
	}
	if ok, err := r.RenameNX(ctx, key, gone).Result(); err != nil || !ok {
		return fmt.Errorf("not renamed: %w", err)
	}
	r.Persist(ctx, gone) // or the server frees the rest at once when it expires
	kind, err := r.Type(ctx, gone).Result()
	if err != nil {
		return err
	}
	switch r.ObjectEncoding(ctx, gone).Val() {
	case "listpack", "ziplist", "intset":
		kind = "compact"
	}
	var cursor uint64
	for {
		if left, err := r.Exists(ctx, gone).Result(); err != nil || left == 0 {
			return err
		}
		var page []string
		switch kind {
		case "hash":
			page, cursor, err = r.HScan(ctx, gone, cursor, "", 100).Result()
			fields := []string{}
			for i := 0; i < len(page); i += 2 {
				fields = append(fields, page[i])
			}
			if err == nil && len(fields) > 0 {
				err = r.HDel(ctx, gone, fields...).Err()
			}
		case "set":
			page, cursor, err = r.SScan(ctx, gone, cursor, "", 100).Result()
			if err == nil && len(page) > 0 {
				err = r.SRem(ctx, gone, page).Err()
			}
		case "list":
			err = r.LTrim(ctx, gone, 0, -101).Err()
		case "zset":
			err = r.ZRemRangeByRank(ctx, gone, 0, 99).Err()
		default:
			err = r.Unlink(ctx, gone).Err()
		}
		if err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}`;

export const deletionSnippets: NonNullable<RuleInfo['snippets']> = [
  { language: 'redis-cli', code: bash },
  { language: 'Jedis', code: java },
  { language: 'Python', code: python },
  { language: 'go-redis', code: go },
  { language: 'ioredis', code: ioredis },
];
