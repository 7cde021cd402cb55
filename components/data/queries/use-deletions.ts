import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import { toQueryString } from '@/components/data/query-string';
import type { ApprovalDecision, ApprovalRequest } from '@/lib/model/deletions/approval';
import type { Deletion, DeletionPoint, EmergencyStopState } from '@/lib/model/deletions/deletion';
import type { ItemPage } from '@/lib/model/deletions/deletion-item';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { LeftoversAnswer } from '@/lib/model/deletions/leftovers';
import type { Confirmation, GivenUp, GiveUp, PlanRequest, UndoRequest } from '@/lib/model/deletions/plan-request';
import type { Job } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ServerAcceptance, ServerComparison } from '@/lib/model/servers/server-identity';
import { buildDeletionItemsKey, ITEMS_PAGE } from './deletion-items-key';

/** Polling interval while a deletion runs, ms: people watch it. */
const WATCH_MS = 1000;
export type WatchedDeletion = Deletion & { points: DeletionPoint[] };

const buildPath = (id: string) => `/api/deletions/${encodeURIComponent(id)}`;

export function useDeletions(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.deletions(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ deletions: Deletion[] }>('/api/deletions', { instanceId }, signal)).deletions,
    refetchInterval: (q) => (q.state.data?.some(({ job }) => isActive(job)) ? 2 * WATCH_MS : 30_000),
  });
}

/** Address of a file with all keys of a plan or deletion, or those in one state. */
export const itemsFileUrl = (id: string, state: ItemState | undefined, format: FileFormat): string =>
  `${buildPath(id)}/items${toQueryString({ state, format })}`;

export function useDeletion(id: string) {
  return useQuery({
    queryKey: queryKeys.deletion(id),
    queryFn: async ({ signal }) =>
      (await api.get<{ deletion: WatchedDeletion }>(buildPath(id), undefined, signal)).deletion,
    refetchInterval: (q) => (q.state.data && isActive(q.state.data.job) ? WATCH_MS : 5 * WATCH_MS),
  });
}

/**
 * The keys of a deletion, one page of fifty. They are requested every second while the deletion is `live`, and again
 * whenever it differs.
 */
export function useDeletionItems(
  deletion: WatchedDeletion,
  query: { state?: ItemState | undefined; cursor?: string | undefined },
  live: boolean,
) {
  return useQuery({
    queryKey: buildDeletionItemsKey(deletion, query, live),
    queryFn: ({ signal }) =>
      api.get<ItemPage>(`${buildPath(deletion.plan.id)}/items`, { ...query, limit: ITEMS_PAGE }, signal),
    refetchInterval: live ? WATCH_MS : false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** A change of a deletion also changes its items and the lists. */
function useRefreshDeletions() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['deletions'] });
    void client.invalidateQueries({ queryKey: queryKeys.jobs });
    void client.invalidateQueries({ queryKey: queryKeys.panic });
  };
}

export function useMakePlan() {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: async (request: PlanRequest) =>
      (await api.post<{ plan: DeletionPlan }>('/api/deletions/plans', request)).plan,
    onSuccess: refresh,
  });
}

export function useDiscardPlan() {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/api/deletions/plans/${encodeURIComponent(id)}`),
    onSuccess: refresh,
  });
}

export function useStartDeletion() {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (confirmation: Confirmation) => api.post<{ deletion: Deletion }>('/api/deletions', confirmation),
    onSettled: refresh,
  });
}

/** The second person's approval: request it, answer it, or withdraw the request. */
export function useApproval(id: string) {
  const refresh = useRefreshDeletions();
  const approval = `${buildPath(id)}/approval`;
  return {
    request: useMutation({
      mutationFn: (request: ApprovalRequest) => api.post(approval, request),
      onSettled: refresh,
    }),
    decide: useMutation({
      mutationFn: (decision: ApprovalDecision) => api.post(`${approval}/decision`, decision),
      onSettled: refresh,
    }),
    withdraw: useMutation({ mutationFn: () => api.delete(approval), onSettled: refresh }),
  };
}

export function useUndo(id: string) {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (request: Partial<UndoRequest>) => api.post<{ deletion: Deletion }>(`${buildPath(id)}/undo`, request),
    onSettled: refresh,
  });
}

/** Compares the servers that answer now with those of the plan. It asks the live servers, so nothing is cached. */
export function useCompareServers(id: string) {
  return useQuery({
    queryKey: queryKeys.deletionServers(id),
    queryFn: async ({ signal }) =>
      (await api.get<{ servers: ServerComparison }>(`${buildPath(id)}/server`, undefined, signal)).servers,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useAcceptServer(id: string) {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (acceptance: ServerAcceptance) =>
      api.post<{ deletion: Deletion }>(`${buildPath(id)}/server`, acceptance),
    onSettled: refresh,
  });
}

/** Gives up the renamed keys of an instance whose server is lost. */
export function useGiveUp(instanceId: string) {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (request: GiveUp) =>
      api.post<{ givenUp: GivenUp }>(`/api/instances/${encodeURIComponent(instanceId)}/give-up`, request),
    onSettled: refresh,
  });
}

export function useEmergencyStopState() {
  return useQuery({
    queryKey: queryKeys.panic,
    queryFn: async ({ signal }) =>
      (await api.get<{ panic: EmergencyStopState }>('/api/panic', undefined, signal)).panic,
    refetchInterval: 10_000,
  });
}

/** Stops everything, an instance or one deletion at once; `lift` clears the stop of everything or of an instance. */
export function useEmergencyStop() {
  const refresh = useRefreshDeletions();
  return useMutation({
    mutationFn: (stop: { instanceId?: string; deletionId?: string; lift?: boolean }) => {
      if (stop.deletionId) return api.post(`${buildPath(stop.deletionId)}/panic`);
      if (!stop.lift) return api.post('/api/panic', stop.instanceId ? { instanceId: stop.instanceId } : {});
      return api.delete(`/api/panic${stop.instanceId ? `?instanceId=${encodeURIComponent(stop.instanceId)}` : ''}`);
    },
    onSettled: refresh,
  });
}

/** The newest search for internal keys and what it found. It asks no Redis server; polled while the search runs. */
export function useLeftovers(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.leftovers(instanceId),
    queryFn: ({ signal }) => api.get<LeftoversAnswer>(buildLeftoversPath(instanceId), undefined, signal),
    refetchInterval: (q) => (isActive(q.state.data?.search ?? null) ? WATCH_MS : false),
  });
}

export function useSearchLeftovers(instanceId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.post<{ job: Job }>(buildLeftoversPath(instanceId))).job,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.leftovers(instanceId) });
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}

const buildLeftoversPath = (instanceId: string) => `/api/instances/${encodeURIComponent(instanceId)}/leftovers`;
