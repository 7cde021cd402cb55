import { parseAsString, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { FindingsScope } from '@/components/data/queries/use-findings';

const parsers = { prefix: parseAsString, template: parseAsString, owner: parseAsString };

/** Which part of the keyspace is looked at; it lives in the address. */
export function useScope() {
  const [values, setValues] = useQueryStates(parsers, { history: 'push' });
  const scope = useMemo<FindingsScope>(
    () => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
    [values],
  );
  return {
    scope,
    set: (next: FindingsScope) =>
      void setValues({ prefix: next.prefix ?? null, template: next.template ?? null, owner: next.owner ?? null }),
  };
}
