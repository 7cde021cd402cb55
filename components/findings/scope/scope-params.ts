import { parseAsString } from 'nuqs/server';
import type { FindingsScope } from '@/components/data/queries/use-findings';

/**
 * The part of the keyspace that findings are limited to, kept in the address. The page in the browser and the server
 * that fills the first HTML read it.
 */
export const SCOPE_PARAMS = {
  prefix: parseAsString,
  template: parseAsString,
  owner: parseAsString,
  delimiter: parseAsString,
};

/** The scope without empty values. The delimiter is kept only together with the template that was cut by it. */
export function toScope(values: { [K in keyof FindingsScope]?: string | null }): FindingsScope {
  const all = { ...values, delimiter: values.template ? values.delimiter : null };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

/** The snapshot since which findings count as new; absent = the scan before. No report knows it, so it is no scope. */
export const SINCE_PARAMS = { since: parseAsString };
export const toSince = ({ since }: { since: string | null }): { since?: string } => (since ? { since } : {});
