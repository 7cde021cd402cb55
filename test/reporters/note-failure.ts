import { appendFileSync } from 'node:fs';

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Adds a failed test to the file of COLONNADE_TEST_FAILURES (nothing without it), from which `npm test` repeats them
 * under its result: the output of a stage is long, and often only its end is at hand.
 */
export function noteFailure(test: string, message: string | undefined) {
  const file = process.env.COLONNADE_TEST_FAILURES;
  if (!file) return;
  const lines = (message ?? '').replaceAll(COLOURS, '').split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, 6);
  appendFileSync(file, `${[`✗ ${test}`, ...first.map((line) => `    ${line.slice(0, 200)}`)].join('\n')}\n`);
}
