import { useQueryState } from 'nuqs';
import { OVERVIEW_PARAMS } from '@/components/reports/report-params';

export function useMeasure() {
  const [by, set] = useQueryState('by', OVERVIEW_PARAMS.by);
  return { by, setBy: (next: typeof by) => void set(next) };
}
