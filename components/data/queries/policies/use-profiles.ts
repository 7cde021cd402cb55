import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { Profile, ProfileBody } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

const buildPath = (id: string) => `/api/profiles/${encodeURIComponent(id)}`;

export function useProfiles() {
  return useQuery({
    queryKey: queryKeys.profiles,
    queryFn: async ({ signal }) =>
      (await api.get<{ profiles: Profile[] }>('/api/profiles', undefined, signal)).profiles,
    staleTime: 30_000,
  });
}

export function useProfile(id: string) {
  return useQuery({
    queryKey: queryKeys.profile(id),
    queryFn: async ({ signal }) => (await api.get<{ profile: Profile }>(buildPath(id), undefined, signal)).profile,
    staleTime: 30_000,
  });
}

/** With an id it changes that profile (as it was at `updatedAt`), without one it creates a new profile. */
export function useSaveProfile() {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: async ({ id, body, updatedAt }: { id?: string; body: ProfileBody; updatedAt?: number | null }) =>
      (
        await (id === undefined
          ? api.post<{ profile: Profile }>('/api/profiles', { body })
          : api.put<{ profile: Profile }>(buildPath(id), { body, updatedAt }))
      ).profile,
    onSuccess: after,
  });
}

export function useRemoveProfile() {
  const after = useAfterPolicyChange();
  return useMutation({ mutationFn: (id: string) => api.delete(buildPath(id)), onSuccess: after });
}

/** Reads a profile file and stores nothing. */
export function useImportProfile() {
  return useMutation({
    mutationFn: (yaml: string) => api.post<{ body: ProfileBody; warnings: string[] }>('/api/profiles/import', { yaml }),
  });
}

export const exportProfileUrl = (id: string) => `${buildPath(id)}/export`;

/** Checks names against a profile that is being edited; requested again when either changes. */
export function useCheckedNames(body: ProfileBody | null, names: readonly string[]) {
  return useQuery({
    queryKey: [...queryKeys.profiles, 'check', body, names],
    queryFn: async () =>
      (
        await api.post<{ verdicts: KeyVerdict[] }>('/api/profiles/check', {
          body,
          names: names.map((name) => ({ name })),
        })
      ).verdicts,
    enabled: body !== null && names.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });
}
