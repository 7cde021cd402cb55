import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { catalogue } from '@/lib/rules/catalogue';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import { checkProfile } from '@/lib/rules/profiles/check-profile';
import { presets } from '@/lib/rules/profiles/presets';
import { addTreeFindings, addViolations } from '@/lib/rules/report/tree-findings';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { ensureEvaluated, readFindings, readRuleFindings } from './read-findings';

/** Counts, lists, exports, single keys and running scans must agree on every rule, under any policy. */
const every: ProfileBody = {
  ...presets.get('default')!,
  name: 'every rule',
  rules: Object.fromEntries(
    catalogue.map((rule) => [rule.id, { on: true, strength: rule.inDefaultProfile.strength, params: {} }]),
  ),
  custom: [
    {
      id: 'X-digits',
      title: 'No sevens',
      why: '',
      fix: '',
      strength: 'advice',
      on: true,
      prefix: '',
      check: 'regex',
      pattern: '7',
      must: 'notMatch',
    },
    ...(['{module}:{entity}:{rest...}', '{module}:{entity}:{type}', 'shop:{entity}:{int}'] as const).map(
      (template, i) => ({
        id: `X-form-${i}`,
        title: template,
        why: '',
        fix: '',
        strength: 'advice' as const,
        on: true,
        prefix: i === 2 ? 'shop:' : '',
        check: 'template' as const,
        template,
      }),
    ),
    {
      id: 'X-segments',
      title: 'At most four segments',
      why: '',
      fix: '',
      strength: 'advice',
      on: true,
      prefix: '',
      check: 'threshold',
      column: 'segments',
      types: ['string'],
      atMost: 4,
      atLeast: null,
    },
  ],
};
/** A profile with only some rules, for tests of these rules: planning all rules takes longer than everything else. */
const makeProfile = (...ids: string[]): ProfileBody => ({
  ...every,
  rules: Object.fromEntries(ids.map((id) => [id, every.rules[id]!])),
  custom: [],
});
/**
 * Rules that are evaluated in different ways: by one name for its whole family, by a name whose ids matter, by facts,
 * by sizes, rules that may be unknown although all facts are known, and custom rules of each kind.
 */
const DIFFERENT = ['N8', 'N5', 'T1', 'V3', 'V10', 'X-digits', 'X-form-1', 'X-segments'];
const isListed = (rule: string) => LONG || DIFFERENT.includes(rule);
/** In the short form the policy has only those rules, and two about groups. */
const withDifferent = (policy: EffectivePolicy): EffectivePolicy =>
  LONG
    ? policy
    : {
        ...policy,
        hash: policy.hash.replace(/^../, 'fe'),
        profiles: policy.profiles.map(({ id, body }) => {
          const rules = Object.entries(body.rules).filter(([rule]) => [...DIFFERENT, 'N15', 'T4'].includes(rule));
          return { id, body: { ...body, rules: Object.fromEntries(rules) } };
        }),
      };
const s2 = presets.get('S2')!;
const zoned = (over: Partial<EffectivePolicy> = {}): EffectivePolicy => ({
  hash: '00000000000000aa',
  profiles: [
    { id: 'every', body: every },
    { id: 'S2', body: s2 },
  ],
  base: 0,
  prefixes: [{ prefix: 'user:', profile: 1 }],
  exemptions: [
    { rule: '*', prefix: 'user:1', pattern: null },
    { rule: 'N8', prefix: 'x', pattern: null },
    { rule: 'T1', prefix: null, pattern: '*a*' },
  ],
  owners: [
    { prefix: 'user:', team: 'people' },
    { prefix: 'user:2', team: 'two' },
  ],
  ...over,
});
const policies: [string, EffectivePolicy][] = [
  ['every rule', { ...toPolicy(every) }],
  ['zones', zoned()],
];
const rows = madeRows(LONG ? 6000 : 1500, 7);
let data: Awaited<ReturnType<typeof dataFolder>>;
let sealed: SnapshotRef;
let live: SnapshotRef;

beforeAll(async () => {
  data = await dataFolder();
  sealed = await makeSealed(data.root, 'sealed', rows);
  live = await makeLive(data.root, 'live', rows);
});
afterAll(() => data.clean());

/**
 * The longest lists have two or three pages: each page plans its rules again, which costs more than reading its rows.
 */
const PAGE = LONG ? 2500 : 1000;
async function listed(ref: SnapshotRef, filter: object): Promise<{ total: number; rows: KeyRow[] }> {
  const all: KeyRow[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { report } = await runReport(ref, 'keys', { ...filter, limit: PAGE, ...(cursor && { cursor }) });
    all.push(...report.rows);
    if (report.nextCursor === null) return { total: report.total, rows: all };
    cursor = report.nextCursor;
  }
}

