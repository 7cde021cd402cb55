import { AppError } from '@/lib/model/errors';
import { findNearestName } from '@/lib/model/text/nearest-name';

/**
 * Checks the requested sort order of an answer: a name in `sorts`, with `-` before it for descending. Errors:
 * `bad_request` for an unknown name, because a silent fallback would be taken for the requested order.
 */
export function parseSort(requested: string | undefined, sorts: object, fallback: string): string {
  const sort = requested ?? fallback;
  const name = sort.replace(/^-/, '');
  if (Object.hasOwn(sorts, name)) return sort;
  const known = Object.keys(sorts);
  const nearest = findNearestName(name, known);
  throw new AppError(
    'bad_request',
    `sort: ${name} is not a column to sort by. ${nearest === null ? `Choose one of ${known.join(', ')}.` : `Did you mean ${nearest}?`}`,
    { field: 'sort', nearest },
  );
}
