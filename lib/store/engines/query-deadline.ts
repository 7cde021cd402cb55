import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Time limit of a query in ms. Without it a database that vanished is noticed only after a quarter of an hour. It is
 * longer than the wait for a lock and shorter than a lease.
 */
export const QUERY_MS = 20_000;

const unbounded = new AsyncLocalStorage<true>();

/**
 * Runs queries without a time limit. For work that takes longer with more rows and that no lease and no page waits for:
 * migrating, copying.
 */
export const runWithoutDeadline = <T>(act: () => Promise<T>): Promise<T> => unbounded.run(true, act);

/** Time limit of the current query in ms; undefined = none. */
export const getQueryDeadline = (): number | undefined => (unbounded.getStore() ? undefined : QUERY_MS);
