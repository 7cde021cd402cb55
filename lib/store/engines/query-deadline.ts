import { AsyncLocalStorage } from 'node:async_hooks';
import { processWide } from '@/lib/process-wide';

/**
 * How long an answer is waited for: a database that vanished without a word is else missed only after a quarter of an
 * hour. Longer than a lock is waited for, shorter than a lease.
 */
export const QUERY_MS = 20_000;

const unbounded = () => processWide('queries-without-deadline', () => new AsyncLocalStorage<true>());

/** For what takes as long as there are rows, which no lease and no page waits for: migrating, copying. */
export const withoutDeadline = <T>(act: () => Promise<T>): Promise<T> => unbounded().run(true, act);

/** For the query that is asked now; undefined = none. */
export const queryDeadline = (): number | undefined => (unbounded().getStore() ? undefined : QUERY_MS);
