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

/** With an id it changes that exemption, without one it adds a new one. */
export function useSaveExemption() {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: ({ id, input }: { id?: string; input: ExemptionInput }) =>
      id === undefined
        ? api.post('/api/exemptions', input)
        : api.put(`/api/exemptions/${encodeURIComponent(id)}`, input),
    onSuccess: after,
  });
}

export function useRemoveExemption() {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/api/exemptions/${encodeURIComponent(id)}`),
    onSuccess: after,
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

export function useSaveOwner() {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: ({ id, input }: { id?: string; input: OwnerInput }) =>
      id === undefined ? api.post('/api/owners', input) : api.put(`/api/owners/${encodeURIComponent(id)}`, input),
    onSuccess: after,
  });
}

export function useRemoveOwner() {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/api/owners/${encodeURIComponent(id)}`),
    onSuccess: after,
  });
}
