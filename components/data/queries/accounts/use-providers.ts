import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { SessionInfo } from '@/lib/model/accounts/accounts';
import type { ShownProvider } from '@/lib/model/accounts/oidc';

/** The identity providers that people may sign in with. */
export function useProviders() {
  return useQuery({
    queryKey: queryKeys.providers,
    queryFn: async ({ signal }) =>
      (await api.get<{ providers: ShownProvider[] }>('/api/oidc', undefined, signal)).providers,
    staleTime: 600_000,
  });
}

/** Gets the address to sign in with one provider and to come back to `next` after that. */
export function useBeginProviderSignIn() {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; next: string; purpose: 'sign-in' | 'confirm' }) =>
      api.post<{ location: string }>(`/api/oidc/${encodeURIComponent(id)}`, body),
  });
}

/** When the person of this session last confirmed who they are, epoch ms, 0 if never; polled every second. */
export function useConfirmedAt(): number {
  const { data } = useQuery({
    queryKey: [...queryKeys.session, 'confirmed'],
    queryFn: async ({ signal }) =>
      (await api.get<SessionInfo>('/api/session', undefined, signal)).user?.confirmedAt ?? 0,
    refetchInterval: 1000,
    staleTime: 0,
    gcTime: 0,
  });
  return data ?? 0;
}
