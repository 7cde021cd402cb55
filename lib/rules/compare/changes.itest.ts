import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { createPassContext, rowsSql } from '@/lib/rules/evaluate/pass-sql';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import { presets } from '@/lib/rules/profiles/presets';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { LONG } from '@/test/long-form.mjs';
import { policyOfFewRules } from '@/test/rules/few-rules';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { type Changes, compareFindings, MAX_EXAMPLES } from './changes';
import { keepChanges, readChanges } from './changes-file';
import type { ChangeScope } from './changes-scope';
import { findChanges } from './find-changes';

let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

const basic = toPolicy(presets.get('default')!);
/** A policy with several profiles, exemptions of both kinds, and owners. */
const mixed: EffectivePolicy = {
  ...basic,
  hash: 'mixed',
  profiles: [...basic.profiles, ...toPolicy(presets.get('S3')!).profiles, ...toPolicy(presets.get('S4')!).profiles],
  prefixes: [
    { prefix: 'shop:', profile: basic.profiles.length },
    { prefix: 'shop:order:', profile: basic.profiles.length + 1 },
    { prefix: '用户:', profile: basic.profiles.length },
  ],
  exemptions: [
    { rule: 'T1', prefix: 'session:', pattern: null },
    { rule: '*', prefix: 'shop:shard:', pattern: null },
    { rule: 'V3', prefix: null, pattern: '*cart' },
  ],
  owners: [
    { prefix: 'shop:', team: 'commerce' },
    { prefix: 'im:', team: 'chat' },
  ],
};

const compilePair = (policy: EffectivePolicy, now: SnapshotRef, then: SnapshotRef) => ({
  current: compilePolicy(policy, toPolicyFacts(now.manifest)),
  previous: compilePolicy(policy, toPolicyFacts(then.manifest)),
});

/** Returns rule → the keys that violate it. Each rule is evaluated by itself on the whole file, without the pass. */
async function violatedKeys(ref: SnapshotRef, compiled: CompiledPolicy) {
  return withSource(ref, async (source) => {
    const found = new Map<string, Set<string>>();
    const notEvaluated = new Set<string>();
    const all = new Map<string, string>();
    const id = `concat(hex(name), '/', db, '/', coalesce(hex(raw), ''), '/', coalesce(sha256, ''))`;
    for (const row of await source.query<{ id: string; name: string }>(`SELECT ${id} AS id, name FROM ${source.keys}`))
      all.set(row.id, row.name);
    const bytes = (text: string) => Buffer.from(text);
    for (const [index, profile] of compiled.profiles.entries()) {
      const zones = compiled.zones.filter((zone) => zone.profile === index);
      if (zones.length === 0 || profile.keyRules.length === 0) continue;
      const where = new Where();
      const sql = createPassContext(where, compiled, profile);
      const columns = profile.keyRules.map(
        (rule, i) => `${rule.violated(sql)} AS b${i}, ${rule.unknown(sql) ?? 'false'} AS u${i}`,
      );
      const rows = await source.query<{ id: string } & Record<string, string | boolean>>(
        `SELECT ${id} AS id, ${columns.join(', ')} FROM ${rowsSql(source.keys, '', sql)}`,
        where.values,
      );
      for (const row of rows) {
        const name = all.get(row.id)!;
        const zone = zones.find(
          ({ from, to }) =>
            Buffer.compare(bytes(name), bytes(from)) >= 0 &&
            (to === null || Buffer.compare(bytes(name), bytes(to)) < 0),
        );
        if (!zone || zone.exempt.includes('*')) continue;
        for (const [i, rule] of profile.keyRules.entries()) {
          if (zone.exempt.includes(rule.id)) continue;
          const exempted = rule.id === 'V3' && compiled.patterns.length > 0 && /^.*cart$/s.test(name);
          if (exempted) continue;
          if (row[`b${i}`] === true) found.set(rule.id, (found.get(rule.id) ?? new Set()).add(row.id));
          else if (row[`u${i}`] === true) notEvaluated.add(`${rule.id} ${row.id}`);
        }
      }
    }
    return { found, notEvaluated: notEvaluated, all };
  });
}

type ViolatedKeys = Awaited<ReturnType<typeof violatedKeys>>;

async function violatedInBoth(now: SnapshotRef, then: SnapshotRef, policy: EffectivePolicy) {
  const compiled = compilePair(policy, now, then);
  return { after: await violatedKeys(now, compiled.current), before: await violatedKeys(then, compiled.previous) };
}

const naive = async (now: SnapshotRef, then: SnapshotRef, policy: EffectivePolicy): Promise<Changes> =>
  changesBetween(await violatedInBoth(now, then, policy), () => true);

