// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { CommandTable } from './command-table';
import { LatencyTable } from './latency-table';
import { SlowlogTable } from './slowlog-table';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = Date.UTC(2026, 2, 1, 13, 45, 6);
const AUDIT = {
  nodes: [
    {
      address: '10.0.0.1:6379',
      commandStats: { get: { calls: 1_234_567, microseconds: 2_469_134 } },
      slowlog: [{ at: AT, microseconds: 1_234_567, command: 'KEYS', args: ['*'] }],
      latency: [{ event: 'command', at: AT, lastMs: 1500, maxMs: 90_000 }],
    },
  ],
} as unknown as ServerAudit;

it.each([
  ['commands', CommandTable, ['Command,Calls,Time per call (µs),Total time (ms)', 'GET,1234567,2,2469.134']],
  [
    'slowlog',
    SlowlogTable,
    ['Duration (ms),Command,Time,Node', '1234.567,KEYS *,2026-03-01T13:45:06.000Z,10.0.0.1:6379'],
  ],
  [
    'latency',
    LatencyTable,
    ['Event,Last (ms),Longest (ms),Time,Node', 'command,1500,90000,2026-03-01T13:45:06.000Z,10.0.0.1:6379'],
  ],
])('saves the table of %s with plain numbers, their units and exact times', async (id, Table, expected) => {
  stubApi({});
  showPage(
    <>
      <OneTableMenu id={`server-${id}`} name="Rows" />
      <Table audit={AUDIT} />
    </>,
  );
  const { lines } = await savedTable('Export this list: Rows');
  expect(lines).toEqual(expected);
});
