import { expect, it } from 'vitest';
import type { NodeAudit, ServerAudit } from '../servers/server-audit';
import type { ConnectionReport } from '../servers/server-facts';
import { factTable, type ServerAuditTable, serverTable } from './server-tables';

const node = (address: string, more: Partial<NodeAudit>) =>
  ({
    ...{ address, role: 'master', config: null, slowlog: null, commandStats: null, latency: null },
    ...more,
  }) as NodeAudit;
const audit = {
  checkedAt: 1,
  clustered: false,
  nodes: [
    node('a:1', {
      config: { maxmemory: '0', 'maxmemory-policy': 'noeviction' },
      slowlog: [{ at: 0, microseconds: 1500, command: 'HGETALL', args: ['=cart:1'] }],
      commandStats: { 'config|get': { calls: 2, microseconds: 10 } },
      latency: [{ event: 'fork', at: 0, lastMs: 1, maxMs: 3 }],
    }),
    node('b:1', {}),
  ],
} as ServerAudit;
const of = (table: ServerAuditTable) =>
  serverTable(
    table,
    audit,
    [
      { rule: 'M1', verdict: 'violated', evidence: [{ address: 'a:1', figures: { maxmemory: 0 } }], missing: [] },
      { rule: 'M2', verdict: 'unknown', evidence: [], missing: ['config get'] },
    ],
    (rule) => `title of ${rule}`,
  ).rows;

it('has a row for all that a node tells, and one without facts for what it does not', () => {
  expect(of('settings')).toEqual([
    ['a:1', 'master', 'maxmemory', '0'],
    ['a:1', 'master', 'maxmemory-policy', 'noeviction'],
    ['b:1', 'master', null, null],
  ]);
  expect(of('slowlog')).toEqual([
    ['a:1', '1970-01-01T00:00:00.000Z', 1.5, 'HGETALL =cart:1'],
    ['b:1', null, null, null],
  ]);
  expect(of('commands')).toEqual([
    ['a:1', 'CONFIG GET', 2, 0.01],
    ['b:1', null, null, null],
  ]);
  expect(of('latency')).toEqual([
    ['a:1', 'fork', '1970-01-01T00:00:00.000Z', 1, 3],
    ['b:1', null, null, null, null],
  ]);
});

it('has every rule, with what shows it or what is missing', () => {
  expect(of('serverRules')).toEqual([
    ['M1', 'title of M1', 'violated', 'a:1', 'maxmemory: 0', ''],
    ['M2', 'title of M2', 'unknown', null, null, 'config get'],
  ]);
});

it('has what can be reached, with the unknown empty', () => {
  const facts = {
    nodes: [
      {
        ...{ address: 'a:1', role: 'replica', masterAddress: 'b:1', healthy: true, version: '7.2.0', keys: 3 },
        slots: [
          [0, 5],
          [9, 9],
        ],
        usedMemoryBytes: 1024,
        maxmemoryBytes: null,
      },
    ],
    databases: [{ db: 2, keys: 3, expires: 1, avgTtlMs: null }],
    capabilities: [{ command: 'memory usage', status: 'denied', lost: 'bytes', required: false }],
  } as unknown as ConnectionReport;
  expect(factTable('nodes', facts).rows).toEqual([
    ['a:1', 'replica', 'b:1', 'yes', '7.2.0', '0-5, 9-9', 3, 1024, null, null],
  ]);
  expect(factTable('databases', facts).rows).toEqual([[2, 3, 1, null]]);
  expect(factTable('databases', { ...facts, databases: null }).rows).toEqual([[null, null, null, null]]);
  expect(factTable('databases', { ...facts, databases: [] }).rows).toEqual([]);
  expect(factTable('capabilities', facts).rows).toEqual([['memory usage', 'denied', 'bytes', 'no']]);
});
