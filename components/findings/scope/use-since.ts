import { useQueryState } from 'nuqs';
import { SINCE_PARAMS, toSince } from './scope-params';

/** The snapshot since which findings count as new, kept in the address; none = the scan before. */
export function useSince() {
  const [since, setSince] = useQueryState('since', SINCE_PARAMS.since.withOptions({ history: 'push' }));
  return { since, sinceQuery: toSince({ since }), setSince: (next: string | null) => void setSince(next) };
}