/**
 * In the short form each query is tested under one policy; queries that owners or zones affect use the policy that has
 * some.
 */
const QUESTIONS: [what: string, query: Parameters<typeof readFindings>[2], underInShort: string | null][] = [
  ['a path', { template: 'user:' }, 'zones'],
  ['a path with an id', { template: 'user:{int}:' }, 'every rule'],
  ['a prefix', { prefix: 'user:1' }, 'zones'],
  ['a prefix within a word', { prefix: 'u' }, 'every rule'],
  ['an escaped path', { template: 'x:\\{int}:' }, 'zones'],
  ['a family', { template: 'shop:user:{int}' }, null],
  ['a family with a date', { template: 'shop:order:{date}:{int}' }, 'zones'],
  ['a family of uuids', { template: 'session:{uuid}' }, null],
  ['an owner', { owner: 'people' }, null],
  ['nobody', { owner: '-' }, 'zones'],
  ['a prefix of an owner', { prefix: 'user:', owner: 'two' }, 'zones'],
  ['a strength', { strength: ['mandatory'] }, 'every rule'],
  ['a rule of another strength', { rule: ['T1'], strength: ['advice'] }, 'zones'],
];

describe.each(policies)('under a policy of %s', (name, whole) => {
  let answers: ReturnType<typeof both> | null = null;
  const both = async () => {
    const { ref } = await ensureEvaluated(sealed, whole);
    return { ref, report: await readFindings(sealed, whole, {}), running: await readFindings(live, whole, {}) };
  };

  // The rules are tested in parts: each list, export and page plans its rules again, and together they exceed the
  // timeout of a test.
  const parts = LONG ? [0, 1, 2, 3] : [0];
  it.each(parts)('counts, lists, exports and a running scan agree for every rule (part %i)', async (part) => {
    answers ??= both();
    const { ref, report, running } = await answers;
    expect(report.total.keys).toBe(sealed.manifest.keys);
    const keyRules = report.rules.filter((one) => one.kind === 'key');
    expect(keyRules.length).toBeGreaterThan(25);
    expect(keyRules.filter((one) => one.status === 'violated').length).toBeGreaterThan(12);
    for (const finding of keyRules) {
      const now = running.rules.find((one) => one.rule === finding.rule)!;
      const { example: _a, ...before } = finding;
      const { example: _b, ...after } = now;
      expect(after).toEqual(before);
    }
    // Each query plans the rule once per profile, so the short form tests only rules that the profiles treat
    // differently.
    const few = name === 'zones' ? ['N5', 'N8', 'T1', 'X-form-1'] : DIFFERENT;
    const listedRules = keyRules.filter(({ rule }) => LONG || few.includes(rule));
    expect(listedRules.length).toBeGreaterThanOrEqual(few.length);
    for (const finding of listedRules.filter((_, index) => index % parts.length === part)) {
      const list = await listed(ref, { rule: [finding.rule] });
      expect([finding.rule, list.total, list.rows.length]).toEqual([finding.rule, finding.keys, finding.keys]);
      const bytes = list.rows.reduce((n, row) => n + (row.bytes ?? 0), 0);
      expect(toKnownBytes({ keys: list.rows.length, bytes })).toBe(finding.bytes);
      const { stream } = await streamKeyExport(ref, { rule: [finding.rule] }, 'jsonl');
      const lines = (await new Response(stream).text()).split('\n').length - 1;
      expect([finding.rule, lines]).toEqual([finding.rule, finding.keys]);
      if (finding.example) expect(list.rows.map((row) => row.name)).toContain(finding.example.name);
      const where = await readRuleFindings(sealed, whole, finding.rule, { limit: 100_000 });
      expect(where.prefixes.reduce((n, one) => n + one.keys, 0)).toBe(finding.keys);
      for (const one of where.prefixes.slice(0, 5)) expect(one.shareOfPrefix).toBeLessThanOrEqual(1);
    }
    expect(running.score.score).toBe(report.score.score);
  });

  it.each(QUESTIONS.filter(([, , under]) => LONG || under === name))(
    '%s is answered the same from the roll-up and from the keys',
    async (_what, query) => {
      const policy = withDifferent(whole);
      const kept = await readFindings(sealed, policy, query);
      const now = await readFindings(live, policy, query);
      expect([kept.total, kept.mandatory, kept.recommended, kept.advice, kept.exempt]).toEqual([
        now.total,
        now.mandatory,
        now.recommended,
        now.advice,
        now.exempt,
      ]);
      const { ref } = await ensureEvaluated(sealed, policy);
      expect((await runReport(ref, 'keys', { ...query, limit: 1 })).report.total).toBe(kept.total.keys);
    },
  );

  it('a single key gets the verdict that the list gives it', async () => {
    const policy = withDifferent(whole);
    const { ref } = await ensureEvaluated(sealed, policy);
    const { rows: all } = await listed(ref, {});
    const sample = all.filter((row) => row.k !== null && !row.name.includes('\\x')).filter((_, i) => i % 7 === 0);
    const verdicts = await checkRows(
      policy,
      sample.map((row) => ({
        name: row.name,
        nameBytes: row.nameBytes,
        type: row.type,
        encoding: row.encoding,
        expireAt: row.expireAt,
        expiryKnown: row.expiryKnown,
        bytes: row.bytes,
        length: row.length,
        idleSeconds: row.idleSeconds,
      })),
      { dir: sealed.dir, asOf: sealed.manifest.endedAt!, lazyfreeLazyExpire: false },
    );
    const violated = new Map<string, Set<string>>();
    const found = new Set(verdicts.flatMap((v) => v.violated.map((b) => b.rule)));
    for (const rule of [...found].filter(isListed))
      violated.set(
        rule,
        new Set((await listed(ref, { rule: [rule] })).rows.map((row) => `${row.node}/${row.db}/${row.k}`)),
      );
    sample.forEach((row, i) => {
      const open = verdicts[i]!.violated.filter((b) => !b.exempt && isListed(b.rule)).map((b) => b.rule);
      const said = [...violated].filter(([, keys]) => keys.has(`${row.node}/${row.db}/${row.k}`)).map(([rule]) => rule);
      expect([row.name, open.sort()]).toEqual([row.name, said.sort()]);
    });
  });
});

