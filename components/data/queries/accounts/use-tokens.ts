import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { ApiToken, ApiTokenInput } from '@/lib/model/accounts/api-tokens';

/** The reader's own tokens; administrators get the tokens of all people. */
export function useTokens() {
  return useQuery({
    queryKey: queryKeys.tokens,
    queryFn: async ({ signal }) => (await api.get<{ tokens: ApiToken[] }>('/api/tokens', undefined, signal)).tokens,
  });
}
export function useCreateToken() {
  return useMutation({
    mutationFn: (input: ApiTokenInput) => api.post<{ token: ApiToken; secret: string }>('/api/tokens', input),
    // The secret is only in the dialog and is dropped with it.
    gcTime: 0,
    onSettled: (_data, _error, _input, _result, { client }) => client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}
export function useRevokeToken() {
  return useMutation({
    mutationFn: ({ id }: ApiToken) => api.delete(`/api/tokens/${encodeURIComponent(id)}`),
    onSettled: (_data, _error, _token, _result, { client }) => client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}
