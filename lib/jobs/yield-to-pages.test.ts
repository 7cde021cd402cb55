import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';

const AFTER = `
  const { yieldToPages } = await import('./lib/jobs/yield-to-pages.ts');
  const { getPriority } = await import('node:os');
  yieldToPages();
  process.stdout.write(String(getPriority()));
`;

/** These tests may run behind others themselves, and `nice` counts on from there. */
const BASE = Math.max(0, getPriority());

/** The priority of a worker that was started with `nice`, or with that of the tests where it is more. */
const priorityAfter = (nice: number) => {
  const run = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', AFTER];
  return Number(execFileSync('nice', ['-n', String(Math.max(0, nice - BASE)), ...run], { encoding: 'utf8' }));
};

it('goes behind pages, and never before what it was started with', () => {
  expect([priorityAfter(0), priorityAfter(12)]).toEqual([Math.max(5, BASE), Math.max(12, BASE)]);
}, 60_000);
