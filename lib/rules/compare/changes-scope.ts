import { FILTER_NAMES } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { wellFormed } from '@/lib/model/text/well-formed';
import type { Zone } from '@/lib/rules/policy/zones';
import { literalPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { nextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { templateRange } from '@/lib/snapshots/key-query/template-range';
import type { Where } from '@/lib/snapshots/key-query/where-clause';

/**
 * The part of the keyspace that a comparison is about: a prefix, a folded path, a team's keys. The name alone decides
 * whether a key belongs to it, so a key is in both snapshots' parts or in neither, and the comparison is exact. With
 * parts by type, size or expiry it would not be exact: a key that grew would be new to the part without being new.
 */
export type ChangeScope = Pick<ReportQuery, 'prefix' | 'template' | 'owner' | 'delimiter'>;

const BY_NAME: readonly string[] = ['prefix', 'template', 'owner'];

/** null: the query filters by something other than names. A scope without fields means all keys. */
export function changeScopeOf(query: ReportQuery): ChangeScope | null {
  const asked = FILTER_NAMES.filter((name) => {
    const value = query[name];
    return value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  if (asked.some((name) => !BY_NAME.includes(name))) return null;
  const { prefix, template, owner, delimiter } = query;
  return {
    ...(prefix && { prefix }),
    ...(template && { template, ...(delimiter && { delimiter }) }),
    ...(owner !== undefined && { owner }),
  };
}

const later = (a: string, b: string) => (Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 ? b : a);
/** The earlier of two ends; null means open. */
const earlier = (a: string | null, b: string | null) => (a === null ? b : b !== null && later(a, b) === a ? b : a);

/**
 * Limits the zones to the ranges of names in the scope. The rest of a folded path is checked for each name
 * (`addScope`).
 */
export function zonesWithin(zones: readonly Zone[], { prefix, template, owner, delimiter }: ChangeScope): Zone[] {
  const beginnings = [wellFormed(prefix ?? '')];
  if (template)
    beginnings.push(literalPrefix(parsePath(wellFormed(template), delimiter ?? ':'), delimiter ?? ':').text);
  const team = owner === '-' ? null : owner;
  return zones.flatMap((zone) => {
    if (team !== undefined && zone.owner !== team) return [];
    const from = beginnings.reduce(later, zone.from);
    const to = beginnings.reduce((end, text) => earlier(end, nextPrefix(text)), zone.to);
    return to !== null && later(from, to) === from ? [] : [{ ...zone, from, to }];
  });
}

export function addScope(where: Where, { template, delimiter }: ChangeScope): void {
  if (template) templateRange(where, wellFormed(template), delimiter ?? ':');
}