function changesBetween(
  { after, before }: { after: ViolatedKeys; before: ViolatedKeys },
  within: (name: string) => boolean,
): Changes {
  const changes: Changes = {};
  for (const rule of new Set([...after.found.keys(), ...before.found.keys()])) {
    const is = after.found.get(rule) ?? new Set<string>();
    const was = before.found.get(rule) ?? new Set<string>();
    // A key is neither new nor fixed if the rule is unknown for it in one of the two snapshots.
    const known = (id: string) => !after.notEvaluated.has(`${rule} ${id}`) && !before.notEvaluated.has(`${rule} ${id}`);
    const inPart = (id: string) => within((after.all.get(id) ?? before.all.get(id))!);
    const fresh = [...is].filter((id) => !was.has(id) && known(id) && inPart(id));
    const lost = [...was].filter((id) => !is.has(id) && known(id) && inPart(id));
    const change = {
      newKeys: fresh.length,
      fixedKeys: lost.filter((id) => after.all.has(id)).length,
      goneKeys: lost.filter((id) => !after.all.has(id)).length,
      examples: fresh
        .map((id) => after.all.get(id)!)
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .slice(0, MAX_EXAMPLES),
    };
    if (fresh.length + lost.length > 0) changes[rule] = change;
  }
  return changes;
}

/** The keyspace at a later time: some keys are gone, some are new, and facts (and a few types) have changed. */
function later(rows: readonly MadeRow[], seed: number): MadeRow[] {
  const fresh = madeRows(LONG ? 500 : 150, seed).map((row, i) => ({
    ...row,
    bytesOfName: Buffer.concat([Buffer.from(i % 2 ? 'New_' : 'im:'), row.bytesOfName]),
  }));
  const kept = rows.flatMap((row, i): MadeRow[] => {
    const turn = (i * 2654435761 + seed) % 10;
    if (turn === 0) return [];
    if (turn === 1) return [{ ...row, expireAt: NO_EXPIRY }];
    if (turn === 2) return [{ ...row, expireAt: AS_OF + 86_400_000 + i, type: 'string', encoding: 'raw', length: 5 }];
    if (turn === 3) return [{ ...row, type: 'hash', encoding: 'hashtable', length: 7000 }];
    return [row];
  });
  const seen = new Set<string>();
  return [...kept, ...fresh].filter((row) => {
    const id = `${row.db}/${row.bytesOfName.toString('hex')}`;
    return seen.has(id) ? false : seen.add(id) !== undefined;
  });
}

type Case = [what: string, policy: EffectivePolicy, seed: number, cutRows: number];
const whole: Case[] = [
  ['one profile', basic, 1, 200],
  ['one profile, one cut', basic, 2, 1_000_000],
  ['zones, exemptions, owners', mixed, 3, 150],
  ['zones, exemptions, owners, tiny cuts', mixed, 4, 60],
];
// Each cut plans all rules again, so the short form has few cuts.
const short: Case[] = [
  ['one profile', basic, 1, 250],
  ['zones, exemptions, owners', mixed, 3, 150],
];
it.each(LONG ? whole : short)('tells what a comparison key by key tells: %s', async (_what, policy, seed, cutRows) => {
  const rows = madeRows(LONG ? 2500 : 400, seed);
  const then = await makeSealed(folder.root, `then${seed}`, rows);
  const now = await makeSealed(folder.root, `now${seed}`, later(rows, seed));
  const reported = await compareFindings(now, then, compilePair(policy, now, then), { cutRows });
  const expected = await naive(now, then, policy);
  expect(Object.keys(expected).length).toBeGreaterThan(5);
  expect(Object.values(expected).some((c) => c.fixedKeys > 0)).toBe(true);
  expect(Object.values(expected).some((c) => c.goneKeys > 0)).toBe(true);
  expect(reported).toEqual(expected);
});

it('tells of a part what a comparison key by key tells of its names', async () => {
  const policy = policyOfFewRules(mixed);
  const rows = madeRows(LONG ? 1000 : 600, 6);
  const then = await makeSealed(folder.root, 'then-part', rows);
  const now = await makeSealed(folder.root, 'now-part', later(rows, 6));
  const owner = (name: string) => (name.startsWith('shop:') ? 'commerce' : name.startsWith('im:') ? 'chat' : '-');
  const parts: [ChangeScope, (name: string) => boolean][] = [
    [{ prefix: 'shop:user:1' }, (name) => name.startsWith('shop:user:1')],
    [{ prefix: 's' }, (name) => name.startsWith('s')],
    [{ owner: 'commerce' }, (name) => owner(name) === 'commerce'],
    [{ owner: '-' }, (name) => owner(name) === '-'],
    [{ template: 'shop:user:{int}' }, (name) => /^shop:user:[0-9]+(:|$)/.test(name)],
    [{ owner: 'commerce', prefix: 'shop:o' }, (name) => name.startsWith('shop:o')],
  ];
  const violated = await violatedInBoth(now, then, policy);
  const reported: Changes[] = [];
  for (const [scope, within] of parts) {
    const changes = await compareFindings(now, then, compilePair(policy, now, then), { cutRows: 300 }, scope);
    expect([scope, changes]).toEqual([scope, changesBetween(violated, within)]);
    reported.push(changes);
  }
  expect(reported.filter((changes) => Object.keys(changes).length > 0).length).toBe(6);
});

