import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { getRulesFolder, rulesRollupSql } from '@/lib/rules/policy/rules-folder';
import { presets } from '@/lib/rules/profiles/presets';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { HOSTILE_NAMES } from '@/scripts/seed/hostile-names.mjs';
import { LONG } from '@/test/long-form.mjs';
import { cutFiles } from '@/test/snapshots/cut-files';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import { evaluate } from './evaluate';
import { findReusableClasses } from './name-classes';
import { groupZonesByProfile, rollupSql } from './pass-sql';

/** The result from classes must equal that from every key, whichever rule about names was changed. */
let data: Awaited<ReturnType<typeof dataFolder>>;
let ref: SnapshotRef;
beforeAll(async () => {
  data = await dataFolder();
  const dir = path.join(data.root, 'classes');
  const model = madeRows(1).at(-1)!;
  const many = ['order', 'User_Name', 'svc2', 'a b', '用户', 'lock'].flatMap((word, w) =>
    Array.from({ length: LONG ? 400 : 60 }, (_, i) => `${word}:${i * 7 ** (w % 4)}:x${i % 3 ? '' : '_Y'}`),
  );
  const odd = HOSTILE_NAMES.filter((name) => name.length < 5000).map((name) => Buffer.from(name));
  const rows = [
    ...madeRows(LONG ? 9000 : 1200),
    ...[...many.map((name) => Buffer.from(name)), ...odd].map((bytesOfName, i) => ({
      ...model,
      node: 0,
      db: i % 2,
      bytesOfName,
      bytes: i % 7 ? i : -1,
    })),
  ];
  await sealSnapshot(dir, await writeParts(dir, rows, LONG ? 2000 : 400), {
    manifest: ({ keys, fileBytes }) => manifestOf({ id: 'classes', state: 'sealed', keys, fileBytes }),
  });
  await cutFiles(dir, { fileRows: LONG ? 3000 : 600 });
  ref = { dir, manifest: await readManifest(dir) };
  expect(ref.manifest.files.length).toBeGreaterThan(2);
});
afterAll(() => data.clean());

const basic = toPolicy(presets.get('default')!);
let hashes = 0;
const policyWith = (rules: ProfileBody['rules'], over: Partial<EffectivePolicy> = {}): EffectivePolicy => ({
  ...basic,
  profiles: basic.profiles.map((one) => ({ ...one, body: { ...one.body, rules: { ...one.body.rules, ...rules } } })),
  ...over,
  hash: (++hashes).toString(16).padStart(16, '0'),
});
const compiledOf = (policy: EffectivePolicy) => compilePolicy(policy, toPolicyFacts(ref.manifest));
const ruleOf = (id: string) => basic.profiles[0]!.body.rules[id]!;

const COLUMNS = `profile, zone, template, violated::VARCHAR AS violated, exempted::VARCHAR AS exempted, notEvaluated::VARCHAR AS notEvaluated,
  keys::DOUBLE AS keys, bytes::DOUBLE AS bytes, bytesUnknown::DOUBLE AS bytesUnknown, firstName, lastName`;
const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** The expected rows, by one statement over all keys. */
const ofAllKeys = (compiled: CompiledPolicy) =>
  withSource(ref, async (source) => {
    const rows: unknown[] = [];
    for (const run of groupZonesByProfile(compiled.zones)) {
      const where = new Where();
      const select = rollupSql(source.keys, where, compiled, run);
      rows.push(...(await source.query(`SELECT ${COLUMNS} FROM (${select})`, where.values)));
    }
    return sorted(rows);
  });

async function evaluated(compiled: CompiledPolicy) {
  const meta = await evaluate(ref, compiled);
  return withSource(ref, async (source) =>
    sorted(await source.query(`SELECT ${COLUMNS} FROM ${rulesRollupSql(ref.dir, meta)}`)),
  );
}
const reusable = (policy: EffectivePolicy) => findReusableClasses(ref.dir, compiledOf(policy), ref.manifest);

