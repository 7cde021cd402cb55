import { parseAsString, useQueryState } from 'nuqs';
import type { TableOrder } from './data-column';

/**
 * The sorting of a page's table, kept in the address so that a view can be shared. '' is the order in which the rows
 * came.
 */
export function useSortParam(defaultSort = ''): TableOrder {
  const [sort, setSort] = useQueryState('sort', parseAsString.withDefault(defaultSort));
  return { sort, onSort: (next) => void setSort(next === '' ? null : next) };
}
