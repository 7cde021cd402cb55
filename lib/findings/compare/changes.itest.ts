import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf, rowsSql } from '@/lib/findings/evaluate/pass-sql';
import { type CompiledPolicy, compilePolicy, policyFacts } from '@/lib/findings/policy/compile-policy';
import { policyOf } from '@/lib/findings/policy/effective-policy';
import { rulesFolder } from '@/lib/findings/policy/rules-folder';
import { Where } from '@/lib/key-query/where-clause';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { presets } from '@/lib/rules/profiles/presets';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { type Changes, compareFindings, MAX_EXAMPLES } from './changes';
import { keepChanges, readChanges } from './changes-file';
import { changesOf } from './changes-of';
import type { ChangeScope } from './changes-scope';

let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

const basic = policyOf(presets.get('default')!);
/** Several profiles, exemptions of both kinds, owners. */
const mixed: EffectivePolicy = {
  ...basic,
  hash: 'mixed',
  profiles: [...basic.profiles, ...policyOf(presets.get('S3')!).profiles, ...policyOf(presets.get('S4')!).profiles],
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

const compiledOf = (policy: EffectivePolicy, now: SnapshotRef, then: SnapshotRef) => ({
  current: compilePolicy(policy, policyFacts(now.manifest)),
  previous: compilePolicy(policy, policyFacts(then.manifest)),
});

/** rule → the keys that break it, found rule by rule over the whole file and without the pass. */
async function violatedKeys(ref: SnapshotRef, compiled: CompiledPolicy) {
  return withSource(ref, async (source) => {
    const found = new Map<string, Set<string>>();
    const notEvaluated = new Set<string>();
    const all = new Map<string, string>();
    const id = `concat(hex(name), '/', db, '/', coalesce(hex(raw), ''), '/', coalesce(sha256, ''))`;
    for (const row of await source.query<{ id: string; name: string }>(`SELECT ${id} AS id, name FROM ${source.keys}`))
      all.set(row.id, row.name);
    const bytes = (text: string) => Buffer.from(text);
    for (const zone of compiled.zones) {
      const profile = compiled.profiles[zone.profile]!;
      for (const rule of profile.keyRules) {
        if (zone.exempt.includes('*') || zone.exempt.includes(rule.id)) continue;
        const where = new Where();
        const sql = contextOf(where, compiled, profile);
        const rows = await source.query<{ id: string; violated: boolean }>(
          `SELECT ${id} AS id, violated FROM (SELECT *, ${rule.violated(sql)} AS violated, ${rule.unknown(sql) ?? 'false'} AS notEvaluated
             FROM ${rowsSql(source.keys, '', sql)}) WHERE violated OR notEvaluated`,
          where.values,
        );
        for (const row of rows) {
          const name = all.get(row.id)!;
          const inside =
            Buffer.compare(bytes(name), bytes(zone.from)) >= 0 &&
            (zone.to === null || Buffer.compare(bytes(name), bytes(zone.to)) < 0);
          const exempted = rule.id === 'V3' && compiled.patterns.length > 0 && /^.*cart$/s.test(name);
          if (!inside || exempted) continue;
          if (!row.violated) {
            notEvaluated.add(`${rule.id} ${row.id}`);
            continue;
          }
          if (!found.has(rule.id)) found.set(rule.id, new Set());
          found.get(rule.id)!.add(row.id);
        }
      }
    }
    return { found, notEvaluated: notEvaluated, all };
  });
}

type ViolatedKeys = Awaited<ReturnType<typeof violatedKeys>>;

async function violatedInBoth(now: SnapshotRef, then: SnapshotRef, policy: EffectivePolicy) {
  const compiled = compiledOf(policy, now, then);
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
    // Nobody knows whether it is new or repaired where one of the two is unknown.
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

/** The keyspace a while later: keys gone, keys new, facts (and a few types) changed. */
function later(rows: readonly MadeRow[], seed: number): MadeRow[] {
  const fresh = madeRows(500, seed).map((row, i) => ({
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

it.each([
  ['one profile', basic, 1, 200],
  ['one profile, one cut', basic, 2, 1_000_000],
  ['zones, exemptions, owners', mixed, 3, 150],
  ['zones, exemptions, owners, tiny cuts', mixed, 4, 60],
] as const)('tells what a comparison key by key tells: %s', async (_what, policy, seed, cutRows) => {
  const rows = madeRows(2500, seed);
  const then = await makeSealed(folder.root, `then${seed}`, rows);
  const now = await makeSealed(folder.root, `now${seed}`, later(rows, seed));
  const reported = await compareFindings(now, then, compiledOf(policy, now, then), { cutRows });
  const expected = await naive(now, then, policy);
  expect(Object.keys(expected).length).toBeGreaterThan(5);
  expect(Object.values(expected).some((c) => c.fixedKeys > 0)).toBe(true);
  expect(Object.values(expected).some((c) => c.goneKeys > 0)).toBe(true);
  expect(reported).toEqual(expected);
});

it('tells of a part what a comparison key by key tells of its names', async () => {
  const rows = madeRows(1000, 6);
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
  const violated = await violatedInBoth(now, then, mixed);
  const reported: Changes[] = [];
  for (const [scope, within] of parts) {
    const changes = await compareFindings(now, then, compiledOf(mixed, now, then), { cutRows: 300 }, scope);
    expect([scope, changes]).toEqual([scope, changesBetween(violated, within)]);
    reported.push(changes);
  }
  expect(reported.filter((changes) => Object.keys(changes).length > 0).length).toBe(6);
});

it('tells nothing of a snapshot against itself, and everything against an empty one', async () => {
  const rows = madeRows(800, 9);
  const one = await makeSealed(folder.root, 'one', rows);
  const same = await makeSealed(folder.root, 'same', rows);
  const none = await makeSealed(folder.root, 'none', []);
  expect(await compareFindings(one, same, compiledOf(mixed, one, same))).toEqual({});
  expect(await compareFindings(one, none, compiledOf(mixed, one, none))).toEqual(await naive(one, none, mixed));
  expect(await compareFindings(none, one, compiledOf(mixed, none, one))).toEqual(await naive(none, one, mixed));
});

it('takes no key for repaired or new because a fact could not be read', async () => {
  const rows = madeRows(600, 12);
  const blind = rows.map((row) => ({ ...row, expireAt: UNKNOWN, length: UNKNOWN, bytes: UNKNOWN, type: null }));
  const known = await makeSealed(folder.root, 'facts', rows);
  const refused = await makeSealed(folder.root, 'no-facts', blind);
  for (const [now, then] of [
    [refused, known],
    [known, refused],
  ] as const) {
    const reported = await compareFindings(now, then, compiledOf(basic, now, then));
    for (const rule of ['T1', 'T5', 'V1', 'V3', 'V10']) expect([rule, reported[rule]]).toEqual([rule, undefined]);
    expect(reported).toEqual(await naive(now, then, basic));
  }
});

it('refuses two policies, and a snapshot that is gone', async () => {
  const one = await makeSealed(folder.root, 'refuses', madeRows(10, 1));
  const { current } = compiledOf(basic, one, one);
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
  const { current } = compiledOf(basic, one, one);
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
  const then = await makeSealed(folder.root, 'kept-then', madeRows(300, 5));
  const now = await makeSealed(folder.root, 'kept-now', later(madeRows(300, 5), 5));
  const expected = await naive(now, then, basic);
  expect(await changesOf(now, then, basic)).toEqual(expected);
  const kept = rulesFolder(now.dir, basic.hash);
  expect(await readChanges(kept, 'kept-then')).toBeNull();
  await mkdir(kept);
  const [one, two] = await Promise.all([changesOf(now, then, basic), changesOf(now, then, basic)]);
  expect(one).toEqual(expected);
  expect(two).toEqual(expected);
  expect(await readChanges(kept, 'kept-then')).toEqual(expected);
});
