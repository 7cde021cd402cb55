/** The text of INFO as names and values; section headers and lines without a colon are skipped. */
export type Info = ReadonlyMap<string, string>;

export function parseInfo(text: string): Info {
  const facts = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) facts.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return facts;
}

/** Returns a number of INFO; null if it is missing or not a number. */
export function readInfoNumber(info: Info | null, name: string): number | null {
  const text = info?.get(name);
  if (text === undefined || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export interface Keyspace {
  db: number;
  keys: number;
  expires: number | null;
  avgTtlMs: number | null;
}

/** Parses lines such as `db0:keys=12,expires=3,avg_ttl=99`, sorted by database. An empty list means: no keys. */
export function parseKeyspace(info: Info): Keyspace[] {
  const found: Keyspace[] = [];
  for (const [name, value] of info) {
    const db = /^db(\d{1,5})$/.exec(name);
    const keys = /(?:^|,)keys=(\d+)/.exec(value);
    if (!db || !keys) continue;
    const expires = /(?:^|,)expires=(\d+)/.exec(value);
    const ttl = /(?:^|,)avg_ttl=(\d+)/.exec(value);
    found.push({
      db: Number(db[1]),
      keys: Number(keys[1]),
      expires: expires ? Number(expires[1]) : null,
      avgTtlMs: ttl ? Number(ttl[1]) : null,
    });
  }
  return found.sort((a, b) => a.db - b.db);
}

type Flavor = 'redis' | 'valkey' | 'keydb' | 'dragonfly' | 'unknown';

/**
 * Detects which server it is, and its own version (null = not reported): Valkey and Dragonfly also announce the version
 * of Redis that they are compatible with.
 */
export function detectFlavor(info: Info | null): { flavor: Flavor; version: string | null } {
  if (!info) return { flavor: 'unknown', version: null };
  const valkey = info.get('valkey_version');
  if (valkey || info.get('server_name') === 'valkey') return { flavor: 'valkey', version: valkey ?? null };
  const dragonfly = info.get('dragonfly_version');
  if (dragonfly) return { flavor: 'dragonfly', version: dragonfly.replace(/^df-v?/, '') };
  const version = info.get('redis_version') ?? null;
  if (info.has('mvcc_depth') || /keydb/i.test(info.get('executable') ?? '')) return { flavor: 'keydb', version };
  return { flavor: version ? 'redis' : 'unknown', version };
}
