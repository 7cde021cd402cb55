import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { CustomRule, EffectivePolicy } from '@/lib/model/rules/policy';
import { type CompiledPolicy, compilePolicy } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { deleteBlocksSql } from '@/lib/snapshots/key-query/delete-cost';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { bigkeySql, perhapsBigkeySql, recognisedSql } from '@/lib/snapshots/query/bigkey-sql';
import { LONG } from '@/test/long-form.mjs';
import { hostileRows } from '@/test/rules/hostile-rows';
import { AS_OF } from '@/test/snapshots/made-rows';
import { createPassContext, groupZonesByProfile, rollupSql, rowsSql } from './pass-sql';

/**
 * The statement over all keys skips what it can derive: known facts, and names that differ only in their ids.
 * These tests evaluate every rule on every key, one by one, and compare.
 */
const body = presets.get('default')!;
const custom: CustomRule[] = [
  { ...own('idle-too-long'), check: 'threshold', column: 'idleSeconds', types: [], atMost: 500, atLeast: null },
  { ...own('seven'), check: 'regex', pattern: '7', must: 'notMatch' },
];
function own(id: string) {
  return { id, title: id, why: '', fix: '', on: true, strength: 'advice', prefix: '' } as const;
}
const every: EffectivePolicy = toPolicy({
  ...body,
  rules: Object.fromEntries(Object.entries(body.rules).map(([id, setting]) => [id, { ...setting, on: true }])),
  custom,
});

const segment = fc.constantFrom(
  ...['user', 'User_name', 'svc15', 'geo', 'bitmap', 'lock', 'token', 'GET', '', '用户', 'hash', 'a b'],
  ...['1', '17', '2024', '05', '20261120', '12345678901', '13812345678', 'user_17', 'room_1:x_22', '{7}', '{room:7}'],
  ...['deadbeefcafe', '0a1b2c3d4e5f', '550e8400-e29b-41d4-a716-446655440000', 'x_1_2', 'v1.2', 'a@b.cc'],
);
const nothing = { weight: 1, arbitrary: fc.constant(null) };
const pickOne = <T>(...values: T[]) => fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, nothing);
const row: fc.Arbitrary<AdHocRow> = fc.record({
  name: fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(':')),
  type: pickOne('string', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL'),
  encoding: pickOne('raw', 'listpack', 'hashtable', 'skiplist', 'quicklist'),
  expiryKnown: fc.constantFrom(true, true, true, false),
  expireAt: fc.constantFrom(null, AS_OF - 1, AS_OF + 30_000, AS_OF + 86_400_000),
  bytes: pickOne(50, 700, 10_240, 10_241, 30_000, 2_000_000),
  length: pickOne(1, 99, 100, 101, 5000, 5001, 10_241, 12_304, 300_000),
  idleSeconds: pickOne(0, 501, 5_000_000),
});

async function bothWays(compiled: CompiledPolicy, rows: readonly AdHocRow[]) {
  return withRows(
    rows,
    async (source) => {
      const [run] = groupZonesByProfile(compiled.zones);
      const where = new Where();
      const rollup = rollupSql(source.keys, where, compiled, run!, 'ordinal');
      const fast = await source.query<{ child: number; violated: string; notEvaluated: string }>(
        `SELECT child, violated::VARCHAR AS violated, notEvaluated::VARCHAR AS notEvaluated FROM (${rollup}) ORDER BY child`,
        where.values,
      );
      // With `child` each key is a group of its own. Without it, one name is evaluated for a whole group.
      const together = new Where();
      const sums = await source.query<{ violated: string; notEvaluated: string; keys: number }>(
        `SELECT violated::VARCHAR AS violated, notEvaluated::VARCHAR AS notEvaluated, sum(keys)::DOUBLE AS keys
         FROM (${rollupSql(source.keys, together, compiled, run!)}) GROUP BY 1, 2`,
        together.values,
      );
      const plainly = new Where();
      const profile = compiled.profiles[0]!;
      const sql = createPassContext(plainly, compiled, profile);
      const columns = profile.keyRules.map(
        (rule) => `(${rule.violated(sql)}) AS b${rule.bit}, (${rule.unknown(sql) ?? 'false'}) AS u${rule.bit}`,
      );
      const slow = await source.query<Record<string, boolean>>(
        `SELECT ${columns.join(', ')} FROM ${rowsSql(source.keys, '', sql)} ORDER BY ordinal`,
        plainly.values,
      );
      const mask = (of: Record<string, boolean>, letter: string) =>
        profile.keyRules.reduce((sum, { bit }) => (of[letter + bit] === true ? sum | (1n << BigInt(bit)) : sum), 0n);
      const expected = slow.map((one) => ({ violated: String(mask(one, 'b')), notEvaluated: String(mask(one, 'u')) }));
      return { fast, sums, expected };
    },
    { asOf: compiled.asOf, lazyfreeLazyExpire: compiled.lazyExpire },
  );
}

