import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, isComing } from './api-error';
import { queryKeys } from './query-keys';

/**
 * Number of retries while a machine may still be sending a small snapshot. After that the page says where the snapshot
 * is.
 */
const MAX_ASKED_ELSEWHERE = 15;

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        // The banner of all pages must say it at once too.
        mutationCache: new MutationCache({
          onError: (error, _variables, _result, _mutation, { client: own }) => {
            if (error instanceof ApiError && error.code === 'store_read_only')
              void own.invalidateQueries({ queryKey: queryKeys.session });
          },
        }),
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            // An answer with an error code is final: a retry would only delay the message. But a snapshot that is on
            // its way is waited for, and the page says so (coming-snapshot.tsx).
            retry: (count, error) =>
              isComing(error)
                ? error.code !== 'snapshot_elsewhere' || count < MAX_ASKED_ELSEWHERE
                : count < 2 && error instanceof ApiError && error.code === 'network',
            retryDelay: (attempt, error) => (isComing(error) ? 2_000 : 400 * 2 ** attempt),
          },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
