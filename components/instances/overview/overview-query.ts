import type { FindingsScope } from '@/components/data/queries/use-findings';
import type { KeyFilter } from '@/lib/model/filter';

type Asked = KeyFilter & { delimiter?: string };

/**
 * The query of the overview's reports, used by the page and for the first HTML. The overview is always cut by `:`,
 * whatever delimiter the address has for other pages; only a template needs the delimiter that it was cut by.
 */
export function toOverviewQuery({ delimiter, ...filter }: Asked): Asked {
  return delimiter && filter.template ? { ...filter, delimiter } : filter;
}

/** The filter fields that findings, and so the score, support. */
export const SCORE_FIELDS = ['prefix', 'template', 'owner'] as const satisfies readonly (keyof KeyFilter)[];

export function toScoreScope(asked: Asked): FindingsScope {
  const { prefix, template, owner, delimiter } = toOverviewQuery(asked);
  const scope = { prefix, template, owner, delimiter };
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value));
}