it('zones are what their prefixes say, key by key', async () => {
  const policy = withDifferent(zoned());
  const { ref } = await ensureEvaluated(sealed, policy);
  const { rows: all } = await listed(ref, {});
  const bare = await ensureEvaluated(sealed, withDifferent(toPolicy(every)));
  const t1 = new Set(
    (await listed(bare.ref, { rule: ['T1'] })).rows.map((row) => `${row.node}/${row.db}/${row.k ?? row.name}`),
  );
  const expected = all.filter((row) => {
    if (!t1.has(`${row.node}/${row.db}/${row.k ?? row.name}`)) return false;
    // A pattern matches the bytes of a name, not the letters of their escapes.
    const hasA = row.k === null ? row.name.includes('a') : Buffer.from(row.k, 'base64url').includes('a');
    return !row.name.startsWith('user:1') && !hasA;
  });
  expect((await listed(ref, { rule: ['T1'] })).rows).toEqual(expected);
  const owned = (name: string) => (name.startsWith('user:2') ? 'two' : name.startsWith('user:') ? 'people' : null);
  const report = await readFindings(sealed, policy, {});
  for (const owner of report.owners)
    expect(owner.keys).toBe(all.filter((row) => owned(row.name) === owner.team).length);
  expect(report.owners.reduce((n, owner) => n + owner.keys, 0)).toBe(all.length);
});

it('another policy is evaluated anew, seven are kept, and what a crash left is replaced', async () => {
  const policy = toPolicy(every);
  const folder = getRulesFolder(sealed.dir, policy.hash);
  await ensureEvaluated(sealed, policy);
  const before = await readFindings(sealed, policy, { prefix: 'a' });
  await rm(path.join(folder, 'meta.json'));
  await mkdir(`${folder}.999999.tmp`, { recursive: true });
  await writeFile(path.join(`${folder}.999999.tmp`, 'rollup-0.parquet'), 'half');
  await ensureEvaluated(sealed, policy);
  expect(await readFindings(sealed, policy, { prefix: 'a' })).toEqual(before);
  const standards = LONG ? ['S0', 'S1', 'S2', 'S3', 'S4', 'default'] : ['S2'];
  const bodies = standards.map((id) => presets.get(id)!);
  for (const body of [...bodies, ...['N3', 'N4', 'N7', 'N8', 'N9', 'N10', 'N12'].map((rule) => makeProfile(rule))]) {
    const other = toPolicy(body);
    const report = await readFindings(sealed, other, {});
    expect(report.policyHash).toBe(other.hash);
  }
  const kept = (await readdir(sealed.dir)).filter((name) => /^rules1-[0-9a-f]{16}$/.test(name));
  expect(kept).toHaveLength(7);
});

