import { literalPrefix, parsePath } from '@/lib/key-query/folded-path';
import type { ReportQuery } from '@/lib/model/reports/query';

/** What shapes an answer without changing which keys it is about. */
const SHAPING = new Set(['prefix', 'template', 'sort', 'limit', 'masters', 'delimiter', 'fold', 'days', 'buckets']);

const isSet = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * The node of the tree a query is about, as a key: the same for `prefix` and `template` where they mean the same keys.
 * null when the query filters by anything else, so that its answer belongs to no node.
 */
export function nodeOf(query: ReportQuery): string | null {
  for (const [field, value] of Object.entries(query)) if (isSet(value) && !SHAPING.has(field)) return null;
  if (query.delimiter !== undefined && query.delimiter !== ':') return null;
  if (query.fold === false) return null;
  if (query.template && query.prefix) return null;
  if (!query.template) return `=${query.prefix ?? ''}`;
  const literal = literalPrefix(parsePath(query.template, ':'), ':');
  return literal.whole ? `=${literal.text}` : `~${query.template}`;
}
