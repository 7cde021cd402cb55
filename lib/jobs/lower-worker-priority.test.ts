import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';

const AFTER = `
  const { lowerWorkerPriority } = await import('./lib/jobs/lower-worker-priority.ts');
  const { getPriority } = await import('node:os');
  lowerWorkerPriority();
  process.stdout.write(String(getPriority()));
`;

/** The tests themselves may run with a lower priority, and `nice` adds to it. */
const BASE = Math.max(0, getPriority());

/** Returns the priority of a worker that was started with `nice`, or that of the tests if it is higher. */
const priorityAfter = (nice: number) => {
  const run = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', AFTER];
  return Number(execFileSync('nice', ['-n', String(Math.max(0, nice - BASE)), ...run], { encoding: 'utf8' }));
};

it('goes behind pages, and never before what it was started with', () => {
  expect([priorityAfter(0), priorityAfter(12)]).toEqual([Math.max(5, BASE), Math.max(12, BASE)]);
}, 60_000);