it('the example of a rule is of the family that breaks it most, not the first oddity by name', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const names = ['aa_b:1', 'ab_c:1:2', ...Array.from({ length: 30 }, (_, i) => `user_x:${i + 10}:name`), 'zz_y:1'];
  const some = names.map(named);
  const policy = toPolicy(makeProfile('N3', 'N4', 'N8', 'N10', 'N12'));
  for (const ref of [await makeSealed(data.root, 'odd', some), await makeLive(data.root, 'odd-live', some)]) {
    const { rules } = await readFindings(ref, policy, {});
    expect(rules.find((rule) => rule.rule === 'N10')?.example?.name).toBe('user_x:10:name');
    const { rules: within } = await readFindings(ref, policy, { prefix: 'a' });
    expect(within.find((rule) => rule.rule === 'N10')?.example?.name).toBe('aa_b:1');
  }
});

it('a list by rule ends with the last name, also where very many families lie within the reach of one', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const some = [
    // One family has names from a to f, and more than twenty thousand words are between them.
    ...['a', 'f'].map((first) => named(`${first}0123456789abcdef`)),
    ...Array.from({ length: 20_100 }, (_, i) => named(`cart${i}`)),
    named('session_x:1'),
  ];
  const policy = toPolicy(makeProfile('N3', 'N8', 'N10'));
  const ref = await makeSealed(data.root, 'many-families', some);
  const { rules } = await readFindings(ref, policy, {});
  const { ref: asked } = await ensureEvaluated(ref, policy);
  for (const rule of ['N3', 'N10']) {
    const { report } = await runReport(asked, 'keys', { rule: [rule], search: 'session', limit: 10 });
    expect([rule, report.rows.map((row) => row.name)]).toEqual([rule, ['session_x:1']]);
    expect(rules.find((one) => one.rule === rule)?.status).toBe('violated');
  }
});

