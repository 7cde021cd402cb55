import { expect, it } from 'vitest';
import { getQueryDeadline, QUERY_MS, runWithoutDeadline } from './query-deadline';

it('every query has a deadline, but for those of one act that has none', async () => {
  const beside = (async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return getQueryDeadline();
  })();
  const within = runWithoutDeadline(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return getQueryDeadline();
  });
  expect(await Promise.all([beside, within])).toEqual([QUERY_MS, undefined]);
  expect(getQueryDeadline()).toBe(QUERY_MS);
});
