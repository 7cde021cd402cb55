import { foldSegment } from '@/lib/model/names/fold-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { GroupFinding } from '@/lib/model/rules/findings';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { listOwnedPrefixes, parseOwner } from '@/lib/rules/policy/owned-prefixes';
import { type PathPart, parsePath } from '@/lib/snapshots/key-query/folded-path';

/**
 * Decides which groups are about the keys of a query. A group is reported as a whole. A group on the path is in the
 * part. A group that begins above the path, or whose names may be anywhere (those of a hash tag), may have keys in it
 * or none. With a filter by type, database or size it is unknown which keys of a group match. A group without keys
 * (published messages) is about the whole.
 */
export interface GroupPart {
  /** True if all keys of the group are in the part. */
  holds(group: GroupFinding): boolean;
  /** True if `holds` is false and some keys of the group may be in the part. */
  mayHold(group: GroupFinding): boolean;
}

/** Fields that change how an answer looks, not which keys it is about. */
const NOT_ABOUT_KEYS = new Set(['sort', 'limit', 'cursor', 'delimiter', 'fold', 'masters', 'days', 'buckets']);
const PLACES = new Set(['prefix', 'template', 'owner']);
const DELIMITER = ':';

/** null: the query is about all keys. */
export function parseGroupPart(compiled: CompiledPolicy, query: ReportQuery): GroupPart | null {
  const given = Object.entries(query).flatMap(([field, value]) =>
    value === undefined || NOT_ABOUT_KEYS.has(field) || (Array.isArray(value) && value.length === 0) ? [] : [field],
  );
  if (given.some((field) => !PLACES.has(field))) return { holds: () => false, mayHold: ({ keys }) => keys > 0 };
  const path = query.template ?? query.prefix ?? '';
  if (path === '' && query.owner === undefined) return null;
  const team = parseOwner(query.owner);
  const holds = (group: GroupFinding) =>
    group.keys > 0 && (group.path ?? group.subject).startsWith(path) && (team === undefined || group.owner === team);
  const teamPrefixes = listOwnedPrefixes(compiled.policy)
    .filter((owner) => owner.team === team)
    .map(({ prefix }) => prefix);
  const mayBeOfTeam = (group: GroupFinding) =>
    team === undefined ||
    group.owner === team ||
    (team !== null && teamPrefixes.some((prefix) => mayMeet(group, prefix)));
  return { holds, mayHold: (group) => group.keys > 0 && !holds(group) && mayMeet(group, path) && mayBeOfTeam(group) };
}

/** Whether some names of the group may begin with `path`. */
function mayMeet(group: GroupFinding, path: string): boolean {
  // Names without a delimiter are the group without a path and with an empty subject. Other groups without a path may
  // have any name.
  if (group.path === null) return group.subject !== '' || !path.includes(DELIMITER);
  const [groupSegments, pathSegments] = [listSegments(group.path), listSegments(path)];
  const shorter = Math.min(groupSegments.length, pathSegments.length);
  for (let i = 0; i < shorter; i++) {
    const [a, b] = [groupSegments[i]!, pathSegments[i]!];
    // After the last delimiter there is only the beginning of a segment.
    const isBeginning = i === groupSegments.length - 1 || i === pathSegments.length - 1;
    if ('text' in a && 'text' in b) {
      if (isBeginning ? !a.text.startsWith(b.text) && !b.text.startsWith(a.text) : a.text !== b.text) return false;
    } else if (!isBeginning && getForm(a) !== getForm(b)) return false;
  }
  return true;
}

function listSegments(path: string): PathPart[] {
  const { parts, tail } = parsePath(path, DELIMITER);
  return [...parts, tail];
}

const getForm = (part: PathPart) => ('form' in part ? part.form : foldSegment(part.text));
