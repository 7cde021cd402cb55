import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { ApiToken, ApiTokenInput } from '@/lib/model/accounts/api-tokens';

/** The reader's own tokens; administrators get the tokens of all people. */
export const useTokens = () => useQuery({ ...queryApi('GET /api/tokens', {}), select: ({ tokens }) => tokens });

export const useCreateToken = () =>
  useMutation({
    mutationFn: (body: ApiTokenInput) => api('POST /api/tokens', { body }),
    // The secret is only in the dialog and is dropped with it.
    gcTime: 0,
    onSettled: useRefresh('GET /api/tokens'),
  });

export const useRevokeToken = () =>
  useMutation({
    mutationFn: ({ id }: ApiToken) => api('DELETE /api/tokens/{id}', { id }),
    onSettled: useRefresh('GET /api/tokens'),
  });
