import { describe, expect, it } from 'vitest';
import type { FleetRow } from './fleet';
import { computeNoExpiryShare, filterFleet } from './fleet-filter';

function row(
  name: string,
  keys: number | null,
  extra: { env?: string; tags?: string[]; noExpiry?: number | null } = {},
) {
  return {
    instance: { name, environment: extra.env ?? '', tags: extra.tags ?? [], owner: '', topology: 'standalone' },
    latest:
      keys === null ? null : { keys, bytes: null, bigkeys: 0, noExpiryKeys: extra.noExpiry ?? null, startedAt: 1 },
    activeJob: null,
    keysHistory: [],
  } as unknown as FleetRow;
}
const names = (rows: FleetRow[]) => rows.map((r) => r.instance.name);

describe('fleet filter', () => {
  const rows = [
    row('orders', 1, { env: 'prod', tags: ['eu', 'core'] }),
    row('cache', 1, { env: 'test', tags: ['eu'] }),
  ];
  it('needs every word, anywhere', () => {
    expect(names(filterFleet(rows, { q: 'EU ord', env: '', tag: '' }))).toEqual(['orders']);
    expect(names(filterFleet(rows, { q: 'eu', env: '', tag: '' }))).toEqual(['orders', 'cache']);
  });
  it('matches tag and environment exactly', () => {
    expect(names(filterFleet(rows, { q: '', env: 'test', tag: 'eu' }))).toEqual(['cache']);
    expect(names(filterFleet(rows, { q: '', env: 'prod', tag: 'cor' }))).toEqual([]);
  });
});

describe('no-expiry share', () => {
  it('is unknown without keys or without the number', () => {
    expect(computeNoExpiryShare(row('x', 0, { noExpiry: 0 }))).toBeNull();
    expect(computeNoExpiryShare(row('x', 10))).toBeNull();
    expect(computeNoExpiryShare(row('x', 10, { noExpiry: 0 }))).toBe(0);
  });
});
