import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api, buildApiUrl } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { ComparedGroupsQuery, ComparedKeysQuery, ComparisonQuery } from '@/lib/model/comparison/comparison';
import type { FileFormat } from '@/lib/model/reports/file-formats';

/** While a worker compares keys and findings, they are requested again after this long, in ms. */
const WAITING_MS = 1_500;

export const useComparison = (id: string | null, query: ComparisonQuery | null) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}/compare', { id: id ?? '', query: query ?? {} }),
    enabled: id !== null && query !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.keys === null || data.rules === null) ? WAITING_MS : false,
  });

export const useComparedGroups = (id: string, query: ComparedGroupsQuery) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}/compare/groups', { id, query }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const useComparedKeys = (id: string, query: ComparedKeysQuery, enabled: boolean) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}/compare/keys', { id, query }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) => (data?.waiting ? WAITING_MS : false),
  });

export const comparedGroupsUrl = (id: string, query: ComparedGroupsQuery & { format: FileFormat }): string =>
  buildApiUrl('GET /api/snapshots/{id}/compare/groups', { id, query });

export const comparedKeysUrl = (id: string, query: ComparedKeysQuery & { format: FileFormat }): string =>
  buildApiUrl('GET /api/snapshots/{id}/compare/keys', { id, query });

export const useKeyHistory = (instanceId: string, k: string, db: number) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/keys/{k}/history', { id: instanceId, k, query: { db } }),
    staleTime: 60_000,
  });

export const useSetBaseline = (instanceId: string) =>
  useMutation({
    mutationFn: (snapshotId: string | null) =>
      api('PUT /api/instances/{id}/baseline', { id: instanceId, body: { snapshotId } }),
    onSuccess: useRefresh('GET /api/instances/{id}/snapshots', 'GET /api/snapshots/{id}/reports/findings'),
  });
