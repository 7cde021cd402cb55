import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';

/** Teams by name. Their members are included only for administrators. */
export const useTeams = () =>
  useQuery({ ...queryApi('GET /api/teams', {}), select: ({ teams }) => teams, staleTime: 60_000 });

export const useAddTeam = () =>
  useMutation({
    mutationFn: (body: TeamInput) => api('POST /api/teams', { body }),
    onSettled: useRefresh('GET /api/teams'),
  });

export const useUpdateTeam = () =>
  useMutation({
    mutationFn: ({ id, ...body }: TeamUpdate & { id: string }) => api('PATCH /api/teams/{id}', { id, body }),
    onSettled: useRefresh('GET /api/teams'),
  });

export const useRemoveTeam = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/teams/{id}', { id }),
    onSettled: useRefresh('GET /api/teams'),
  });
