import type { FindingsScope } from '@/components/data/queries/use-findings';
import type { KeyFilter } from '@/lib/model/filter';

type OverviewQuery = KeyFilter & { delimiter?: string };

/**
 * The query of the overview's reports, used by the page and for the first HTML. The overview always splits names at `:`,
 * whatever delimiter the address has for other pages; only a template needs the delimiter that it was built with.
 */
export function toOverviewQuery({ delimiter, ...filter }: OverviewQuery): OverviewQuery {
  return delimiter && filter.template ? { ...filter, delimiter } : filter;
}

/** The filter fields that findings, and so the score, support. */
export const SCORE_FIELDS = ['prefix', 'template', 'owner'] as const satisfies readonly (keyof KeyFilter)[];

/** The part of the filter that the score supports. */
export function toScoreScope(filter: OverviewQuery): FindingsScope {
  const { prefix, template, owner, delimiter } = toOverviewQuery(filter);
  const scope = { prefix, template, owner, delimiter };
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value));
}
