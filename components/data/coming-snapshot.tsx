import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { type ApiError, isComing } from './api-error';

/** Loaded on demand, because few pages ever show it. */
const ComingReason = lazy(() => import('./coming-reason'));

/** Shown above every page: why it still waits for the numbers of a snapshot. */
export function ComingSnapshot() {
  const coming = useComingSnapshot();
  return coming === null ? null : (
    <Suspense>
      <ComingReason coming={coming} />
    </Suspense>
  );
}

/** The answer to the newest query that waits for a snapshot; null: none waits. */
function useComingSnapshot(): ApiError | null {
  const client = useQueryClient();
  return useSyncExternalStore(
    (changed) => client.getQueryCache().subscribe(changed),
    () => findWaiting(client),
    () => null,
  );
}

function findWaiting(client: QueryClient): ApiError | null {
  const waiting = client
    .getQueryCache()
    .getAll()
    .map(({ state }) => state)
    .filter(({ fetchStatus, fetchFailureReason }) => fetchStatus !== 'idle' && isComing(fetchFailureReason));
  return (waiting.at(-1)?.fetchFailureReason as ApiError | undefined) ?? null;
}
