import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { ApiError } from '@/components/data/api-error';
import { useInstance } from '@/components/data/queries/use-instances';
import { queryApi, useRefresh } from '@/components/data/query-api';
import { beginSignOut, endSignOut, goToSignIn } from '@/components/data/sign-in-redirect';
import { getRoleOn, type Permission, roleAllows } from '@/lib/model/access';

/**
 * The account of this session, and whether anything can be changed. The role does not change while the session lasts: a
 * change ends it.
 */
export const useSession = () =>
  useQuery({
    ...queryApi('GET /api/session', {}),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.storeReadOnly ? 5_000 : 30_000),
  });

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

export const useSignIn = () =>
  useMutation({ mutationFn: (body: { name: string; password: string }) => api('POST /api/session', { body }) });

export const useSignOut = () =>
  useMutation({
    mutationFn: () => {
      beginSignOut();
      return api('DELETE /api/session', {});
    },
    onError: (error) => {
      endSignOut();
      if (error instanceof ApiError && error.code === 'sign_in_needed') goToSignIn();
    },
  });

export const useCheckLink = () =>
  useMutation({ mutationFn: (token: string) => api('POST /api/welcome/check', { body: { token } }) });

export const useOpenLink = () =>
  useMutation({
    mutationFn: (body: { token: string; name?: string; password: string }) => api('POST /api/welcome', { body }),
  });

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: { current: string; next: string }) => api('PUT /api/account/password', { body }) });

/** Checks the password once more before an action on production. */
export const useConfirmSignIn = () =>
  useMutation({ mutationFn: (password: string) => api('POST /api/session/confirm', { body: { password } }) });

export const useOwnSessions = () =>
  useQuery({ ...queryApi('GET /api/account/sessions', {}), select: ({ sessions }) => sessions });

export const useRevokeSession = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/account/sessions/{id}', { id }),
    onSettled: useRefresh('GET /api/account/sessions'),
  });
