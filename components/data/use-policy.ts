'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Assignment, ChecklistInput, ChecklistItem } from '@/lib/model/policy';
import { api } from './api';
import { queryKeys } from './query-keys';
import { useAfterPolicyChange } from './use-after-policy-change';

export interface InstancePolicy {
  assignment: Assignment;
  effective: { hash: string; profiles: { id: string; name: string }[] };
}
const path = (id: string) => `/api/instances/${encodeURIComponent(id)}`;

export function usePolicy(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.policy(instanceId),
    queryFn: ({ signal }) => api.get<InstancePolicy>(`${path(instanceId)}/policy`, undefined, signal),
  });
}

export function useSetAssignment(instanceId: string) {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: (assignment: Assignment) => api.put<InstancePolicy>(`${path(instanceId)}/policy`, assignment),
    onSuccess: after,
  });
}

export function useChecklist(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.checklist(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ items: ChecklistItem[] }>(`${path(instanceId)}/checklist`, undefined, signal)).items,
  });
}

export function useSetChecklistItem(instanceId: string) {
  const after = useAfterPolicyChange();
  return useMutation({
    mutationFn: (item: ChecklistInput) => api.put(`${path(instanceId)}/checklist`, item),
    onSuccess: after,
  });
}
