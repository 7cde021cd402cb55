import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error';

/** The files of a snapshot are under way, or the rules are being asked of its keys; asked again until that is done. */
export const isComing = (error: unknown): error is ApiError =>
  error instanceof ApiError && COMING.some((code) => error.code === code);

const COMING = ['snapshot_fetching', 'snapshot_elsewhere', 'snapshot_checking'] as const;

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
