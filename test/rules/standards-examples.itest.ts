import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { catalogue } from '@/lib/rules/catalogue';
import type { GroupRule } from '@/lib/rules/groups/counts/group-answer';
import { evaluateGroups } from '@/lib/rules/groups/evaluate-groups';
import { presets } from '@/lib/rules/profiles/presets';
import { judgeServer } from '@/lib/rules/server/judge-server';
import type { RuleEntry } from '@/lib/rules/types';
import { writeServerFile } from '@/lib/snapshots/folder/server-file';
import { type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { withSource } from '@/lib/snapshots/query/with-source';
import { makeAudit } from '@/test/snapshots/made-audit';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { type AskOptions, askRules, withParams } from './ask-rules';
import { examples, PRESETS, type Preset } from './standards-examples';
import { groupExamples } from './standards-groups';
import { serverExamples, VALUES_AS_OF, valueExamples } from './standards-values';

/** Returns the rules of a preset that each row violates, joined by spaces. */
async function findViolated(
  { rules }: ProfileBody,
  areMeant: (rule: RuleEntry) => boolean,
  rows: readonly AdHocRow[],
  options: AskOptions,
): Promise<string[]> {
  const on = catalogue.filter((rule) => rule.kind === 'key' && rules[rule.id]!.on && areMeant(rule));
  if (on.length === 0) return rows.map(() => '');
  const said = await askRules(
    on.map((rule) => withParams(rule, rules[rule.id]!.params)),
    rows,
    options,
  );
  return said.map((one) => on.flatMap(({ id }) => (one[id] === true ? [id] : [])).join(' '));
}

/**
 * Evaluates all rows of one kind in one statement when the first is needed, because planning takes far longer than the
 * rows.
 */
function askedOnce<Key>(ask: (key: Key) => Promise<string[]>) {
  const answers = new Map<string, Promise<string[]>>();
  return (key: Key): Promise<string[]> => {
    const text = JSON.stringify(key);
    const answer = answers.get(text) ?? ask(key);
    answers.set(text, answer);
    return answer;
  };
}

const cases = examples.flatMap(([name, type, of, violated, owned = []], i) =>
  PRESETS.map((preset) => [name, type, preset, of, violated[preset], owned, i] as const),
);

describe("the standards' own examples", () => {
  const namesUnder = askedOnce(([preset, ownerPrefixes]: [Preset, readonly string[]]) =>
    findViolated(
      presets.get(preset)!,
      (rule) => rule.area === 'names' && rule.nameOnly,
      examples.map(([name, type]) => ({ name, type })),
      { ownerPrefixes },
    ),
  );
  it.each(cases)('%s (%s) under %s: %s', async (_name, _type, preset, _of, violated, ownerPrefixes, i) => {
    expect((await namesUnder([preset, ownerPrefixes]))[i]).toBe(violated);
  });

  it('of hash tags get the tag that a cluster places them by', async () => {
    const tags: [string, string | null][] = [
      ['{user1000}.following', 'user1000'],
      ['{user1000}.followers', 'user1000'],
      ['foo{}{bar}', null],
      ['foo{{bar}}zap', '{bar'],
      ['foo{bar}{zap}', 'bar'],
      ['{}whole', null],
      ['{', null],
      ['}{', null],
      ['a{b', null],
      ['plain', null],
    ];
    const found = await withRows(
      tags.map(([name]) => ({ name })),
      (source) => source.query<{ tag: string | null }>(`SELECT tag FROM ${source.keys} ORDER BY ordinal`),
    );
    expect(found.map((row) => row.tag)).toEqual(tags.map(([, tag]) => tag));
  });
});

describe("the standards' own examples of values", () => {
  const values = valueExamples.flatMap(([of, , violated], i) =>
    PRESETS.map((preset) => [of, preset, violated[preset], i] as const),
  );
  const valuesUnder = askedOnce((preset: Preset) =>
    findViolated(
      presets.get(preset)!,
      (rule) => rule.area !== 'names',
      valueExamples.map(([, row]) => ({ name: 'user:info:1', ...row })),
      { asOf: VALUES_AS_OF, lazyExpire: false, bigkeys: getBigkeyThresholds(presets.get(preset)!) },
    ),
  );
  it.each(values)('%s under %s: %s', async (_of, preset, violated, i) => {
    expect((await valuesUnder(preset))[i]).toBe(violated);
  });
});

describe("the standards' own examples of commands and servers", () => {
  const servers = serverExamples.flatMap(([of, node, violated]) =>
    PRESETS.map((preset) => [of, preset, violated[preset], node] as const),
  );
  it.each(servers)('%s under %s: %s', (_of, preset, violated, node) => {
    const { rules } = presets.get(preset)!;
    const on = new Map(Object.entries(rules).flatMap(([id, { on, params }]) => (on ? [[id, params] as const] : [])));
    const found = judgeServer(makeAudit(node), on, { expiryShare: null });
    expect(found.flatMap(({ rule, verdict }) => (verdict === 'violated' ? [rule] : [])).join(' ')).toBe(violated);
  });
});

describe("the standards' own examples of many keys", () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  beforeAll(async () => {
    folder = await dataFolder();
  });
  afterAll(() => folder.clean());

  it.each(groupExamples.map((one, i) => [one.of, i, one] as const))('%s', async (_of, i, { rows, audit, violated }) => {
    const ref = await makeSealed(folder.root, `s${i}`, rows);
    await writeServerFile(ref.dir, audit);
    const settings = PRESETS.map((preset) =>
      catalogue.flatMap(({ id, kind, params }) => {
        const setting = presets.get(preset)!.rules[id]!;
        if (kind !== 'group' || !setting.on) return [];
        const defaults = Object.fromEntries(Object.entries(params).map(([name, spec]) => [name, spec.default]));
        return [{ id, params: { ...defaults, ...setting.params } }];
      }),
    );
    // Presets with the same parameters for a rule share its evaluation.
    const toText = (rule: GroupRule) => JSON.stringify([rule.id, Object.entries(rule.params).sort()]);
    const left = new Map(settings.flat().map((rule) => [toText(rule), rule]));
    const isViolated = new Map<string, boolean>();
    while (left.size > 0) {
      const rules = [...new Map([...left.values()].map((rule) => [rule.id, rule])).values()];
      const answers = await withSource(ref, (source) =>
        evaluateGroups(source, rules, {
          asOf: source.asOf,
          delimiter: ':',
          findOwner: () => null,
          exempt: () => false,
        }),
      );
      for (const rule of rules) {
        isViolated.set(toText(rule), answers[rule.id]!.status === 'violated');
        left.delete(toText(rule));
      }
    }
    const found = Object.fromEntries(
      PRESETS.map((preset, at) => [
        preset,
        settings[at]!.flatMap((rule) => (isViolated.get(toText(rule)) ? [rule.id] : [])).join(' '),
      ]),
    );
    expect(found).toEqual(violated);
  });
});

