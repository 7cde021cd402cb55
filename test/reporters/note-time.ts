import { appendFileSync } from 'node:fs';

/** Appends the seconds of a test file to the file of COLONNADE_TEST_TIMES; does nothing without it. */
export function noteTime(stage: string, file: string, seconds: number) {
  const times = process.env.COLONNADE_TEST_TIMES;
  if (times)
    appendFileSync(times, `${JSON.stringify({ name: `${stage} ${file}`, seconds: Math.round(seconds * 10) / 10 })}\n`);
}
