import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { wholeCharacters } from '@/lib/model/whole-characters';
import { toColumns } from './columns-of-rows';

/**
 * What a page sends of its answers; without any rather than not at all. Half a character would be another text in the
 * browser than in the HTML.
 */
export function textOfAnswers(client: QueryClient): string {
  try {
    return wholeCharacters(JSON.stringify(packed(dehydrate(client))));
  } catch {
    return JSON.stringify(dehydrate(new QueryClient()));
  }
}

function packed({ queries, ...state }: DehydratedState): object {
  const sent = queries.map((query) => {
    const columns = toColumns(query.state.data);
    return columns === null ? query : { ...query, state: { ...query.state, data: columns.packed }, inColumns: true };
  });
  return { ...state, queries: sent };
}
