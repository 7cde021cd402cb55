import { useMutation, useQuery } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';

/** The identity providers that people may sign in with. */
export const useProviders = () =>
  useQuery({ ...queryApi('GET /api/oidc', {}), select: ({ providers }) => providers, staleTime: 600_000 });

/** Gets the address to sign in with one provider and to come back to `next` after that. */
export const useBeginProviderSignIn = () =>
  useMutation({
    mutationFn: ({ id, ...body }: { id: string } & SentTo<'POST /api/oidc/{id}'>['body']) =>
      api('POST /api/oidc/{id}', { id, body }),
  });

/** When the person of this session last confirmed who they are, epoch ms, 0 if never; polled every second. */
export function useConfirmedAt(): number {
  const { data } = useQuery({
    queryKey: ['confirmed-at'],
    queryFn: async ({ signal }) => (await api('GET /api/session', {}, signal)).user?.confirmedAt ?? 0,
    refetchInterval: 1000,
    staleTime: 0,
    gcTime: 0,
  });
  return data ?? 0;
}
