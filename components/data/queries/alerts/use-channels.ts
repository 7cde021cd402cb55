import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { ChannelInput } from '@/lib/model/alerts/channel';

/** `may`: only administrators may see them. */
export const useChannels = (may: boolean) =>
  useQuery({
    ...queryApi('GET /api/channels', {}),
    select: ({ channels }) => channels,
    enabled: may,
    refetchInterval: 15_000,
  });

/** Adds a channel, or changes the one of `id`. */
export const useSaveChannel = () =>
  useMutation({
    mutationFn: ({ id, body }: { id: string | null; body: ChannelInput }) =>
      id === null ? api('POST /api/channels', { body }) : api('PUT /api/channels/{id}', { id, body }),
    onSettled: useRefresh('GET /api/channels', 'GET /api/alerts/rules'),
  });

export const useRemoveChannel = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/channels/{id}', { id }),
    onSettled: useRefresh('GET /api/channels'),
  });

export const useTestChannel = () =>
  useMutation({
    mutationFn: (id: string) => api('POST /api/channels/{id}/test', { id }),
    onSettled: useRefresh('GET /api/channels/{id}/deliveries', 'GET /api/channels'),
  });

/** The log of a channel. While a message waits to be sent now, it is read each second. */
export const useDeliveries = (id: string) =>
  useQuery({
    ...queryApi('GET /api/channels/{id}/deliveries', { id }),
    select: ({ deliveries }) => deliveries,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ state: one, tries }) => one === 'waiting' && tries === 0) ? 1_000 : 10_000,
  });
