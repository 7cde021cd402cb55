import { parseAsString } from 'nuqs/server';
import type { FindingsScope } from '@/components/data/queries/use-findings';

/** Which part of the keyspace findings are asked about, in the address: read by the page and for the first HTML. */
export const SCOPE_PARAMS = {
  prefix: parseAsString,
  template: parseAsString,
  owner: parseAsString,
  delimiter: parseAsString,
};

/** Nothing empty; a delimiter only beside the template that was cut by it. */
export function scopeOf(values: { [K in keyof FindingsScope]?: string | null }): FindingsScope {
  const { delimiter, ...asked } = values;
  const all = { ...asked, delimiter: asked.template ? delimiter : null };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}
