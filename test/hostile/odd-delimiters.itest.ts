import { afterAll, beforeAll, expect, it } from 'vitest';
import { findingsOf, ruleFindingsOf } from '@/lib/findings/findings-of';
import { policyOf } from '@/lib/findings/policy/effective-policy';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { catalogue } from '@/lib/rules/catalogue';
import { checkProfile } from '@/lib/rules/profiles/check-profile';
import { presets } from '@/lib/rules/profiles/presets';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { LONG } from '../long-form.mjs';
import { madeRows } from '../snapshots/made-rows';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';

/**
 * Whatever a profile parts names with: either it is refused when it is saved, or every rule can be asked with it. One
 * that is stored and cannot be asked would leave an instance without findings.
 */
const odd = ['\0', ':\0', '\n', '\x1b', '\u007f', '\u0085', '\ud800', '\udc00:', ':\ud83d'];
const fine = [
  '\\',
  "'",
  '"',
  '{}',
  '{',
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
  '1',
  'a',
  '：',
  '👩',
  '\u200b',
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

it.each(odd)('refuses %j', (delimiter) => {
  expect(checkProfile({ ...every, delimiter }).errors).toEqual([expect.stringMatching(/^delimiter: /)]);
});

/** All rules are counted with every delimiter, the keys of each asked with one or two of them. LONG=1: with all. */
const meets = (delimiter: number, rule: string) =>
  LONG || (delimiter + catalogue.findIndex(({ id }) => id === rule)) % 8 === 0;

const asked = LONG ? fine : fine.filter((_, i) => i % 2 === 0);
it.each(asked)('asks rules with %j', async (delimiter) => {
  const nth = asked.indexOf(delimiter);
  const body = { ...every, delimiter };
  expect(checkProfile(body).errors).toEqual([]);
  const { rules } = await findingsOf(ref, policyOf(body), {});
  expect(rules.length).toBeGreaterThan(40);
  for (const { rule } of rules)
    if (meets(nth, rule)) expect((await ruleFindingsOf(ref, policyOf(body), rule, {})).finding.rule).toBe(rule);
});
