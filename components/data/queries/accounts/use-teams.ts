import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { Team, TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';

const buildPath = (id: string) => `/api/teams/${encodeURIComponent(id)}`;

/** Teams by name. Their members are included only for administrators. */
export function useTeams() {
  return useQuery({
    queryKey: queryKeys.teams,
    queryFn: async ({ signal }) => (await api.get<{ teams: Team[] }>('/api/teams', undefined, signal)).teams,
    staleTime: 60_000,
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: queryKeys.teams });
}

export function useAddTeam() {
  return useMutation({
    mutationFn: (input: TeamInput) => api.post<{ team: Team }>('/api/teams', input),
    onSettled: useRefresh(),
  });
}
export function useUpdateTeam() {
  return useMutation({
    mutationFn: ({ id, ...body }: TeamUpdate & { id: string }) => api.patch<{ team: Team }>(buildPath(id), body),
    onSettled: useRefresh(),
  });
}
export function useRemoveTeam() {
  return useMutation({
    mutationFn: (id: string) => api.delete<{ id: string }>(buildPath(id)),
    onSettled: useRefresh(),
  });
}
