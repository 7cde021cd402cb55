import { expect, it } from 'vitest';
import { checkProfile } from './check-profile';
import { presets } from './presets';

const on = { on: true, strength: 'advice' as const, params: {} };

it.each([
  ['N8', 'N14'],
  ['N4', 'N5'],
  ['V3', 'V5'],
])('says of %s and %s that they require different things, not that no key can keep both', (one, other) => {
  const { warnings } = checkProfile({ ...presets.get('default')!, rules: { [one]: on, [other]: on } });
  expect(warnings).toEqual([expect.stringMatching(/require different things; enable one or the other\.$/)]);
});

it('says nothing of V2 and V11, because V11 is only read for reference and cannot be turned off', () => {
  expect(checkProfile({ ...presets.get('default')!, rules: { V2: on, V11: on } }).warnings).toEqual([]);
});
