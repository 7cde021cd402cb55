import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';
import type { ExemptionInput, OwnerInput } from '@/lib/model/rules/policy';
import { useAfterPolicyChange } from './use-after-policy-change';

export const useExemptions = (instanceId: string) =>
  useQuery({ ...queryApi('GET /api/exemptions', { query: { instanceId } }), select: ({ exemptions }) => exemptions });

/** Owners that apply to the instance and those for all instances; null: all owners. */
export const useOwners = (instanceId: string | null) =>
  useQuery({ ...queryApi('GET /api/owners', { query: { instanceId } }), select: ({ owners }) => owners });

/** With an id it changes that exemption, without one it adds a new one. */
export const useSaveExemption = () =>
  useMutation({
    mutationFn: async ({ id, input: body }: { id?: string; input: ExemptionInput }) => {
      await (id === undefined ? api('POST /api/exemptions', { body }) : api('PUT /api/exemptions/{id}', { id, body }));
    },
    onSuccess: useAfterPolicyChange(),
  });

export const useRemoveExemption = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/exemptions/{id}', { id }),
    onSuccess: useAfterPolicyChange(),
  });

/** With an id it changes that owner, without one it adds a new one. */
export const useSaveOwner = () =>
  useMutation({
    mutationFn: async ({ id, input: body }: { id?: string; input: OwnerInput }) => {
      await (id === undefined ? api('POST /api/owners', { body }) : api('PUT /api/owners/{id}', { id, body }));
    },
    onSuccess: useAfterPolicyChange(),
  });

export const useRemoveOwner = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/owners/{id}', { id }),
    onSuccess: useAfterPolicyChange(),
  });
