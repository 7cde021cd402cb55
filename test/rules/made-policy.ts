import { toDisplayName } from '@/lib/model/keys/display-name';
import type { CustomRule, EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { catalogue } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/profiles/presets';
import { parseTemplate } from '@/lib/rules/template';
import { AS_OF, HOSTILE, type MadeRow, random } from '@/test/snapshots/made-rows';

/**
 * A random keyspace and policy, the same for the same seed: families of names that differ in ids only, names with other
 * separators, hostile and very long names; profiles with other delimiters, numbers and words, own rules of every kind,
 * and prefixes and exemptions cut from the names. The file is long because it lists what has gone wrong before.
 */
const KEYS = 1000;

export function makePolicy(seed: number) {
  const r = random(seed);
  const int = (n: number) => Math.floor(r() * n);
  const pick = <T>(some: readonly T[]): T => some[int(some.length)]!;
  const chars = (set: string, n: number) => Array.from({ length: n }, () => set[int(set.length)]).join('');
  const words = [
    ...'user User USER user_info userInfo user-info user.info a ab facade deadbeef get token pwd 密码 用户 {shop 17} {17} {int} \\{int} {uuid} q" set hash string list zset order cart v2 x1 room9 id ok nil 86 +86 é session e - -- . a.1 abc.12 UserAdmin a@b.cc \\x41 a/b geo bitmap abcdefghijklmnopqrstuvwxyz'.split(
      ' ',
    ),
    'x y',
    '',
  ];
  const ids = [
    () => String(int(10)),
    () => String(int(100)),
    () => String(int(1e6)),
    () => String(1e9 + int(9e9)),
    () => chars('0123456789', 11),
    () => `1${chars('3456789', 1)}${chars('0123456789', 9)}`,
    () => chars('0123456789abcdef', 8),
    () => chars('0123456789abcdef', 12),
    () => chars('0123456789ABCDEF', 8),
    () => chars('0123456789ABCDEF', 16),
    () => chars('0123456789abcdef', 32),
    () => chars('0123456789abcdef', 40),
    () =>
      `${chars('0123456789abcdef', 8)}-${chars('0123456789abcdef', 4)}-${chars('0123456789abcdef', 4)}-${chars('0123456789abcdef', 4)}-${chars('0123456789abcdef', 12)}`,
    () =>
      `${chars('0123456789ABCDEF', 8)}-${chars('0123456789ABCDEF', 4)}-${chars('0123456789ABCDEF', 4)}-${chars('0123456789ABCDEF', 4)}-${chars('0123456789ABCDEF', 12)}`,
    () =>
      `${chars('0123456789', 8)}-${chars('0123456789', 4)}-${chars('0123456789', 4)}-${chars('0123456789', 4)}-${chars('0123456789', 12)}`,
    () => `2026${pick(['01', '11', '13'])}${pick(['01', '31', '32'])}`,
    () => `2026-${pick(['01', '11'])}-${pick(['01', '31'])}`,
    () => `2026-${pick(['01', '12'])}`,
    () => chars('abcABC0123/+_-', 18),
    () => `110101199003071${chars('0123456789', 2)}${pick('0123456789X'.split(''))}`,
    () => `{${int(30)}}`,
    () => `{u:${int(5)}}`,
  ];
  const seps = [':', ':', ':', ':', ':', ':', ':', '::', '/', '-', '.', '_', '|', '->'];
  const part = () => (r() < 0.45 ? pick(ids)() : pick(words));
  const makeName = (): Buffer => {
    const u = r();
    if (u < 0.03) return pick(HOSTILE);
    if (u < 0.05)
      return Buffer.concat([Buffer.from(part()), Buffer.from([int(256), int(256)]), Buffer.from(`:${part()}`)]);
    if (u < 0.06) return Buffer.from(`${part()}:${chars('abc:1', pick([480, 510, 600, 4090, 4097, 5000]))}:${part()}`);
    const n = pick([1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 9]);
    const sep = r() < 0.8 ? ':' : null;
    let s = r() < 0.8 ? pick(words) : part();
    for (let i = 1; i < n; i++) s += (sep ?? pick(seps)) + part();
    return Buffer.from(s);
  };
  // Families of many names with one form.
  const families = Array.from({ length: 12 }, () => {
    const n = 2 + int(4);
    const parts = Array.from({ length: n }, (_, i) =>
      i > 0 && r() < 0.6
        ? pick(ids)
        : (
            (w) => () =>
              w
          )(pick(words)),
    );
    return () => Buffer.from(parts.map((p) => p()).join(':'));
  });
  const rows: MadeRow[] = [];
  const seen = new Set<string>();
  while (rows.length < KEYS) {
    const bytesOfName = r() < 0.6 ? pick(families)() : makeName();
    const db = r() < 0.1 ? 5 : 0;
    const id = `${db}/${bytesOfName.toString('hex')}`;
    if (seen.has(id)) {
      if (r() < 0.01) break;
      continue;
    }
    seen.add(id);
    const type =
      r() < 0.05
        ? null
        : pick(['string', 'string', 'hash', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL', 'STRING']);
    const encoding =
      r() < 0.1
        ? null
        : pick(['raw', 'embstr', 'int', 'listpack', 'hashtable', 'skiplist', 'quicklist', 'intset', 'ziplist']);
    const length =
      r() < 0.2
        ? UNKNOWN
        : pick([0, 1, 1, 2, 5, 100, 101, 128, 129, 4999, 5000, 5001, 10_000, 10_001, 10_240, 10_241, 2_000_000]);
    const bytes =
      r() < 0.2
        ? UNKNOWN
        : pick([56, 100, 2048, 2049, 8192, 8193, 10_000, 10_001, 10_240, 10_241, 80_000, 80_016, 5_000_000]);
    rows.push({
      bytesOfName,
      node: int(3),
      db,
      type,
      encoding,
      length,
      bytes,
      idle: r() < 0.2 ? UNKNOWN : int(40 * 86400),
      freq: UNKNOWN,
      expireAt: pick([
        NO_EXPIRY,
        UNKNOWN,
        AS_OF - 1000,
        AS_OF,
        AS_OF + 1,
        AS_OF + 59_999,
        AS_OF + 60_000,
        AS_OF + 86_400_000,
      ]),
    });
  }
  const delimiters = ': : : : :: / | . - _ a 1 { -> ^ ] \\ é 密'.split(' ');
  const somePrefix = () => {
    const row = pick(rows);
    const { name } = toDisplayName(row.bytesOfName);
    const c = Array.from(name).slice(0, 600);
    return c.slice(0, 1 + int(Math.min(c.length, 14))).join('');
  };
  const custom = (i: number, d: string): CustomRule => {
    const base = {
      id: `X-${i}`,
      title: `t${i}`,
      why: '',
      fix: '',
      strength: pick(['mandatory', 'recommended', 'advice'] as const),
      on: r() < 0.9,
      prefix: r() < 0.4 ? somePrefix() : '',
    };
    const u = r();
    if (u < 0.35)
      return {
        ...base,
        check: 'regex',
        pattern: pick([
          '7',
          '^user',
          '[0-9]{3}',
          '(?i)TOKEN',
          'deadbeef|1a',
          '^.{10,20}$',
          '\\d+$',
          '^$',
          'x(?:y)?',
          '[^a-z]',
          ':$',
          '\\\\x',
        ]),
        must: pick(['match', 'notMatch'] as const),
      };
    if (u < 0.65) {
      const t = pick([
        `{module}${d}{entity}${d}{id}${d}{type}`,
        `user${d}{int}`,
        `{a|user|order}${d}{rest...}`,
        `{x}${d}{hex}`,
        `{x}${d}{uuid}${d}{type}`,
        `{x}${d}{date}`,
        `{rest...}`,
        `{type}${d}{rest...}`,
        `user${d}{y}${d}{z}`,
      ]);
      return { ...base, check: 'template', template: t };
    }
    return {
      ...base,
      check: 'threshold',
      column: pick(['nameBytes', 'bytes', 'length', 'ttlSeconds', 'idleSeconds', 'segments'] as const),
      types: r() < 0.4 ? [pick(['string', 'hash', 'list'])] : [],
      atMost: r() < 0.7 ? pick([0, 1, 3, 20, 100.5, 5000]) : null,
      atLeast: r() < 0.5 ? pick([0, 1, 2, 60.25, 8]) : 1,
    };
  };
  const body = (k: number): ProfileBody => {
    const delimiter = pick(delimiters);
    const rules = Object.fromEntries(
      catalogue.map((rule) => {
        const params: Record<string, number | string | string[]> = {};
        for (const [name, spec] of Object.entries(rule.params)) {
          if (r() < 0.5) continue;
          if (spec.kind === 'number')
            params[name] = pick([
              spec.min ?? 0,
              spec.max === undefined ? 1000 : Math.min(spec.max, 1000),
              Math.min(spec.max ?? 1e9, Math.max(spec.min ?? 0, 3)),
              spec.default as number,
              Math.min(spec.max ?? 1e9, Math.max(spec.min ?? 0, 20)),
            ]);
          else if (spec.kind === 'list')
            params[name] =
              rule.id === 'N20'
                ? pick([[], ['user'], ['dead', 'USER'], ['1', 'e'], ['密码', 'É']])
                : pick([
                    [],
                    ['user'],
                    ['e'],
                    ['1'],
                    ['密码'],
                    ['user:1'],
                    ['deadbeef'],
                    ['a-b', 'x'],
                    ['id', 'y', 'Session'],
                    ['-'],
                    ['g'],
                    ['é'],
                  ]);
        }
        return [rule.id, { on: r() < 0.8, strength: pick(['mandatory', 'recommended', 'advice'] as const), params }];
      }),
    );
    return {
      schema: 1,
      name: `p${k}`,
      description: '',
      delimiter,
      rules,
      custom: Array.from({ length: int(6) }, (_, i) => custom(i, delimiter)).filter((one) => {
        try {
          if (one.check === 'template') parseTemplate(one.template, delimiter);
          return true;
        } catch {
          return false;
        }
      }),
    };
  };
  const makeGlob = () =>
    pick(
      ['*', '*1*', 'user:*', '?????', '*{int}*', '*.*', 'u*:?', '*:1', '', '*\\*', '*-*', `${somePrefix()}*`].slice(
        0,
        12,
      ),
    );
  const anyRule = () => pick(['*', 'T1', 'N8', 'N3', 'V16', 'X-0', 'X-1', 'N14', 'V3', 'N18', 'N12', 'N15', 'T4']);
  const n = 1 + int(3);
  const some = <T>(max: number, make: () => T) => Array.from({ length: int(max) }, make);
  const policy: EffectivePolicy = {
    hash: (0xabc000000000 + seed).toString(16).padStart(16, '0'),
    profiles: Array.from({ length: n }, (_, i) => ({
      id: `p${i}`,
      body: r() < 0.2 ? presets.get(pick(['default', 'S0', 'S1', 'S2', 'S3', 'S4']))! : body(i),
    })),
    base: int(n),
    prefixes: [
      ...new Map(some(6, () => ({ prefix: somePrefix(), profile: int(n) })).map((p) => [p.prefix, p])).values(),
    ],
    exemptions: [
      ...some(5, () => ({ rule: anyRule(), prefix: r() < 0.1 ? '' : somePrefix(), pattern: null })),
      ...some(4, () => ({ rule: anyRule(), prefix: null, pattern: makeGlob() || '*' })),
    ],
    owners: [
      ...new Map(
        some(6, () => ({ prefix: somePrefix(), team: pick(['t1', 't2', 't3']) })).map((p) => [p.prefix, p]),
      ).values(),
    ],
  };
  return { rows, policy, pick, int, somePrefix, r };
}
