import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { FindingsScope } from '@/components/data/queries/use-findings';
import { SCOPE_PARAMS, toScope } from './scope-params';

/** The part of the keyspace that findings are limited to, kept in the address. */
export function useScope() {
  const [values, setValues] = useQueryStates(SCOPE_PARAMS, { history: 'push' });
  const scope = useMemo<FindingsScope>(() => toScope(values), [values]);
  return {
    scope,
    set: (next: FindingsScope) =>
      void setValues({ prefix: next.prefix ?? null, template: next.template ?? null, owner: next.owner ?? null }),
  };
}
