import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from './api-error';

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            // An answer with a code is an answer: asking again would only delay the sentence.
            retry: (count, error) => count < 2 && error instanceof ApiError && error.code === 'network',
            retryDelay: (attempt) => 400 * 2 ** attempt,
          },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
