import { expect, it } from 'vitest';
import { isChanged } from './rule-setting-row';

const base = { on: true, strength: 'mandatory' as const, params: { a: 1, b: 2 } };

it('tells a changed rule from an unchanged one', () => {
  expect(isChanged(base, { ...base, params: { b: 2, a: 1 } })).toBe(false);
  expect(isChanged({ ...base, on: false }, base)).toBe(true);
  expect(isChanged({ ...base, strength: 'advice' }, base)).toBe(true);
  expect(isChanged({ ...base, params: { a: 1, b: 3 } }, base)).toBe(true);
  // The other settings of a rule that is off do not count.
  expect(
    isChanged({ on: false, strength: 'advice', params: {} }, { on: false, strength: 'mandatory', params: {} }),
  ).toBe(false);
});
