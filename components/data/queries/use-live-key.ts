import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';

/** The facts of the key on the live server. */
export const useLiveKey = (id: string, k: string, db: number) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/keys/{k}', { id, k, query: { db } }),
    select: ({ key }) => key,
    staleTime: 10_000,
  });

/**
 * Reads a bounded part of the key's value. Each read is recorded in the audit log, so it is never repeated
 * automatically.
 */
export const useReadValue = (id: string, k: string, db: number) =>
  useMutation({
    mutationFn: async (reason: string | null) =>
      (await api('POST /api/instances/{id}/keys/{k}/value', { id, k, body: { db, reason } })).key,
  });
