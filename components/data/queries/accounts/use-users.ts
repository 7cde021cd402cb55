import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { OneTimeLink, User, UserInput, UserUpdate } from '@/lib/model/accounts/accounts';

const buildPath = (id: string) => `/api/users/${encodeURIComponent(id)}`;

export function useUsers(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.users,
    queryFn: async ({ signal }) => (await api.get<{ users: User[] }>('/api/users', undefined, signal)).users,
    enabled,
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: queryKeys.users });
}

export function useAddUser() {
  return useMutation({
    mutationFn: (input: UserInput) => api.post<{ user: User; link: OneTimeLink }>('/api/users', input),
    onSettled: useRefresh(),
  });
}
export function useUpdateUser() {
  return useMutation({
    mutationFn: ({ id, ...body }: UserUpdate & { id: string }) => api.patch<{ user: User }>(buildPath(id), body),
    onSettled: useRefresh(),
  });
}
export function useResetUser() {
  return useMutation({
    mutationFn: async (id: string) => (await api.post<{ link: OneTimeLink }>(`${buildPath(id)}/reset`)).link,
    onSettled: useRefresh(),
  });
}
export function useEndUserSessions() {
  return useMutation({
    mutationFn: (id: string) => api.delete<{ ended: number }>(`${buildPath(id)}/sessions`),
    onSettled: useRefresh(),
  });
}
