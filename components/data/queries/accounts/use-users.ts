import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { UserInput, UserUpdate } from '@/lib/model/accounts/accounts';

export const useUsers = (enabled: boolean) =>
  useQuery({ ...queryApi('GET /api/users', {}), select: ({ users }) => users, enabled });

export const useAddUser = () =>
  useMutation({
    mutationFn: (body: UserInput) => api('POST /api/users', { body }),
    onSettled: useRefresh('GET /api/users'),
  });

export const useUpdateUser = () =>
  useMutation({
    mutationFn: ({ id, ...body }: UserUpdate & { id: string }) => api('PATCH /api/users/{id}', { id, body }),
    onSettled: useRefresh('GET /api/users'),
  });

export const useResetUser = () =>
  useMutation({
    mutationFn: async (id: string) => (await api('POST /api/users/{id}/reset', { id })).link,
    onSettled: useRefresh('GET /api/users'),
  });

export const useEndUserSessions = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/users/{id}/sessions', { id }),
    onSettled: useRefresh('GET /api/users'),
  });
