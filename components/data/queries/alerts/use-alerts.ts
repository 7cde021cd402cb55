import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { buildKey } from '@/components/data/build-key';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { AlertRuleInput, SilenceInput } from '@/lib/model/alerts/alert';

/** New alerts are shown within this time, ms. */
const REFRESH_MS = 15_000;

export const useAlerts = (state: 'open' | 'resolved') =>
  useInfiniteQuery({
    queryKey: buildKey('GET /api/alerts', { query: { state } }),
    queryFn: ({ signal, pageParam }) =>
      api('GET /api/alerts', { query: { state, cursor: pageParam ?? undefined } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: REFRESH_MS,
  });

export const useAcknowledgeAlert = () =>
  useMutation({
    mutationFn: (id: string) => api('POST /api/alerts/{id}/acknowledge', { id }),
    onSettled: useRefresh('GET /api/alerts'),
  });

export const useAlertRules = () =>
  useQuery({ ...queryApi('GET /api/alerts/rules', {}), select: ({ rules }) => rules, staleTime: 30_000 });

/** Adds a rule, or changes the one of `id`. */
export const useSaveAlertRule = () =>
  useMutation({
    mutationFn: ({ id, body }: { id: string | null; body: AlertRuleInput }) =>
      id === null ? api('POST /api/alerts/rules', { body }) : api('PUT /api/alerts/rules/{id}', { id, body }),
    onSettled: useRefresh('GET /api/alerts/rules', 'GET /api/alerts'),
  });

export const useRemoveAlertRule = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/alerts/rules/{id}', { id }),
    onSettled: useRefresh('GET /api/alerts/rules', 'GET /api/alerts'),
  });

export const useSilences = () =>
  useQuery({ ...queryApi('GET /api/alerts/silences', {}), select: ({ silences }) => silences, staleTime: 30_000 });

export const useAddSilence = () =>
  useMutation({
    mutationFn: (body: SilenceInput) => api('POST /api/alerts/silences', { body }),
    onSettled: useRefresh('GET /api/alerts/silences', 'GET /api/alerts'),
  });

export const useEndSilence = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/alerts/silences/{id}', { id }),
    onSettled: useRefresh('GET /api/alerts/silences', 'GET /api/alerts'),
  });
