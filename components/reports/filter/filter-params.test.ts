import { describe, expect, it } from 'vitest';
import { FILTER_NAMES, KeyFilter } from '@/lib/model/filter';
import { toQueryString } from '@/lib/model/text/api-address';
import { FILTER_KEYS, FILTER_PARAMS, toFilter } from './filter-params';

describe('filter in the URL', () => {
  it('carries every field of the filter contract', () => {
    expect([...FILTER_KEYS].sort()).toEqual([...FILTER_NAMES].sort());
  });
  it('comes back as it went, through the API shape and through the page', () => {
    const filter: KeyFilter = {
      prefix: 'a:b c&d=1,2%\\x00',
      type: ['hash', 'zset'],
      expiry: 'none',
      bytesMin: 10_240,
      idleMax: 3600,
      db: [0, 3],
      slotMin: 0,
      big: true,
    };
    const params = new URLSearchParams(toQueryString(filter));
    expect(KeyFilter.parse(Object.fromEntries(params))).toEqual(filter);
    const page = Object.fromEntries(
      FILTER_KEYS.map((key) => [key, params.has(key) ? FILTER_PARAMS[key].parse(params.get(key) ?? '') : null]),
    );
    expect(toFilter(page)).toEqual(filter);
  });
  it('drops empty values, but keeps zero', () => {
    expect(toQueryString({ a: '', b: null, c: [], d: undefined, slotMin: 0 })).toBe('?slotMin=0');
    expect(toQueryString({})).toBe('');
  });
});