/** Rules that can be violated and are in no example, with the reason. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  N17: 'a saving is worth telling from a mebibyte on, in a hundred thousand keys: lib/rules/groups/groups.itest.ts',
  V20: 'about values that a scan has sampled: test/scans/sample-values.itest.ts',
};

it('every rule that can be violated is, in an example of each standard that states it', () => {
  const violated = [...examples.map(([, , , by]) => by), ...valueExamples.map(([, , by]) => by)]
    .concat(serverExamples.map(([, , by]) => by))
    .concat(groupExamples.map((one) => one.violated));
  const seen = new Set(
    violated.flatMap((by) => PRESETS.flatMap((preset) => by[preset].split(' ').map((id) => `${preset} ${id}`))),
  );
  const missing = catalogue.flatMap(({ id, kind, sources }) =>
    ['key', 'group', 'server'].includes(kind) && !(id in WITHOUT_EXAMPLE)
      ? sources.map(({ standard }) => `${standard} ${id}`).filter((one) => !seen.has(one))
      : [],
  );
  expect(missing).toEqual([]);
  expect(Object.keys(WITHOUT_EXAMPLE).filter((id) => PRESETS.some((preset) => seen.has(`${preset} ${id}`)))).toEqual(
    [],
  );
});

it('they are counted in docs/RULES.md', async () => {
  const counts = {
    rules: catalogue.length,
    presets: presets.size,
    examples: examples.length,
    values: valueExamples.length,
    servers: serverExamples.length,
    groups: groupExamples.length,
  };
  const text = `${counts.rules} rules, ${counts.presets} presets; examples: ${counts.examples} names, ${counts.values} values, ${counts.servers} commands and servers, ${counts.groups} groups of keys`;
  console.info(text);
  const document = await readFile(path.join(import.meta.dirname, '../../docs/RULES.md'), 'utf8');
  expect(document.replace(/\s+/g, ' ')).toContain(text);
});
