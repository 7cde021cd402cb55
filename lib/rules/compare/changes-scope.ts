import { FILTER_NAMES } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { parseOwner } from '@/lib/rules/policy/owned-prefixes';
import type { Zone } from '@/lib/rules/policy/zones';
import type { CommonPart } from '@/lib/snapshots/compare/common-part';
import { findLiteralPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { limitToTemplate } from '@/lib/snapshots/key-query/limit-to-template';
import { compareNameBytes } from '@/lib/snapshots/key-query/name-range';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import type { Where } from '@/lib/snapshots/key-query/where-clause';

/**
 * The part of the keyspace that a comparison is about: a prefix, a folded path, a team's keys. The name alone decides
 * whether a key belongs to it, so a key is in both snapshots' parts or in neither, and the comparison is exact. With
 * parts by type, size or expiry it would not be exact: a key that grew would be new to the part without being new.
 */
export type ChangeScope = Pick<ReportQuery, 'prefix' | 'template' | 'owner' | 'delimiter'>;

const SUPPORTED: readonly string[] = ['prefix', 'template', 'owner'];

/**
 * null: the query has a filter that the comparison does not support; some of these are also about names (search, exact,
 * length, slot, hash tag). A scope without fields means all keys.
 */
export function toChangeScope(query: ReportQuery): ChangeScope | null {
  const given = FILTER_NAMES.filter((name) => {
    const value = query[name];
    return value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  if (given.some((name) => !SUPPORTED.includes(name))) return null;
  const { prefix, template, owner, delimiter } = query;
  return {
    ...(prefix && { prefix }),
    ...(template && { template, ...(delimiter && { delimiter }) }),
    ...(owner !== undefined && { owner }),
  };
}

const pickLaterName = (a: string, b: string) => (compareNameBytes(a, b) < 0 ? b : a);
/** The earlier of two ends; null means that the range has no end. */
const pickEarlierEnd = (a: string | null, b: string | null) =>
  a === null ? b : b !== null && pickLaterName(a, b) === a ? b : a;

/**
 * Limits the zones to the ranges of names in the scope and in the common part of the two snapshots. The rest of a folded path is checked for each name
 * (`limitToScopeTemplate`).
 */
export function limitZones(
  zones: readonly Zone[],
  { prefix, template, owner, delimiter }: ChangeScope,
  common: CommonPart,
): Zone[] {
  const beginnings = [toWellFormed(prefix ?? ''), toWellFormed(common.prefix)];
  if (template)
    beginnings.push(findLiteralPrefix(parsePath(toWellFormed(template), delimiter ?? ':'), delimiter ?? ':').text);
  const team = parseOwner(owner);
  return zones.flatMap((zone) => {
    if (team !== undefined && zone.owner !== team) return [];
    const from = beginnings.reduce(pickLaterName, zone.from);
    const to = beginnings.reduce((end, text) => pickEarlierEnd(end, findNextPrefix(text)), zone.to);
    return to !== null && pickLaterName(from, to) === from ? [] : [{ ...zone, from, to }];
  });
}

/** Adds the condition of the folded path. `limitZones` has limited the zones to the ranges of names already. */
export function limitToScopeTemplate(where: Where, { template, delimiter }: ChangeScope): void {
  if (template) limitToTemplate(where, toWellFormed(template), delimiter ?? ':');
}
