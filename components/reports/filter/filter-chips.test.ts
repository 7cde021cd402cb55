import { describe, expect, it } from 'vitest';
import { buildFilterChips } from './filter-chips';
import { FILTER_KEYS } from './filter-params';

describe('filterChips', () => {
  it('shows nothing for an empty filter', () => expect(buildFilterChips({})).toEqual([]));
  it('joins the two ends of a range in one chip, zero included', () => {
    expect(buildFilterChips({ slotMin: 0, slotMax: 0, bytesMin: 1024 })).toEqual([
      { id: 'bytes', fields: ['bytesMin', 'bytesMax'], kind: 'bytes', min: 1024, max: undefined },
      { id: 'slot', fields: ['slotMin', 'slotMax'], kind: 'slot', min: 0, max: 0 },
    ]);
  });
  it('tells a name from the beginning of names, and takes both away together', () => {
    expect(buildFilterChips({ prefix: 'cache' })).toEqual([
      { id: 'prefix', fields: ['prefix'], kind: 'text', text: 'cache' },
    ]);
    expect(buildFilterChips({ prefix: 'cache', exact: true })).toEqual([
      { id: 'key', fields: ['prefix', 'exact'], kind: 'text', text: 'cache' },
    ]);
    // If both are set, `exact` belongs to the template.
    expect(buildFilterChips({ prefix: 'user:1', template: 'user:{int}', exact: true })).toEqual([
      { id: 'prefix', fields: ['prefix'], kind: 'text', text: 'user:1' },
      { id: 'key', fields: ['template', 'exact'], kind: 'text', text: 'user:{int}' },
    ]);
  });
  it('has a chip that removes each field, so no filter can hide', () => {
    const full = Object.fromEntries(
      FILTER_KEYS.map((k) => [
        k,
        ['type', 'encoding', 'db', 'node', 'rule', 'strength'].includes(k)
          ? [1]
          : k === 'big' || k === 'exempt' || k === 'exact'
            ? true
            : k === 'expiry'
              ? 'none'
              : 1,
      ]),
    );
    const removable = new Set(buildFilterChips(full as never).flatMap((chip) => chip.fields));
    expect(FILTER_KEYS.filter((k) => !removable.has(k))).toEqual([]);
  });
});