describe('a changed rule about names', () => {
  const numbers = ['N3', 'N4', 'N16', 'N9', 'N10', 'N5', 'N8', 'N7'].filter((id) => ruleById.get(id)?.nameOnly);
  const changes = fc.dictionary(
    fc.constantFrom(...numbers),
    fc.record({ on: fc.boolean(), number: fc.integer({ min: 1, max: 60 }) }),
    { minKeys: 1, maxKeys: 4 },
  );

  type Changed = Record<string, { on: boolean; number: number }>;
  /**
   * Changes of rules that can be evaluated on classes, with numbers and without, on and off; and of V1, which needs
   * more than names.
   */
  const CHOSEN: Changed[] = [
    { N16: { on: true, number: 12 }, N3: { on: false, number: 1 } },
    { N8: { on: false, number: 1 }, N7: { on: true, number: 1 }, N4: { on: false, number: 1 } },
    { N5: { on: true, number: 3 } },
    { V1: { on: true, number: 3 } },
  ];

  it('is asked of classes and comes to the same', { timeout: 400_000 }, async () => {
    const base = policyWith(
      {},
      {
        exemptions: [
          { rule: 'N8', prefix: 'order:', pattern: null },
          { rule: 'N16', prefix: null, pattern: '*:1*' },
        ],
        owners: [{ prefix: 'im:', team: 'chat' }],
      },
    );
    await evaluated(compiledOf(base));
    let reused = 0;
    const check = async (changed: Changed) => {
      const rules = Object.fromEntries(
        Object.entries(changed).map(([id, { on, number }]) => {
          const { params, ...setting } = ruleOf(id);
          const first = Object.entries(ruleById.get(id)!.params).find(([, one]) => typeof one.default === 'number');
          return [id, { ...setting, on, params: first ? { ...params, [first[0]]: number } : params }];
        }),
      );
      const policy = policyWith(rules, { exemptions: base.exemptions, owners: base.owners });
      const classes = await reusable(policy);
      if (classes) reused++;
      const compiled = compiledOf(policy);
      expect(await evaluated(compiled)).toEqual(await ofAllKeys(compiled));
      expect(existsSync(path.join(getRulesFolder(ref.dir, policy.hash), 'classes'))).toBe(classes === null);
      await rm(getRulesFolder(ref.dir, policy.hash), { recursive: true });
    };
    if (LONG) {
      await fc.assert(fc.asyncProperty(changes, check), { numRuns: 25 });
      expect(reused).toBeGreaterThan(15);
    } else {
      for (const changed of CHOSEN) await check(changed);
      expect(reused).toBe(3);
    }
    await rm(getRulesFolder(ref.dir, base.hash), { recursive: true });
  });

  it('is asked in each profile with its own bits, delimiter and exemptions', { timeout: 400_000 }, async () => {
    const strict = toPolicy(presets.get('S3')!).profiles[0]!;
    const every = catalogue.filter((rule) => rule.nameOnly && rule.kind === 'key').map((rule) => rule.id);
    // Group rules are left out: each evaluation computes them again, and rules about names do not affect them.
    const keyRules = (rules: ProfileBody['rules']) =>
      Object.fromEntries(Object.entries(rules).filter(([id]) => ruleById.get(id)?.kind === 'key'));
    const policyOfTwo = (on: Record<string, boolean>): EffectivePolicy => {
      const profiles = [basic.profiles[0]!, strict].map(({ id, body }, i) => {
        const rules = Object.entries(on).map(([rule, is]) => [rule, { ...ruleOf(rule), ...body.rules[rule], on: is }]);
        return {
          id: `${id}${i}`,
          body: {
            ...body,
            delimiter: i === 0 ? ':' : '_',
            rules: { ...keyRules(body.rules), ...Object.fromEntries(rules) },
          },
        };
      });
      return policyWith(
        {},
        {
          profiles,
          base: 0,
          prefixes: ['User', 'lock:', '用户:'].map((prefix) => ({ prefix, profile: 1 })),
          exemptions: [{ rule: '*', prefix: 'order:1', pattern: null }],
        },
      );
    };
    const base = policyOfTwo(Object.fromEntries(every.map((id) => [id, true])));
    await evaluated(compiledOf(base));
    let reused = 0;
    const some = ['N5', 'N16'];
    // Without N5 nearly all bits move.
    const without = LONG ? some : ['N5'];
    for (const off of without) {
      const policy = policyOfTwo(Object.fromEntries(every.map((id) => [id, id !== off])));
      const compiled = compiledOf(policy);
      if (await reusable(policy)) reused++;
      expect(await evaluated(compiled), off).toEqual(await ofAllKeys(compiled));
      await rm(getRulesFolder(ref.dir, policy.hash), { recursive: true });
    }
    expect(reused).toBe(without.length);
    await rm(getRulesFolder(ref.dir, base.hash), { recursive: true });
    // The other way round, each rule is new. Rules whose verdict depends on ids are evaluated on all keys.
    const none = policyOfTwo(Object.fromEntries(every.map((id) => [id, false])));
    await evaluated(compiledOf(none));
    for (const on of some) {
      const policy = policyOfTwo(Object.fromEntries(every.map((id) => [id, id === on])));
      const compiled = compiledOf(policy);
      if (ruleById.get(on)!.idsMatter) expect(await reusable(policy), on).toBeNull();
      expect(await evaluated(compiled), on).toEqual(await ofAllKeys(compiled));
      await rm(getRulesFolder(ref.dir, policy.hash), { recursive: true });
    }
    await rm(getRulesFolder(ref.dir, none.hash), { recursive: true });
  });

  it('and only such a rule', async () => {
    const base = policyWith({});
    await evaluated(compiledOf(base));
    const { N16, V1 } = { N16: ruleOf('N16'), V1: ruleOf('V1') };
    const longer = { N16: { ...N16, params: { ...N16.params, atMost: 12 } } };
    expect(await reusable(policyWith(longer))).toMatchObject({ sameGroups: true });
    expect(await reusable(policyWith({ V1: { ...V1, on: !V1.on } }))).toEqual(V1.on ? expect.anything() : null);
    expect(await reusable(policyWith({ V1: { ...V1, params: { ...V1.params, bytes: 99 } } }))).toBeNull();
    expect(await reusable(policyWith(longer, { owners: [{ prefix: 'im:', team: 'chat' }] }))).toBeNull();
    expect(
      await reusable(policyWith(longer, { exemptions: [{ rule: 'N16', prefix: 'a:', pattern: null }] })),
    ).toBeNull();
    const other = { ...ref.manifest, endedAt: 1 };
    expect(await findReusableClasses(ref.dir, compiledOf(policyWith(longer)), other)).toBeNull();
  });

  it('is asked of all keys where the classes are damaged', async () => {
    await evaluated(compiledOf(policyWith({})));
    const policy = policyWith({ N16: { ...ruleOf('N16'), params: { ...ruleOf('N16').params, atMost: 12 } } });
    const { folder, files } = (await reusable(policy))!;
    for (const file of files) await writeFile(path.join(folder, file), 'PAR1 nothing PAR1');
    const compiled = compiledOf(policy);
    expect(await evaluated(compiled)).toEqual(await ofAllKeys(compiled));
  });
});