it('several policies are evaluated at the same time', async () => {
  const ref = await makeSealed(data.root, 'at-once', rows.slice(0, 800));
  const policies = (LONG ? ['S0', 'S1', 'S2', 'S3'] : ['S1', 'S3']).map((id) => toPolicy(presets.get(id)!));
  const reports = await Promise.all(policies.map((policy) => readFindings(ref, policy, {})));
  expect(reports.map((report) => report.policyHash)).toEqual(policies.map((policy) => policy.hash));
  expect((await readdir(ref.dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('the tree tells the findings below each child, and bigkeys the rules they break', async () => {
  const policy = withDifferent(zoned());
  const evaluated = await ensureEvaluated(sealed, policy);
  let reported = 0;
  const STRENGTHS = ['mandatory', 'recommended', 'advice'] as const;
  for (const query of [{}, { template: 'user:' }, { template: 'shop:' }, { template: 'shop:user:' }]) {
    const { report } = await runReport(evaluated.ref, 'tree', query);
    const tree = await withSource(evaluated.ref, (source) =>
      addTreeFindings(source, evaluated.compiled, evaluated.meta!, query, report),
    );
    for (const child of tree.children) {
      if (!child.findings || child.leafKeys > 0) continue;
      reported++;
      // In the short form each child is tested with one strength, in turn.
      for (const strength of LONG ? STRENGTHS : [STRENGTHS[reported % 3]!]) {
        const list = await runReport(evaluated.ref, 'keys', { template: child.path, strength: [strength], limit: 1 });
        expect([child.path, strength, list.report.total]).toEqual([child.path, strength, child.findings[strength]]);
      }
    }
  }
  expect(reported).toBeGreaterThan(10);
  const { report } = await runReport(evaluated.ref, 'bigkeys', {});
  const bigkeys = await withSource(evaluated.ref, (source) => addViolations(source, evaluated.compiled, report));
  expect(bigkeys.rows.some((row) => row.violated!.length > 0)).toBe(true);
});

it('a listed bigkey breaks the rules in whose lists it is, whatever its name', async () => {
  const big = { ...rows[0]!, type: 'list', length: 9000, bytes: 90_000, node: 0, db: 0 };
  const names = ['\\x41', 'a\\x41:b', 'A\0b:c', 'é:\\xff', 'user_x:1', 'x'].map((name) => Buffer.from(name));
  const some = [...names, Buffer.from([0x61, 0xff])].map((bytesOfName) => ({ ...big, bytesOfName }));
  const { ref, compiled } = await ensureEvaluated(await makeSealed(data.root, 'big-names', some), toPolicy(every));
  const { report } = await runReport(ref, 'bigkeys', {});
  const reported = await withSource(ref, (source) => addViolations(source, compiled, report));
  expect(reported.rows).toHaveLength(some.length);
  for (const rule of LONG ? ['N8', 'N9', 'N10', 'N11', 'N12', 'N14', 'N16', 'V3'] : ['N9', 'N11', 'N16', 'V3']) {
    const list = (await listed(ref, { rule: [rule] })).rows.map((row) => row.k);
    const violated = reported.rows.filter((row) => row.violated!.includes(rule)).map((row) => row.k);
    expect([rule, violated.sort()]).toEqual([rule, list.sort()]);
  }
});

it('a group rule that holds for some prefixes counts the names there, also of templates that reach beyond', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  // One template has names on both sides of the border, and the rule is off where its first name is.
  const some = [
    ...Array.from({ length: 40 }, (_, i) => named(`app:userAdmin:${i + 10}`)),
    ...Array.from({ length: 20 }, (_, i) => named(`app:user_admin:${i + 10}`)),
  ];
  const on = makeProfile('N10', 'N15');
  const off = {
    ...on,
    name: 'off',
    rules: { ...on.rules, N15: { on: false, strength: 'advice' as const, params: {} } },
  };
  const policy = zoned({
    profiles: [
      { id: 'off', body: off },
      { id: 'on', body: on },
    ],
    prefixes: [
      { prefix: 'app:userAdmin:3', profile: 1 },
      { prefix: 'app:user_admin:2', profile: 1 },
    ],
    exemptions: [],
  });
  for (const ref of [await makeSealed(data.root, 'border', some), await makeLive(data.root, 'border-live', some)]) {
    const { finding } = await readRuleFindings(ref, policy, 'N15', {});
    // Where the rule applies there are ten names of each style.
    expect(finding).toMatchObject({ status: 'violated', keys: 10 });
  }
});

it('a rule is as strong as the profile whose keys break it', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const taking = (strength: 'mandatory' | 'advice'): ProfileBody => ({
    ...every,
    name: strength,
    custom: [],
    rules: { ...makeProfile('N8', 'T1').rules, N10: { on: true, strength, params: {} } },
  });
  const policy = zoned({
    hash: '00000000000000ad',
    profiles: [
      { id: 'mild', body: taking('advice') },
      { id: 'strict', body: taking('mandatory') },
    ],
    exemptions: [],
  });
  const some = [named('user:a_b:1'), named('app:a_b:1'), named('app:fine:1')];
  for (const ref of [await makeSealed(data.root, 'strong', some), await makeLive(data.root, 'strong-live', some)]) {
    const [user, app, all] = [
      await readFindings(ref, policy, { prefix: 'user:' }),
      await readFindings(ref, policy, { prefix: 'app:' }),
      await readFindings(ref, policy, {}),
    ];
    const n10 = ({ rules }: typeof all) => rules.find((one) => one.rule === 'N10');
    expect([user, app, all].map((one) => n10(one)?.strength)).toEqual(['mandatory', 'advice', 'mandatory']);
    expect((await readRuleFindings(ref, policy, 'N10', { prefix: 'user:' })).finding.strength).toBe('mandatory');
    expect([all, user, app].map(({ profiles }) => profiles.map(({ id }) => id))).toEqual([
      ['mild', 'strict'],
      ['strict'],
      ['mild'],
    ]);
    const keys = n10(user)!.keys!;
    expect([keys > 0, n10(user)!.strengths]).toEqual([true, undefined]);
    expect(n10(all)!.strengths).toEqual([
      { strength: 'mandatory', keys },
      { strength: 'advice', keys: n10(all)!.keys! - keys },
    ]);
  }
});

it('a group rule is as strong as the strictest profile in whose names its groups lie', async () => {
  const taking = (strength: 'mandatory' | 'advice'): ProfileBody => ({
    ...every,
    name: strength,
    custom: [],
    rules: { ...makeProfile('N10', 'T1').rules, T4: { on: true, strength, params: { keys: 100 } } },
  });
  const policy = zoned({
    hash: '00000000000000ae',
    profiles: [
      { id: 'mild', body: taking('advice') },
      { id: 'strict', body: taking('mandatory') },
    ],
    exemptions: [],
  });
  const storm = (prefix: string) =>
    Array.from({ length: 300 }, (_, i) => ({
      ...rows[0]!,
      bytesOfName: Buffer.from(`${prefix}${i}`),
      node: 0,
      db: 0,
      expireAt: AS_OF + 3_600_000,
    }));
  const findStrength = async (name: string, prefix: string) => {
    const ref = await makeSealed(data.root, name, storm(prefix));
    const found = (await readFindings(ref, policy, {})).rules.find((one) => one.rule === 'T4');
    return [found?.status, found?.strength];
  };
  expect(await findStrength('storm-mild', 'app:cart:')).toEqual(['violated', 'advice']);
  expect(await findStrength('storm-strict', 'user:cart:')).toEqual(['violated', 'mandatory']);
});

it('an own rule on idle times reports nothing of what only a replica tells', async () => {
  const named = (name: string, node: number, idle: number) => ({
    ...rows[0]!,
    bytesOfName: Buffer.from(name),
    node,
    db: 0,
    idle,
  });
  const made = await makeSealed(data.root, 'idle-own', [
    named('app:cold', 0, 5000),
    named('app:perhaps', 1, 5000),
    named('app:warm', 1, 5),
  ]);
  const idle = { ...every, rules: {}, custom: [] as ProfileBody['custom'] };
  idle.custom.push({
    ...{ id: 'X-idle', title: 'Idle', why: '', fix: '', strength: 'advice', on: true, prefix: '' },
    ...{ check: 'threshold', column: 'idleSeconds', types: [], atMost: 1000, atLeast: null },
  } as ProfileBody['custom'][number]);
  const asked = async (hash: string, role: 'master' | 'replica') => {
    const nodes = made.manifest.nodes.map((node, i) => (i === 1 ? { ...node, role } : node));
    const policy = { ...toPolicy(idle), hash };
    const { ref } = await ensureEvaluated({ ...made, manifest: { ...made.manifest, nodes } }, policy);
    const found = (await readFindings(ref, policy, {})).rules.find((one) => one.rule === 'X-idle');
    const list = await listed(ref, { rule: ['X-idle'] });
    return [found?.keys, found?.unknownKeys, list.rows.map(({ name }) => name)];
  };
  expect(await asked('00000000000000b1', 'master')).toEqual([2, 0, ['app:cold', 'app:perhaps']]);
  expect(await asked('00000000000000b2', 'replica')).toEqual([1, 1, ['app:cold']]);
});

it('a glob excuses keys and groups alike, whatever signs it has', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const some = [
    ...Array.from({ length: 40 }, (_, i) => named(`my-app:userAdmin:${i + 10}`)),
    ...Array.from({ length: 20 }, (_, i) => named(`my-app:user_admin:${i + 10}`)),
  ];
  const policy = zoned({
    hash: '00000000000000ac',
    profiles: [{ id: 'two', body: makeProfile('N10', 'N15') }],
    prefixes: [],
    exemptions: [
      { rule: 'N15', prefix: null, pattern: 'my-app*' },
      { rule: 'N10', prefix: null, pattern: 'my-app:{\\[(+$^|\\\\/-&~#*' },
    ],
  });
  for (const ref of [await makeSealed(data.root, 'globs', some), await makeLive(data.root, 'globs-live', some)]) {
    const { rules } = await readFindings(ref, policy, {});
    expect(rules.find((one) => one.rule === 'N15')).toMatchObject({ status: 'passed', keys: 0, exemptKeys: 60 });
    expect(rules.find((one) => one.rule === 'N10')).toMatchObject({ status: 'violated', exemptKeys: 0 });
  }
});

it.each(['min', 'max'] as const)('every rule can be asked with the %s of its numbers', async (end) => {
  const extremes = catalogue.map((rule): [string, ProfileBody['rules'][string]] => {
    const numbers = Object.entries(rule.params).flatMap(([name, spec]) =>
      spec.kind === 'number' ? [[name, spec[end]!] as const] : [],
    );
    return [rule.id, { on: true, strength: 'advice', params: Object.fromEntries(numbers) }];
  });
  const threshold = {
    title: 'x',
    why: '',
    fix: '',
    strength: 'advice',
    on: true,
    prefix: '',
    check: 'threshold',
  } as const;
  const max = end === 'max' ? 1e15 : -1e15;
  const custom = (['bytes', 'ttlSeconds'] as const).map((column) => ({
    ...threshold,
    id: `X-${column}`,
    column,
    types: [],
    atMost: max,
    atLeast: max,
  }));
  const body: ProfileBody = { ...every, name: end, rules: Object.fromEntries(extremes), custom };
  expect(checkProfile(body).errors).toEqual([]);
  const { rules } = await readFindings(sealed, toPolicy(body), {});
  expect(rules.filter((rule) => rule.kind !== 'server').length).toBeGreaterThan(35);
  for (const beyond of [1e13, 1e300]) {
    const wrong = { ...every, rules: { V3: { on: true, strength: 'advice' as const, params: { elements: beyond } } } };
    expect(checkProfile(wrong).errors).toEqual(['rules.V3.params.elements: at most 1000000000000 is expected.']);
  }
  const wrong = { ...every, custom: [{ ...custom[0]!, atMost: null, atLeast: 1e300 }] };
  expect(checkProfile(wrong).errors).toEqual([expect.stringContaining('custom.0.atLeast: a number between')]);
});

it('keys of an exempted prefix count in no group, and groups that are exempted are told apart', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const some = [
    ...Array.from({ length: 40 }, (_, i) => named(`app:userAdmin:${i + 10}`)),
    ...Array.from({ length: 20 }, (_, i) => named(`app:old:user_admin:${i + 10}`)),
    ...Array.from({ length: 30 }, (_, i) => named(`lib:userAdmin:${i + 10}`)),
    ...Array.from({ length: 10 }, (_, i) => named(`lib:user_admin:${i + 10}`)),
  ];
  const exempt = (...prefixes: string[]) =>
    zoned({
      hash: `00000000000000e${prefixes.length}`,
      profiles: [{ id: 'two', body: makeProfile('N10', 'N15') }],
      prefixes: [],
      owners: [],
      exemptions: prefixes.map((prefix) => ({ rule: 'N15', prefix, pattern: null })),
    });
  for (const ref of [await makeSealed(data.root, 'excused', some), await makeLive(data.root, 'excused-live', some)]) {
    const reported = async (policy: EffectivePolicy) => {
      const { finding, groups } = await readRuleFindings(ref, policy, 'N15', {});
      return [finding.status, finding.keys, finding.exemptKeys, groups.map((group) => [group.subject, group.exempt])];
    };
    expect(await reported(exempt())).toEqual([
      'violated',
      30,
      0,
      [
        ['app:', false],
        ['lib:', false],
      ],
    ]);
    expect(await reported(exempt('app:old:', 'lib:'))).toEqual(['passed', 0, 10, [['lib:', true]]]);
  }
});

it.each([
  ['sealed', makeSealed],
  ['running', makeLive],
] as const)('a rule about groups is asked with the numbers of the profile of its names, %s', async (kind, make) => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const styles = (sign: string, app: string) => [
    ...Array.from({ length: 40 }, (_, i) => named([app, 'userAdmin', i].join(sign))),
    ...Array.from({ length: 10 }, (_, i) => named([app, 'user_admin', i].join(sign))),
  ];
  const some = [...styles(':', 'app'), ...styles(':', 'lax'), ...styles('/', 'path')];
  const own = (name: string, delimiter: string, share: number): ProfileBody => ({
    ...every,
    name,
    delimiter,
    custom: [],
    rules: { ...every.rules, N15: { on: true, strength: 'advice', params: { share } } },
  });
  const policy = zoned({
    hash: '00000000000000f2',
    profiles: [
      { id: 'base', body: own('base', ':', 0.1) },
      { id: 'lax', body: own('lax', ':', 0.5) },
      { id: 'path', body: own('path', '/', 0.1) },
    ],
    prefixes: [
      { prefix: 'lax:', profile: 1 },
      { prefix: 'path/', profile: 2 },
    ],
    exemptions: [],
    owners: [],
  });
  const ref = await make(data.root, `numbers-${kind}`, some);
  const reported = async (exempt: string[]) => {
    const exemptions = exempt.map((prefix) => ({ rule: 'N15', prefix, pattern: null }));
    const asked = { ...policy, exemptions, hash: `00000000000000f${2 + exempt.length}` };
    const { finding, groups } = await readRuleFindings(ref, asked, 'N15', {});
    return [finding.keys, finding.groups, groups.map((group) => group.subject)];
  };
  expect(await reported([])).toEqual([20, 2, ['app:', 'path/']]);
  if (LONG || kind === 'sealed') expect(await reported(['path/user_'])).toEqual([10, 1, ['app:']]);
  expect(await reported(['path/user_', 'app:user_'])).toEqual([0, 0, []]);
});

