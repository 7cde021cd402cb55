import { appendFileSync } from 'node:fs';

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Appends a failed test to the file of COLONNADE_TEST_FAILURES (does nothing if it is not set). `npm test` repeats
 * these failures under its result, because the output of a stage is long and often only its end is visible.
 */
export function noteFailure(test: string, message: string | undefined) {
  const file = process.env.COLONNADE_TEST_FAILURES;
  if (!file) return;
  const lines = (message ?? '').replaceAll(COLOURS, '').split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, 6);
  appendFileSync(file, `${[`✗ ${test}`, ...first.map((line) => `    ${line.slice(0, 200)}`)].join('\n')}\n`);
}
