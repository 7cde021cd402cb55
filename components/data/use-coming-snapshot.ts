import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error';

/** The files of a snapshot are under way to the server; asked again until they are there. */
export const isComing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'snapshot_fetching' || error.code === 'snapshot_elsewhere');

/** What the newest question that waits for a snapshot was answered; null = none waits. */
export function useComingSnapshot(): ApiError | null {
  const client = useQueryClient();
  return useSyncExternalStore(
    (changed) => client.getQueryCache().subscribe(changed),
    () => waitingFor(client),
    () => null,
  );
}

function waitingFor(client: QueryClient): ApiError | null {
  const waiting = client
    .getQueryCache()
    .getAll()
    .map(({ state }) => state)
    .filter(({ fetchStatus, fetchFailureReason }) => fetchStatus !== 'idle' && isComing(fetchFailureReason));
  return (waiting.at(-1)?.fetchFailureReason as ApiError | undefined) ?? null;
}