type Setting = [what: string, delimiter: string, lazyExpire: boolean | null];
const FREED: Setting = ['expired keys freed in the main thread', ':', false];
const SETTINGS: Setting[] = [
  ['the setting of expired keys unknown', ':', null],
  FREED,
  ['another delimiter', '_', true],
];
const SHORT_SETTINGS: Setting[] = [FREED, ['another delimiter, the setting of expired keys unknown', '_', null]];

describe('the pass over all keys', () => {
  it.each(LONG ? SETTINGS : SHORT_SETTINGS)(
    'says of every key what its rules say one by one: %s',
    { timeout: 400_000 },
    async (_what, delimiter, lazyExpire) => {
      const policy = { ...every, profiles: every.profiles.map((p) => ({ ...p, body: { ...p.body, delimiter } })) };
      const compiled = compilePolicy(policy, {
        asOf: AS_OF,
        lazyExpire,
        clustered: true,
        replicaNodes: [],
        moreCommands: [],
      });
      const rows = [...hostileRows(), ...fc.sample(row, { seed: 20261123, numRuns: LONG ? 15_000 : 3000 })];
      const { fast, sums, expected } = await bothWays(compiled, rows);
      expect(fast.length).toBe(rows.length);
      const wrong = rows.flatMap((one, i) =>
        fast[i]!.violated === expected[i]!.violated && fast[i]!.notEvaluated === expected[i]!.notEvaluated
          ? []
          : [{ one, fast: fast[i], expected: expected[i] }],
      );
      expect(wrong.slice(0, 3)).toEqual([]);
      const counted = (of: readonly { violated: string; notEvaluated: string; keys?: number }[]) => {
        const found = new Map<string, number>();
        for (const { violated, notEvaluated, keys = 1 } of of)
          found.set(`${violated}/${notEvaluated}`, (found.get(`${violated}/${notEvaluated}`) ?? 0) + keys);
        return [...found].sort();
      };
      expect(counted(sums)).toEqual(counted(expected));
      // Some key violates each rule, so every rule is really tested.
      const all = expected.reduce((mask, one) => mask | BigInt(one.violated), 0n);
      const never = compiled.profiles[0]!.keyRules.filter(({ bit }) => ((all >> BigInt(bit)) & 1n) === 0n);
      expect(
        never.map((rule) => rule.id).filter((id) => id !== 'N6' && !(id === 'V10' && lazyExpire !== false)),
      ).toEqual([]);
    },
  );
});

it('asks every row as it comes: a longer IN would send all of them through a join', async () => {
  const rows: AdHocRow[] = [{ name: 'user:1', type: 'hash', encoding: 'listpack', length: 3, bytes: 80 }];
  const compiled = compilePolicy(every, {
    asOf: AS_OF,
    lazyExpire: false,
    clustered: true,
    replicaNodes: [],
    moreCommands: [],
  });
  const [run] = groupZonesByProfile(compiled.zones);
  await withRows(rows, async (source) => {
    const listOperators = async (sql: string, where: Where) => {
      const plan = JSON.stringify(await source.query(`EXPLAIN ${sql}`, where.values));
      return [...plan.matchAll(/│ +([A-Z_]{4,}) +│/g)].map(([, operator]) => operator);
    };
    const where = new Where();
    const pass = await listOperators(rollupSql(source.keys, where, compiled, run!), where);
    expect(pass).toContain('SEQ_SCAN');
    expect(pass.filter((operator) => operator?.includes('JOIN'))).toEqual([]);
    const predicates = [bigkeySql, recognisedSql, perhapsBigkeySql].map((sql) => sql(STANDARD_THRESHOLDS));
    const facts = [...predicates, deleteBlocksSql].join(', ');
    expect(new Set(await listOperators(`SELECT ${facts} FROM ${source.keys}`, new Where()))).toEqual(
      new Set(['PROJECTION', 'SEQ_SCAN']),
    );
  });
});
