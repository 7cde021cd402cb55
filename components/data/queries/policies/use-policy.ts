import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';
import type { Assignment, ChecklistInput } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

export type InstancePolicyAnswer = AnswerOf<'GET /api/instances/{id}/policy'>;

const queryPolicy = (id: string) => queryApi('GET /api/instances/{id}/policy', { id });

export const usePolicy = (instanceId: string) => useQuery(queryPolicy(instanceId));

/**
 * Saves which profiles apply to an instance. `updatedAt`: of the assignment that was edited; the server refuses if
 * another person has changed it meanwhile, so it is requested again after an error.
 */
export function useSetAssignment(id: string) {
  const after = useAfterPolicyChange();
  const client = useQueryClient();
  const { queryKey } = queryPolicy(id);
  return useMutation({
    mutationFn: (body: Assignment & Pick<InstancePolicyAnswer, 'updatedAt'>) =>
      api('PUT /api/instances/{id}/policy', { id, body }),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved);
      after();
    },
    onError: () => void client.invalidateQueries({ queryKey }),
  });
}

export const useChecklist = (id: string) =>
  useQuery({ ...queryApi('GET /api/instances/{id}/checklist', { id }), select: ({ items }) => items });

export const useSetChecklistItem = (id: string) =>
  useMutation({
    // Fields that the answer only shows (by whom, when) are not sent back.
    mutationFn: ({ rule, state, owner, date, note }: ChecklistInput) =>
      api('PUT /api/instances/{id}/checklist', { id, body: { rule, state, owner, date, note } }),
    onSuccess: useAfterPolicyChange(),
  });
