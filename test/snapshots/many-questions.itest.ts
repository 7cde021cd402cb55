import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withConnection } from '../../lib/snapshots/query/duckdb';
import { temporaryData } from '../temporary-data';

let data: ReturnType<typeof temporaryData>;
const warnings: Error[] = [];
const note = (warning: Error) => warnings.push(warning);
beforeEach(() => {
  data = temporaryData();
  process.on('warning', note);
});
afterEach(async () => {
  process.off('warning', note);
  await data.remove();
});

it('forty questions of one reader at once warn of no leak, and leave nothing behind', async () => {
  const { signal } = new AbortController();
  const ask = () =>
    withConnection(data.dir, { signal }, async (one) => (await one.runAndReadAll('SELECT 1')).getRows());
  expect(await Promise.all(Array.from({ length: 40 }, ask))).toEqual(Array.from({ length: 40 }, () => [[1]]));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(warnings.map(({ name }) => name)).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
