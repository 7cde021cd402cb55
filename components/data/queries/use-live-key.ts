import { useMutation, useQuery } from '@tanstack/react-query';
import { api, toQueryString } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { LiveKey } from '@/lib/model/keys/live-key';
import type { FileFormat } from '@/lib/model/reports/file-formats';

const pathOf = (instanceId: string, k: string) =>
  `/api/instances/${encodeURIComponent(instanceId)}/keys/${encodeURIComponent(k)}`;

/** The key on the live server: its facts. */
export function useLiveKey(instanceId: string, k: string | null, db: number) {
  return useQuery({
    queryKey: queryKeys.liveKey(instanceId, k ?? '', db),
    queryFn: async ({ signal }) => (await api.get<{ key: LiveKey }>(pathOf(instanceId, k ?? ''), { db }, signal)).key,
    enabled: k !== null,
    staleTime: 10_000,
  });
}

/** Its facts now as a file. */
export const keyFileUrl = (instanceId: string, k: string, db: number, format: FileFormat): string =>
  `${pathOf(instanceId, k)}${toQueryString({ db, format })}`;

/** A bounded part of its value. An act, on record each time: nothing repeats it but a person. */
export function useReadValue(instanceId: string, k: string, db: number) {
  return useMutation({
    mutationFn: async (reason: string | null) =>
      (await api.post<{ key: LiveKey }>(`${pathOf(instanceId, k)}/value`, { db, reason })).key,
  });
}

/** The same as a file: read once more, on record too. */
export function useValueFile(instanceId: string, k: string, db: number) {
  return useMutation({
    mutationFn: (asked: { reason: string | null; format: FileFormat }) =>
      api.post<Blob>(`${pathOf(instanceId, k)}/value`, { db, ...asked }),
  });
}
