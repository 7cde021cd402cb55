import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { Assignment, ChecklistInput, ChecklistItem } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

export interface InstancePolicyAnswer {
  assignment: Assignment;
  updatedAt: number | null;
  effective: { hash: string; profiles: { id: string; name: string }[] };
}
const buildPath = (id: string) => `/api/instances/${encodeURIComponent(id)}`;

export function usePolicy(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.policy(instanceId),
    queryFn: ({ signal }) => api.get<InstancePolicyAnswer>(`${buildPath(instanceId)}/policy`, undefined, signal),
  });
}

/**
 * Saves which profiles apply to an instance. `updatedAt`: of the assignment that was edited; the server refuses if
 * another person has changed it meanwhile, so it is requested again after an error.
 */
export function useSetAssignment(instanceId: string) {
  const after = useAfterPolicyChange();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Assignment & Pick<InstancePolicyAnswer, 'updatedAt'>) =>
      api.put<InstancePolicyAnswer>(`${buildPath(instanceId)}/policy`, body),
    onSuccess: (saved) => {
      client.setQueryData(queryKeys.policy(instanceId), saved);
      after();
    },
    onError: () => void client.invalidateQueries({ queryKey: queryKeys.policy(instanceId) }),
  });
}

export function useChecklist(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.checklist(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ items: ChecklistItem[] }>(`${buildPath(instanceId)}/checklist`, undefined, signal)).items,
  });
}

export function useSetChecklistItem(instanceId: string) {
  const after = useAfterPolicyChange();
  return useMutation({
    // Fields that the answer only shows (by whom, when) are not sent back.
    mutationFn: ({ rule, state, owner, date, note }: ChecklistInput) =>
      api.put(`${buildPath(instanceId)}/checklist`, { rule, state, owner, date, note }),
    onSuccess: after,
  });
}
