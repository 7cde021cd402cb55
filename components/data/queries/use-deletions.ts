import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { AnswerOf, SentTo } from '@/app/api/routes';
import { api, buildApiUrl } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { ApprovalDecision, ApprovalRequest } from '@/lib/model/deletions/approval';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { Confirmation, GiveUp, PlanRequest } from '@/lib/model/deletions/plan-request';
import { isActive } from '@/lib/model/job-states';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ServerAcceptance } from '@/lib/model/servers/server-identity';
import { buildItemsQuery } from './deletion-items-key';

/** Polling interval while a deletion runs, ms: people watch it. */
const WATCH_MS = 1000;
export type WatchedDeletion = AnswerOf<'GET /api/deletions/{id}'>['deletion'];

export const useDeletions = (instanceId: string) =>
  useQuery({
    ...queryApi('GET /api/deletions', { query: { instanceId } }),
    select: ({ deletions }) => deletions,
    refetchInterval: (q) => (q.state.data?.deletions.some(({ job }) => isActive(job)) ? 2 * WATCH_MS : 30_000),
  });

/** Address of a file with all keys of a plan or deletion, or those in one state. */
export const itemsFileUrl = (id: string, state: ItemState | undefined, format: FileFormat): string =>
  buildApiUrl('GET /api/deletions/{id}/items', { id, query: { state, format } });

export const useDeletion = (id: string) =>
  useQuery({
    ...queryApi('GET /api/deletions/{id}', { id }),
    select: ({ deletion }) => deletion,
    refetchInterval: (q) => (q.state.data && isActive(q.state.data.deletion.job) ? WATCH_MS : 5 * WATCH_MS),
  });

/**
 * The keys of a deletion, one page of fifty. They are requested every second while the deletion is `live`, and again
 * whenever it differs.
 */
export function useDeletionItems(
  deletion: WatchedDeletion,
  query: { state?: ItemState | undefined; cursor?: string | undefined },
  live: boolean,
) {
  const { sent, version } = buildItemsQuery(deletion, query, live);
  const { queryKey, queryFn } = queryApi('GET /api/deletions/{id}/items', sent);
  return useQuery({
    queryKey: [...queryKey, version],
    queryFn,
    refetchInterval: live ? WATCH_MS : false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** A change of a deletion also changes its items and the lists. */
function useRefreshDeletions(): () => void {
  const refresh = useRefresh(
    'GET /api/deletions',
    'GET /api/deletions/{id}',
    'GET /api/deletions/{id}/items',
    'GET /api/deletions/{id}/server',
    'GET /api/jobs',
    'GET /api/jobs/{id}',
    'GET /api/panic',
  );
  return () => void refresh();
}

export const useMakePlan = () =>
  useMutation({
    mutationFn: async (body: PlanRequest) => (await api('POST /api/deletions/plans', { body })).plan,
    onSuccess: useRefreshDeletions(),
  });

export const useDiscardPlan = () => {
  const refresh = useRefresh('GET /api/deletions');
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/deletions/plans/{id}', { id }),
    // The page of the plan still shows it until the next page has come, and must not ask for it again.
    onSuccess: () => void refresh(),
  });
};

export const useStartDeletion = () =>
  useMutation({
    mutationFn: (body: Confirmation) => api('POST /api/deletions', { body }),
    onSettled: useRefreshDeletions(),
  });

/** The second person's approval: request it, answer it, or withdraw the request. */
export function useApproval(id: string) {
  const onSettled = useRefreshDeletions();
  return {
    request: useMutation({
      mutationFn: (body: ApprovalRequest) => api('POST /api/deletions/{id}/approval', { id, body }),
      onSettled,
    }),
    decide: useMutation({
      mutationFn: (body: ApprovalDecision) => api('POST /api/deletions/{id}/approval/decision', { id, body }),
      onSettled,
    }),
    withdraw: useMutation({ mutationFn: () => api('DELETE /api/deletions/{id}/approval', { id }), onSettled }),
  };
}

export const useUndo = (id: string) =>
  useMutation({
    mutationFn: (body: SentTo<'POST /api/deletions/{id}/undo'>['body']) =>
      api('POST /api/deletions/{id}/undo', { id, body }),
    onSettled: useRefreshDeletions(),
  });

/** Compares the servers that answer now with those of the plan. It asks the live servers, so nothing is cached. */
export const useCompareServers = (id: string) =>
  useQuery({
    ...queryApi('GET /api/deletions/{id}/server', { id }),
    select: ({ servers }) => servers,
    staleTime: 0,
    gcTime: 0,
  });

export const useAcceptServer = (id: string) =>
  useMutation({
    mutationFn: (body: ServerAcceptance) => api('POST /api/deletions/{id}/server', { id, body }),
    onSettled: useRefreshDeletions(),
  });

/** Gives up the renamed keys of an instance whose server is lost. */
export const useGiveUp = (id: string) =>
  useMutation({
    mutationFn: (body: GiveUp) => api('POST /api/instances/{id}/give-up', { id, body }),
    onSettled: useRefreshDeletions(),
  });

export const useEmergencyStopState = () =>
  useQuery({ ...queryApi('GET /api/panic', {}), select: ({ panic }) => panic, refetchInterval: 10_000 });

/** Stops everything, an instance or one deletion at once; `lift` clears the stop of everything or of an instance. */
export const useEmergencyStop = () =>
  useMutation({
    mutationFn: ({ deletionId, instanceId, lift }: { instanceId?: string; deletionId?: string; lift?: boolean }) => {
      if (deletionId) return api('POST /api/deletions/{id}/panic', { id: deletionId });
      return lift
        ? api('DELETE /api/panic', { query: { instanceId } })
        : api('POST /api/panic', { body: { instanceId } });
    },
    onSettled: useRefreshDeletions(),
  });

/** The newest search for internal keys and what it found. It asks no Redis server; polled while the search runs. */
export const useLeftovers = (id: string) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/leftovers', { id }),
    refetchInterval: (q) => (isActive(q.state.data?.search ?? null) ? WATCH_MS : false),
  });

export const useSearchLeftovers = (id: string) =>
  useMutation({
    mutationFn: async () => (await api('POST /api/instances/{id}/leftovers', { id })).job,
    onSettled: useRefresh('GET /api/instances/{id}/leftovers', 'GET /api/jobs'),
  });
