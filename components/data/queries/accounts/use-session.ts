import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { ApiError } from '@/components/data/api-error';
import { useInstance } from '@/components/data/queries/use-instances';
import { queryKeys } from '@/components/data/query-keys';
import { beginSignOut, endSignOut, goToSignIn } from '@/components/data/sign-in-redirect';
import { getRoleOn, type Permission, roleAllows } from '@/lib/model/access';
import type { Session, SessionInfo } from '@/lib/model/accounts/accounts';

/**
 * The account of this session, and whether anything can be changed. The role does not change while the session lasts: a
 * change ends it.
 */
export function useSession() {
  return useQuery({
    queryKey: queryKeys.session,
    queryFn: ({ signal }) => api.get<SessionInfo>('/api/session', undefined, signal),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.storeReadOnly ? 5_000 : 30_000),
  });
}

/**
 * Whether to offer an action; the server checks again when it is done. With an instance, the grants of the user for it
 * count too. Nothing is offered until the session is known.
 */
export function useMay(permission: Permission, instanceId: string | null = null): boolean {
  const user = useSession().data?.user;
  const withGrants = instanceId !== null && (user?.grants.length ?? 0) > 0;
  const { data: instance } = useInstance(withGrants ? instanceId : null);
  if (!user) return false;
  return roleAllows(instance ? getRoleOn(user, instance) : user.role, permission);
}

export function useSignIn() {
  return useMutation({ mutationFn: (body: { name: string; password: string }) => api.post('/api/session', body) });
}
export function useSignOut() {
  return useMutation({
    mutationFn: () => {
      beginSignOut();
      return api.delete<{ location: string | null }>('/api/session');
    },
    onError: (error) => {
      endSignOut();
      if (error instanceof ApiError && error.code === 'sign_in_needed') goToSignIn();
    },
  });
}
export function useCheckLink() {
  return useMutation({
    mutationFn: (token: string) => api.post<{ name: string | null }>('/api/welcome/check', { token }),
  });
}
export function useOpenLink() {
  return useMutation({
    mutationFn: (body: { token: string; name?: string; password: string }) => api.post('/api/welcome', body),
  });
}
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { current: string; next: string }) => api.put('/api/account/password', body),
  });
}
/** Checks the password once more before an action on production. */
export function useConfirmSignIn() {
  return useMutation({ mutationFn: (password: string) => api.post('/api/session/confirm', { password }) });
}
export function useOwnSessions() {
  return useQuery({
    queryKey: queryKeys.ownSessions,
    queryFn: async ({ signal }) =>
      (await api.get<{ sessions: Session[] }>('/api/account/sessions', undefined, signal)).sessions,
  });
}
export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => api.delete(`/api/account/sessions/${encodeURIComponent(id)}`),
    onSettled: (_data, _error, _id, _result, { client }) =>
      client.invalidateQueries({ queryKey: queryKeys.ownSessions }),
  });
}
