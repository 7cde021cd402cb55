import { useMutation, useQuery } from '@tanstack/react-query';
import { api, buildApiUrl } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

export const useProfiles = () =>
  useQuery({ ...queryApi('GET /api/profiles', {}), select: ({ profiles }) => profiles, staleTime: 30_000 });

export const useProfile = (id: string) =>
  useQuery({ ...queryApi('GET /api/profiles/{id}', { id }), select: ({ profile }) => profile, staleTime: 30_000 });

/** With an id it changes that profile (as it was at `updatedAt`), without one it creates a new profile. */
export const useSaveProfile = () =>
  useMutation({
    mutationFn: async ({ id, ...body }: { id?: string; body: ProfileBody; updatedAt?: number | null }) =>
      (await (id === undefined ? api('POST /api/profiles', { body }) : api('PUT /api/profiles/{id}', { id, body })))
        .profile,
    onSuccess: useAfterPolicyChange(),
  });

export const useRemoveProfile = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/profiles/{id}', { id }),
    onSuccess: useAfterPolicyChange(),
  });

/** Reads a profile file and stores nothing. */
export const useImportProfile = () =>
  useMutation({ mutationFn: (yaml: string) => api('POST /api/profiles/import', { body: { yaml } }) });

export const exportProfileUrl = (id: string) => buildApiUrl('GET /api/profiles/{id}/export', { id });

/** Checks names against a profile that is being edited; requested again when either changes. */
export const useCheckedNames = (body: ProfileBody | null, names: readonly string[]) =>
  useQuery({
    queryKey: ['checked-names', body, names],
    queryFn: async () =>
      (await api('POST /api/profiles/check', { body: { body: body!, names: names.map((name) => ({ name })) } }))
        .verdicts,
    enabled: body !== null && names.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });
