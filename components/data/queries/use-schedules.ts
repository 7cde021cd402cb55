import { useMutation, useQuery } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';

/** Workers act every 15 seconds; the page asks as often. */
const REFRESH_MS = 15_000;

export const useSchedules = () =>
  useQuery({
    ...queryApi('GET /api/schedules', {}),
    select: ({ schedules }) => schedules,
    refetchInterval: REFRESH_MS,
  });

/** What the schedules do in the next 24 hours. */
export const useNextDay = () => useQuery({ ...queryApi('GET /api/schedules/next', {}), refetchInterval: REFRESH_MS });

/** The newest runs of all schedules. */
export const useScheduleRuns = () =>
  useQuery({
    ...queryApi('GET /api/schedules/runs', { query: {} }),
    select: ({ runs }) => runs,
    refetchInterval: REFRESH_MS,
  });

/** The next three due times of a cron text; its error says what is wrong with it. */
export const useSchedulePreview = (query: { cron: string; zone: string }) =>
  useQuery({
    ...queryApi('GET /api/schedules/preview', { query }),
    select: ({ next }) => next,
    retry: false,
    placeholderData: (before) => before,
    staleTime: 60_000,
  });

export type ScheduleBody = SentTo<'POST /api/schedules'>['body'];

export function useScheduleActs() {
  const onSuccess = useRefresh('GET /api/schedules', 'GET /api/schedules/next', 'GET /api/schedules/runs');
  return {
    add: useMutation({ mutationFn: (body: ScheduleBody) => api('POST /api/schedules', { body }), onSuccess }),
    change: useMutation({
      mutationFn: ({ id, body }: { id: string; body: ScheduleBody }) => api('PUT /api/schedules/{id}', { id, body }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api('DELETE /api/schedules/{id}', { id }), onSuccess }),
  };
}
