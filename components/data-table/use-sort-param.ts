import { parseAsString, useQueryState } from 'nuqs';
import type { TableOrder } from './data-column';

/** The order of a page's own table, in the address so that a view can be shared. '' is the order it came in. */
export function useSortParam(standard = ''): TableOrder {
  const [sort, setSort] = useQueryState('sort', parseAsString.withDefault(standard));
  return { sort, onSort: (next) => void setSort(next === '' ? null : next) };
}
