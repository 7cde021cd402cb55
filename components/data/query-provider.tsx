import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, isComing } from './api-error';
import { buildKey } from './build-key';

/**
 * Number of retries while the files of a snapshot are on another machine, which may still be sending them to the object
 * store. After that the page says where the snapshot is.
 */
const MAX_RETRIES_ELSEWHERE = 15;

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        // The session says whether the control database is read-only, and a banner above all pages shows it.
        mutationCache: new MutationCache({
          onError: (error, _variables, _result, _mutation, { client: own }) => {
            if (error instanceof ApiError && error.code === 'store_read_only')
              void own.invalidateQueries({ queryKey: buildKey('GET /api/session') });
          },
        }),
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            // An answer with an error code is final: a retry would only delay the message. But a snapshot that is on
            // its way is waited for, and the page says so (coming-snapshot.tsx).
            retry: (count, error) =>
              isComing(error)
                ? error.code !== 'snapshot_elsewhere' || count < MAX_RETRIES_ELSEWHERE
                : count < 2 && error instanceof ApiError && error.code === 'network',
            retryDelay: (attempt, error) => (isComing(error) ? 2_000 : 400 * 2 ** attempt),
          },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
