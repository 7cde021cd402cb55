import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api } from './api';
import { buildKey, type ReadName } from './build-key';

/** The query options of one answer; components with the same options share it. */
export const queryApi = <Name extends ReadName>(route: Name, sent: SentTo<Name>) =>
  queryOptions({ queryKey: buildKey(route, sent), queryFn: ({ signal }) => api(route, sent, signal) });

/** Returns a function that requests all answers of these routes again that are shown, and resolves once they are here. */
export function useRefresh(...routes: ReadName[]): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(routes.map((route) => client.invalidateQueries({ queryKey: buildKey(route) })));
}
