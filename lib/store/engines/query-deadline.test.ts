import { expect, it } from 'vitest';
import { QUERY_MS, queryDeadline, withoutDeadline } from './query-deadline';

it('every query has a deadline, but for those of one act that has none', async () => {
  const beside = (async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return queryDeadline();
  })();
  const within = withoutDeadline(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return queryDeadline();
  });
  expect(await Promise.all([beside, within])).toEqual([QUERY_MS, undefined]);
  expect(queryDeadline()).toBe(QUERY_MS);
});