it('tells nothing of a snapshot against itself, and everything against an empty one', async () => {
  const policy = policyOfFewRules(mixed);
  const rows = madeRows(LONG ? 800 : 200, 9);
  const one = await makeSealed(folder.root, 'one', rows);
  const same = await makeSealed(folder.root, 'same', rows);
  const none = await makeSealed(folder.root, 'none', []);
  const plain = policyOfFewRules(basic);
  expect(await compareFindings(one, same, compilePair(plain, one, same))).toEqual({});
  expect(await compareFindings(one, none, compilePair(policy, one, none))).toEqual(await naive(one, none, policy));
  expect(await compareFindings(none, one, compilePair(plain, none, one))).toEqual(await naive(none, one, plain));
});

it('takes no key for repaired or new because a fact could not be read', async () => {
  const rows = madeRows(LONG ? 600 : 150, 12);
  const blind = rows.map((row) => ({ ...row, expireAt: UNKNOWN, length: UNKNOWN, bytes: UNKNOWN, type: null }));
  const known = await makeSealed(folder.root, 'facts', rows);
  const refused = await makeSealed(folder.root, 'no-facts', blind);
  for (const [now, then] of [
    [refused, known],
    [known, refused],
  ] as const) {
    const reported = await compareFindings(now, then, compilePair(basic, now, then));
    for (const rule of ['T1', 'T5', 'V1', 'V3', 'V10']) expect([rule, reported[rule]]).toEqual([rule, undefined]);
    expect(reported).toEqual(await naive(now, then, basic));
  }
});

it('refuses two policies, and a snapshot that is gone', async () => {
  const one = await makeSealed(folder.root, 'refuses', madeRows(10, 1));
  const { current } = compilePair(basic, one, one);
  await expect(compareFindings(one, one, { current, previous: { ...current, hash: 'other' } })).rejects.toThrow(
    'one and the same',
  );
  const gone = { ...one, dir: path.join(folder.root, 'gone') };
  await expect(compareFindings(one, gone, { current, previous: current })).rejects.toMatchObject({
    code: 'snapshot_unreadable',
  });
});

it('ends when the caller has gone', async () => {
  const one = await makeSealed(folder.root, 'ends', madeRows(100, 1));
  const { current } = compilePair(basic, one, one);
  await expect(
    compareFindings(one, one, { current, previous: current }, { signal: AbortSignal.abort(new Error('gone away')) }),
  ).rejects.toThrow('gone away');
});

it('keeps a comparison, and takes no half one', async () => {
  const dir = path.join(folder.root, 'rules');
  await mkdir(dir);
  const changes = { T1: { newKeys: 1, fixedKeys: 2, goneKeys: 3, examples: ['a'] } };
  expect(await readChanges(dir, 'p')).toBeNull();
  await keepChanges(dir, 'p', changes);
  expect(await readChanges(dir, 'p')).toEqual(changes);
  await writeFile(path.join(dir, 'changes-p.json'), '{"version":2,"ru');
  expect(await readChanges(dir, 'p')).toBeNull();
});

it('compares once, keeps it beside the evaluation, and answers without a folder to keep it in', async () => {
  const then = await makeSealed(folder.root, 'kept-then', madeRows(LONG ? 300 : 100, 5));
  const now = await makeSealed(folder.root, 'kept-now', later(madeRows(LONG ? 300 : 100, 5), 5));
  const expected = await naive(now, then, basic);
  expect(await findChanges(now, then, basic)).toEqual(expected);
  const kept = getRulesFolder(now.dir, basic.hash);
  expect(await readChanges(kept, 'kept-then')).toBeNull();
  await mkdir(kept);
  const [one, two] = await Promise.all([findChanges(now, then, basic), findChanges(now, then, basic)]);
  expect(one).toEqual(expected);
  expect(two).toEqual(expected);
  expect(await readChanges(kept, 'kept-then')).toEqual(expected);
});
