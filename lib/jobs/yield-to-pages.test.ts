import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const AFTER = `
  const { yieldToPages } = await import('./lib/jobs/yield-to-pages.ts');
  const { getPriority } = await import('node:os');
  yieldToPages();
  process.stdout.write(String(getPriority()));
`;

/** The priority of a worker that was started with `nice`. */
const priorityAfter = (nice: number) => {
  const run = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', AFTER];
  return Number(execFileSync('nice', ['-n', String(nice), ...run], { encoding: 'utf8' }));
};

it('goes behind pages, and never before what it was started with', () => {
  expect([priorityAfter(0), priorityAfter(12)]).toEqual([5, 12]);
}, 60_000);