it('a rule about groups says of a path and of an owner what the findings there say', async () => {
  const named = (name: string) => ({ ...rows[0]!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
  const mixed = (app: string, n: number) => [
    ...Array.from({ length: n }, (_, i) => named(`${app}:userAdmin:${i + 10}`)),
    ...Array.from({ length: n / 2 }, (_, i) => named(`${app}:user_admin:${i + 10}`)),
  ];
  const some = [
    ...mixed('app', 40),
    ...mixed('lib', 20),
    named('one:word:1'),
    ...Array.from({ length: 205 }, (_, i) => mixed(`p${String.fromCharCode(97 + (i % 26), 97 + i / 26)}x`, 4)).flat(),
  ];
  const policy = zoned({
    profiles: [{ id: 'two', body: makeProfile('N10', 'N15') }],
    prefixes: [],
    exemptions: [],
    owners: [{ prefix: 'lib:', team: 'two' }],
    hash: '00000000000000f1',
  });
  const ref = await makeSealed(data.root, 'grouped', some);
  for (const [query, keys, subjects] of [
    [{ template: 'app:' }, 20, ['app:']],
    [{ prefix: 'lib:' }, 10, ['lib:']],
    [{ owner: 'two' }, 10, ['lib:']],
    [{ template: 'one:' }, 0, []],
  ] as const) {
    const there = (await readFindings(ref, policy, query)).rules.find((one) => one.rule === 'N15')!;
    const { finding, groups } = await readRuleFindings(ref, policy, 'N15', query);
    expect([query, finding.keys, groups.map((group) => group.subject)]).toEqual([query, keys, subjects]);
    expect(finding).toEqual(there);
    // With more than two hundred groups some are not kept, so it is unknown on which path they are.
    expect(finding.status).toBe(keys > 0 ? 'violated' : 'unknown');
  }
});

it('tells the numbers that the profiles of the policy ask with', async () => {
  const setting = { on: true, strength: 'mandatory' as const, params: { elements: 77 } };
  const strict: ProfileBody = { ...s2, name: 'strict', rules: { N8: s2.rules.N8!, V3: setting } };
  const server = catalogue.find((rule) => rule.kind === 'server' && every.rules[rule.id]!.on)!;
  const policy = zoned({
    hash: '00000000000000ab',
    profiles: [
      { id: 'every', body: makeProfile('V3', server.id) },
      { id: 'strict', body: strict },
    ],
  });
  const { settings } = await readRuleFindings(sealed, policy, 'V3', {});
  expect(settings).toEqual([
    { profiles: ['every rule'], params: { elements: 5000 } },
    { profiles: ['strict'], params: { elements: 77 } },
  ]);
  expect((await readRuleFindings(sealed, policy, server.id, {})).settings.map((one) => one.profiles)).toEqual([
    ['every rule'],
  ]);
});

it('a rule that is off or unknown is refused with what to do', async () => {
  const { ref } = await ensureEvaluated(sealed, toPolicy(makeProfile('N8', 'N15')));
  await expect(runReport(ref, 'keys', { rule: ['X-none'] })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(runReport(sealed, 'keys', { rule: ['T1'] })).rejects.toMatchObject({ code: 'bad_request' });
});

it('counts the keys of groups in the figures by strength', async () => {
  const storm = Array.from({ length: 189 }, (_, i) => ({
    ...rows[0]!,
    bytesOfName: Buffer.from(`app:cart:${i}`),
    node: 0,
    db: 0,
    type: 'string',
    encoding: 'raw',
    length: 10,
    bytes: 100,
    expireAt: AS_OF + 3_600_000,
  }));
  const only = (rules: ProfileBody['rules']) => toPolicy({ ...every, rules, custom: [] });
  const T4 = { on: true, strength: 'recommended' as const, params: {} };
  const ref = await makeSealed(data.root, 'headline', storm);
  const alone = await readFindings(ref, only({ T4 }), {});
  expect(alone.rules.map(({ rule, keys }) => [rule, keys])).toEqual([['T4', 189]]);
  expect(alone.recommended).toEqual({ keys: 189, bytes: 18_900, listed: 0, atLeast: false });
  expect(alone.mandatory).toEqual({ keys: 0, bytes: 0, listed: 0, atLeast: false });
  // A rule about single keys is violated too. How many keys violate either is unknown, so the larger number is
  // reported.
  const beside = await readFindings(
    await makeSealed(data.root, 'headline-beside', [
      ...storm,
      ...Array.from({ length: 40 }, (_, i) => ({
        ...storm[0]!,
        bytesOfName: Buffer.from(`app:big:${i}`),
        length: 20_000,
        expireAt: AS_OF + i * 7e8 + 9e9,
      })),
    ]),
    only({ T4, V1: { on: true, strength: 'recommended', params: {} } }),
    {},
  );
  expect(beside.recommended).toEqual({ keys: 189, bytes: 18_900, listed: 40, atLeast: true });
});
