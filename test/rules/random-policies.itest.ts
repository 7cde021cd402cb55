import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRows } from '@/lib/findings/check-rows';
import { findingsOf, prepare, ruleFindingsOf } from '@/lib/findings/findings-of';
import { displayName } from '@/lib/model/display-name';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/facts-page';
import type { CustomRule, EffectivePolicy, ProfileBody } from '@/lib/model/policy';
import { runReport } from '@/lib/reports/run-report';
import { whereOf } from '@/lib/reports/where';
import { catalogue } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/presets';
import { parseTemplate } from '@/lib/rules/template';
import { withSource } from '@/lib/snapshots/with-source';
import { AS_OF, HOSTILE, type MadeRow } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * Policies and keyspaces made at random: profiles with other delimiters, numbers and words, own rules of every kind, prefixes and
 * exemptions whose borders lie amid a family of names, hostile and very long names. The pass that asks one name for a whole family,
 * the roll-up, the lists and their pages must say of every part of the keyspace what each key is told by itself (checkRows).
 */
const SEEDS = [1, 2, 120];
const KEYS = 700;

/** mulberry32 */
function random(seed: number) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

function maker(seed: number) {
  const r = random(seed);
  const int = (n: number) => Math.floor(r() * n);
  const pick = <T>(some: readonly T[]): T => some[int(some.length)]!;
  const chars = (set: string, n: number) => Array.from({ length: n }, () => set[int(set.length)]).join('');
  const words = [
    'user',
    'User',
    'USER',
    'user_info',
    'userInfo',
    'user-info',
    'user.info',
    'a',
    'ab',
    'facade',
    'deadbeef',
    'get',
    'token',
    'pwd',
    '密码',
    '用户',
    '{shop',
    '17}',
    '{17}',
    '{int}',
    '\\{int}',
    '{uuid}',
    'x y',
    'q"',
    'set',
    'hash',
    'string',
    'list',
    'zset',
    '',
    'order',
    'cart',
    'v2',
    'x1',
    'room9',
    'id',
    'ok',
    'nil',
    '86',
    '+86',
    'é',
    'session',
    'e',
    '-',
    '--',
    '.',
    'a.1',
    'abc.12',
    'UserAdmin',
    'a@b.cc',
    '\\x41',
    'a/b',
    'geo',
    'bitmap',
    'abcdefghijklmnopqrstuvwxyz',
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
  const nameOf = (): Buffer => {
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
  // Families: many names of one form.
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
    const bytesOfName = r() < 0.6 ? pick(families)() : nameOf();
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
  const delimiters = [
    ':',
    ':',
    ':',
    ':',
    '::',
    '/',
    '|',
    '.',
    '-',
    '_',
    'a',
    '1',
    '{',
    '->',
    '^',
    ']',
    '\\',
    'é',
    '密',
  ];
  const somePrefix = () => {
    const row = pick(rows);
    const { name } = displayName(row.bytesOfName);
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
  const globOf = () =>
    pick(
      ['*', '*1*', 'user:*', '?????', '*{int}*', '*.*', 'u*:?', '*:1', '', '*\\*', '*-*', `${somePrefix()}*`].slice(
        0,
        12,
      ),
    );
  const anyRule = () => pick(['*', 'T1', 'N8', 'N3', 'V16', 'X-0', 'X-1', 'N14', 'V3', 'N18', 'N12', 'N15', 'T4']);
  const n = 1 + int(3);
  const some = <T>(most: number, make: () => T) => Array.from({ length: int(most) }, make);
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
      ...some(4, () => ({ rule: anyRule(), prefix: null, pattern: globOf() || '*' })),
    ],
    owners: [
      ...new Map(
        some(6, () => ({ prefix: somePrefix(), team: pick(['t1', 't2', 't3']) })).map((p) => [p.prefix, p]),
      ).values(),
    ],
  };
  return { rows, policy, pick, int, somePrefix, r };
}

it.each(SEEDS)(
  'counts, lists and pages say what each key is told, seed %s',
  async (seed) => {
    const { rows, policy, pick, somePrefix, r } = maker(seed);
    const sealed = await makeSealed(data.root, `s${seed}`, rows);
    const live = r() < 0.3 ? await makeLive(data.root, `l${seed}`, rows) : null;
    const { ref } = await prepare(sealed, policy);
    type Kept = {
      name: string;
      raw: Uint8Array | null;
      nameBytes: number;
      type: string | null;
      encoding: string | null;
      expireAt: number | null;
      expiryKnown: boolean;
      bytes: number | null;
      length: number | null;
      idleSeconds: number | null;
      id: string;
    };
    const idSql = `concat(db, '/', hex(name), '/', coalesce(hex(raw), ''), '/', coalesce(sha256, ''))`;
    const kept = await withSource(ref, (source) =>
      source.query<Kept & Record<string, unknown>>(
        `SELECT ${idSql} AS id, name, raw, name_bytes AS "nameBytes", type, encoding, expire_at AS "expireAt", expiry_known AS "expiryKnown", bytes, length, idle_seconds AS "idleSeconds" FROM ${source.keys}`,
      ),
    );
    expect(kept.length).toBe(rows.length);
    const verdicts = await checkRows(policy, kept, {
      dir: sealed.dir,
      asOf: AS_OF,
      lazyfreeLazyExpire: false,
      clustered: true,
    });
    const tellOf = (meant: boolean[]) => {
      const told = new Map<string, { keys: number; bytes: number; exempt: number; unknown: number }>();
      const t = { mandatory: 0, recommended: 0, advice: 0, exempt: 0, keys: 0 };
      kept.forEach((row, i) => {
        if (!meant[i]) return;
        t.keys++;
        const v = verdicts[i]!;
        for (const b of v.broken) {
          const e = told.get(b.rule) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
          told.set(b.rule, e);
          if (b.exempt) e.exempt++;
          else {
            e.keys++;
            e.bytes += row.bytes ?? 0;
          }
        }
        for (const u of v.unknown) {
          const e = told.get(u) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
          told.set(u, e);
          e.unknown++;
        }
        for (const s of ['mandatory', 'recommended', 'advice'] as const)
          if (v.broken.some((b) => !b.exempt && b.strength === s)) t[s]++;
        if (v.broken.some((b) => b.exempt)) t.exempt++;
      });
      return { told, t };
    };
    const compare = (what: string, report: Awaited<ReturnType<typeof findingsOf>>, meant: boolean[]) => {
      const { told, t } = tellOf(meant);
      const said = Object.fromEntries(
        report.rules
          .filter((x) => x.kind === 'key')
          .map((x) => [x.rule, { keys: x.keys, bytes: x.bytes, exempt: x.exemptKeys, unknown: x.unknownKeys }]),
      );
      const expected = Object.fromEntries(
        Object.keys(said).map((id) => [id, told.get(id) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 }]),
      );
      const wrong = Object.keys(said)
        .filter((id) => JSON.stringify(said[id]) !== JSON.stringify(expected[id]))
        .map((id) => [what, id, said[id], expected[id]]);
      expect(wrong).toEqual([]);
      expect([
        what,
        report.total.keys,
        report.mandatory.keys,
        report.recommended.keys,
        report.advice.keys,
        report.exempt.keys,
      ]).toEqual([what, t.keys, t.mandatory, t.recommended, t.advice, t.exempt]);
    };
    const report = await findingsOf(sealed, policy, {});
    compare(
      'all',
      report,
      kept.map(() => true),
    );
    if (live)
      compare(
        'live',
        await findingsOf(live, policy, {}),
        kept.map(() => true),
      );
    // lists
    const keyRules = report.rules.filter((x) => x.kind === 'key');
    const list = (filter: object) =>
      withSource(ref, async (source) => {
        const where = whereOf(filter, source);
        const from = await source.accuser!.narrowed(source, filter);
        return (
          await source.query<{ id: string } & Record<string, unknown>>(
            `SELECT ${idSql} AS id FROM ${from} ${where.sql}`,
            where.values,
          )
        )
          .map((x) => x.id)
          .sort();
      });
    for (let k = 0; k < 8; k++) {
      const { rule } = pick(keyRules);
      const expected = kept
        .filter((_, i) => verdicts[i]!.broken.some((b) => b.rule === rule && !b.exempt))
        .map((x) => x.id)
        .sort();
      expect([rule, await list({ rule: [rule] })]).toEqual([rule, expected]);
      const where = await ruleFindingsOf(sealed, policy, rule, { limit: 100_000 });
      expect([rule, where.prefixes.reduce((n, one) => n + one.keys, 0)]).toEqual([rule, expected.length]);
    }
    const paged = async (filter: object) => {
      const names: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { report: page } = await runReport(ref, 'keys', { ...filter, limit: 97, ...(cursor && { cursor }) });
        names.push(...page.rows.map((row) => `${row.name}/${row.db}/${row.k}`));
        if (page.nextCursor === null) return { names, total: page.total };
        cursor = page.nextCursor;
      }
    };
    const everything = await paged({});
    for (let k = 0; k < 3; k++) {
      const { rule } = pick(keyRules);
      const { rule: other } = pick(keyRules);
      const strength = pick(['mandatory', 'recommended', 'advice'] as const);
      const owner = pick(['t1', '-', undefined]);
      const filter = {
        rule: k === 2 ? [rule, other] : [rule],
        ...(k > 0 && { strength: [strength] }),
        ...(owner && k > 1 && { owner }),
      };
      const longest = (name: string) =>
        policy.owners.filter((o) => name.startsWith(o.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]
          ?.team ?? '-';
      const meant = kept.filter((row, i) => {
        const open = verdicts[i]!.broken.filter((b) => !b.exempt);
        return (
          open.some((b) => filter.rule.includes(b.rule)) &&
          (k === 0 || open.some((b) => b.strength === strength)) &&
          (!filter.owner || longest(row.name) === filter.owner)
        );
      });
      const list = await paged(filter);
      expect([filter, list.total, list.names.length]).toEqual([filter, meant.length, meant.length]);
      const have = new Set(list.names);
      expect(list.names).toEqual(everything.names.filter((one) => have.has(one)));
    }
    const strength = pick(['mandatory', 'recommended', 'advice'] as const);
    expect(await list({ strength: [strength] })).toEqual(
      kept
        .filter((_, i) => verdicts[i]!.broken.some((b) => b.strength === strength && !b.exempt))
        .map((x) => x.id)
        .sort(),
    );
    for (let k = 0; k < 4; k++) {
      const prefix = somePrefix();
      compare(
        `prefix ${JSON.stringify(prefix)}`,
        await findingsOf(sealed, policy, { prefix }),
        kept.map((x) => x.name.startsWith(prefix)),
      );
    }
    // templates: of the paths that rule reports tell, and of the roll-up's own
    const paths = await withSource(ref, (source) =>
      source.query<{ template: string }>(
        `SELECT DISTINCT template FROM read_parquet('${sealed.dir}/rules1-${policy.hash}/rollup-0.parquet') ORDER BY hash(template) LIMIT 6`,
      ),
    );
    for (const { template } of paths) {
      const segs = template.split(':');
      for (const path of new Set([
        template,
        `${segs.slice(0, 2).join(':')}:`,
        `${segs.slice(0, 1).join(':')}:`,
        segs.slice(0, 3).join(':'),
      ])) {
        if (path === '') continue;
        const ids = new Set(await list({ template: path }));
        compare(
          `template ${JSON.stringify(path)}`,
          await findingsOf(sealed, policy, { template: path }),
          kept.map((x) => ids.has(x.id)),
        );
      }
    }
    for (const owner of report.owners) {
      const { team } = owner;
      const ids = new Set(await list({ owner: team ?? '-' }));
      compare(
        `owner ${team}`,
        await findingsOf(sealed, policy, { owner: team ?? '-' }),
        kept.map((x) => ids.has(x.id)),
      );
      const longest = (name: string) =>
        policy.owners.filter((o) => name.startsWith(o.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]
          ?.team ?? null;
      expect([team, ids.size]).toEqual([team, kept.filter((x) => longest(x.name) === team).length]);
    }
  },
  120_000,
);
