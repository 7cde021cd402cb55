import { afterAll, beforeAll, expect, it } from 'vitest';
import { Selection } from '@/lib/model/deletions/plan-request';
import { NO_DELIMITER } from '@/lib/model/names/delimiter';
import { ReportQuery } from '@/lib/model/reports/query';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { catalogue } from '@/lib/rules/catalogue';
import { readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { checkProfile } from '@/lib/rules/profiles/check-profile';
import { presets } from '@/lib/rules/profiles/presets';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { LONG } from '../long-form.mjs';
import { madeRows } from '../snapshots/made-rows';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';

/**
 * For every delimiter a profile may have: either saving it is refused, or every rule works with it. A stored delimiter
 * that does not work would leave an instance without findings.
 */
const odd = ['\0', ':\0', '\n', '\x1b', '\u007f', '\u0085', '\ud800', '\udc00:', ':\ud83d', '\u202e', ':\u200b'];
/** Characters that occur in the tokens of folded ids or escape them. */
const inTokens = ['{', '}', '{}', '\\', 'i', 'int', 't}', '{i', '}-', '-{', '1', 'a', 'er:'];
const fine = [
  "'",
  '#',
  '/',
  '->',
  '"',
  '[',
  ']',
  '^',
  '-',
  '|',
  '.',
  '*',
  '$',
  '%',
  '_',
  '(?',
  '：',
  '👩',
  '\u00a0',
  ' ',
];
const every: ProfileBody = {
  ...presets.get('default')!,
  rules: Object.fromEntries(catalogue.map((rule) => [rule.id, { on: true, strength: 'advice', params: {} }])),
  custom: [],
};

let folder: Awaited<ReturnType<typeof dataFolder>>;
let ref: SnapshotRef;
beforeAll(async () => {
  folder = await dataFolder();
  ref = await makeSealed(folder.root, 'odd', madeRows(LONG ? 500 : 100));
});
afterAll(() => folder.clean());

it.each([...odd, ...inTokens])('refuses %j', (delimiter) => {
  expect(checkProfile({ ...every, delimiter }).errors).toEqual([expect.stringMatching(/^delimiter: /)]);
});

it.each(inTokens)('refuses a report and a plan by %j, and says why', (delimiter) => {
  const plan = { by: 'filter', snapshotId: 's', filter: {}, nodes: [{ path: '{int}', end: false }], delimiter };
  for (const asked of [ReportQuery.safeParse({ delimiter }), Selection.safeParse(plan)])
    expect(asked.error?.issues).toMatchObject([{ path: ['delimiter'], message: NO_DELIMITER }]);
});

/**
 * Each rule is evaluated with every delimiter for its counts, and with one or two delimiters for its keys. LONG=1: with
 * all.
 */
const meets = (delimiter: number, rule: string) =>
  LONG || (delimiter + catalogue.findIndex(({ id }) => id === rule)) % 8 === 0;

const asked = LONG ? fine : fine.filter((_, i) => i % 2 === 0);
it.each(asked)('asks rules with %j', async (delimiter) => {
  const nth = asked.indexOf(delimiter);
  const body = { ...every, delimiter };
  expect(checkProfile(body).errors).toEqual([]);
  const { rules } = await readFindings(ref, toPolicy(body), {});
  expect(rules.length).toBeGreaterThan(40);
  for (const { rule } of rules)
    if (meets(nth, rule)) expect((await readRuleFindings(ref, toPolicy(body), rule, {})).finding.rule).toBe(rule);
});
