import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryApi } from '@/components/data/query-api';
import type { Catalogue, RuleInfo } from '@/lib/model/rules/rules';

const NONE: ReadonlyMap<string, RuleInfo> = new Map();

/** The rules of the standards. They do not change while the server runs. */
export function useRules(): { byId: ReadonlyMap<string, RuleInfo>; catalogue: Catalogue | null } {
  const { data } = useQuery({ ...queryApi('GET /api/rules', {}), staleTime: Number.POSITIVE_INFINITY });
  const byId = useMemo(() => (data ? new Map(data.rules.map((rule) => [rule.id, rule])) : NONE), [data]);
  return { byId, catalogue: data ?? null };
}
