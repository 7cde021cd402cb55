import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { Exemption, ExemptionInput, OwnerInput, PrefixOwner } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

export function useExemptions(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.exemptions(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ exemptions: Exemption[] }>('/api/exemptions', { instanceId }, signal)).exemptions,
  });
}

/** Owners that apply to the instance and those for all instances; null: all owners. */
export function useOwners(instanceId: string | null) {
  return useQuery({
    queryKey: queryKeys.owners(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ owners: PrefixOwner[] }>('/api/owners', { instanceId: instanceId ?? undefined }, signal)).owners,
  });
}

/** With an id it changes that entry of the list at `path`, without one it adds a new one. */
function useSave<Input>(path: string) {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: ({ id, input }: { id?: string; input: Input }) =>
      id === undefined ? api.post(path, input) : api.put(`${path}/${encodeURIComponent(id)}`, input),
    onSuccess: after,
  });
}

function useRemove(path: string) {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: (id: string) => api.delete(`${path}/${encodeURIComponent(id)}`),
    onSuccess: after,
  });
}

export const useSaveExemption = () => useSave<ExemptionInput>('/api/exemptions');
export const useRemoveExemption = () => useRemove('/api/exemptions');
export const useSaveOwner = () => useSave<OwnerInput>('/api/owners');
export const useRemoveOwner = () => useRemove('/api/owners');
