import type { FindingsScope } from '@/components/data/queries/use-findings';
import type { KeyFilter } from '@/lib/model/filter';

type Asked = KeyFilter & { delimiter?: string };

/**
 * What the overview asks its reports by, here and for the first HTML. It is cut by `:` whatever the address says of
 * other pages; only a template means something together with the delimiter it was cut by.
 */
export function overviewQuery({ delimiter, ...filter }: Asked): Asked {
  return delimiter && filter.template ? { ...filter, delimiter } : filter;
}

/** All of a filter that findings, and so the score, can be asked by. */
export const SCORE_FIELDS = ['prefix', 'template', 'owner'] as const satisfies readonly (keyof KeyFilter)[];

export function scoreScope(asked: Asked): FindingsScope {
  const { prefix, template, owner, delimiter } = overviewQuery(asked);
  const scope = { prefix, template, owner, delimiter };
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value));
}
