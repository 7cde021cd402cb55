import { inWordsSql } from '@/lib/model/keys/in-list-sql';
import { KEY_TYPES } from '@/lib/model/keys/key-types';
import type { CustomRule } from '@/lib/model/rules/policy';
import type { Fact } from '@/lib/model/rules/vocabulary';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { beginsWithSql } from '@/lib/snapshots/key-query/limit-to-prefix';
import { parseTemplate } from './template';
import type { SqlContext } from './types';

/** Predicate for keys that violate a custom rule of a team, in the same form as the predicates of the catalogue. */
export function customViolatedSql(rule: CustomRule, sql: SqlContext): string {
  return `(${withinPrefixSql(rule, sql)}${violatedSql(rule, sql)})`;
}

/**
 * Predicate for keys where a fact that the rule needs is unknown: the column, or the type if the rule covers only some
 * types.
 */
export function customUnknownSql(rule: CustomRule, sql: SqlContext): string {
  if (rule.check !== 'threshold') return 'false';
  const unknown = unknownSql(rule, sql);
  if (rule.types.length === 0 && unknown === 'false') return 'false';
  const within = withinPrefixSql(rule, sql);
  const notEvaluated = `${typesSql(rule.types, sql)}${unknown}`;
  if (rule.types.length === 0) return `(${within}${notEvaluated})`;
  return `(${within}((${notEvaluated}) OR (type IS NULL AND (${unknown} OR ${outOfBoundsSql(rule, sql)}))))`;
}

const withinPrefixSql = ({ prefix }: CustomRule, sql: SqlContext) =>
  prefix === '' ? '' : `${beginsWithSql(toWellFormed(prefix), sql.text)} AND `;

/** The facts of a key that the rule needs. */
export function listCustomFacts(rule: CustomRule): Fact[] {
  if (rule.check !== 'threshold') return [];
  const { fact } = COLUMNS[rule.column];
  return [...(rule.types.length > 0 ? (['type'] as const) : []), ...(fact === null ? [] : [fact])];
}

/** Whether the name alone is enough to evaluate the rule. */
export const isCustomNameOnly = (rule: CustomRule) =>
  rule.check !== 'threshold' || rule.column === 'nameBytes' || rule.column === 'segments';

type ThresholdRule = Extract<CustomRule, { check: 'threshold' }>;

const COLUMNS: Record<
  ThresholdRule['column'],
  { of: (sql: SqlContext) => string; fact: Fact | null; unknown: string }
> = {
  nameBytes: { of: () => 'name_bytes', fact: null, unknown: 'false' },
  segments: { of: (sql) => sql.segments, fact: null, unknown: 'false' },
  bytes: { of: () => 'bytes', fact: 'bytes', unknown: 'bytes IS NULL' },
  length: { of: () => 'length', fact: 'length', unknown: 'length IS NULL' },
  ttlSeconds: { of: (sql) => `((expire_at - ${sql.asOf}) / 1000.0)`, fact: 'ttl', unknown: 'NOT expiry_known' },
  // On a replica the recorded idle time is an upper bound: the key may have been read on the master since.
  idleSeconds: { of: () => 'idle_seconds', fact: 'idle', unknown: 'idle_seconds IS NULL' },
};

function unknownSql(rule: ThresholdRule, sql: SqlContext): string {
  const { unknown } = COLUMNS[rule.column];
  if (rule.column !== 'idleSeconds' || rule.atMost === null || sql.replicaNodes.length === 0) return unknown;
  return `(${unknown} OR (${onReplicaSql(sql)} AND idle_seconds > ${sql.real(rule.atMost)}))`;
}

const onReplicaSql = (sql: SqlContext) => `node IN (${sql.replicaNodes.map(Number).join(', ')})`;

// Not IN: for a long list the database builds a join, which returns the rows in another order than the file has them.
const typesSql = (types: readonly string[], sql: SqlContext) =>
  types.length === 0
    ? ''
    : `coalesce(list_contains([${types.map((type) => sql.text(type)).join(', ')}], type), false) AND `;

function violatedSql(rule: CustomRule, sql: SqlContext): string {
  switch (rule.check) {
    case 'regex': {
      const match = `regexp_matches(name, ${sql.text(rule.pattern)})`;
      return rule.must === 'match' ? `NOT ${match}` : match;
    }
    case 'template': {
      const { pattern, typeSegment, segments } = parseTemplate(rule.template, sql.delimiterText);
      const match = `NOT regexp_full_match(name, ${sql.text(pattern)})`;
      // A pattern cannot say "anything but these two characters", but the number of segments can. The values are bound
      // only in this case, because a statement refuses values that it does not use.
      const countAndMatch = () => {
        const all = `len(${sql.parts})`;
        return `(${all} <> ${sql.segments} OR ${all} < ${sql.int(segments.atLeast)} OR ${all} > ${sql.int(segments.atMost)} OR ${match})`;
      };
      const form = sql.delimiterText.length === 1 ? match : countAndMatch();
      if (typeSegment === null) return form;
      const segment = `lower(${sql.parts}[${typeSegment}])`;
      return `(${form} OR coalesce(${inWordsSql('type', KEY_TYPES)} AND ${segment} <> type, false))`;
    }
    case 'threshold':
      return `(${typesSql(rule.types, sql)}${outOfBoundsSql(rule, sql)})`;
  }
}

function outOfBoundsSql(rule: ThresholdRule, sql: SqlContext): string {
  const column = COLUMNS[rule.column].of(sql);
  const onlyMasters =
    rule.column === 'idleSeconds' && sql.replicaNodes.length > 0 ? ` AND NOT ${onReplicaSql(sql)}` : '';
  const bounds = [
    ...(rule.atMost === null ? [] : [`${column} > ${sql.real(rule.atMost)}${onlyMasters}`]),
    // A key that never expires lives longer than any number allows.
    ...(rule.atMost !== null && rule.column === 'ttlSeconds' ? ['(expire_at IS NULL AND expiry_known)'] : []),
    ...(rule.atLeast === null ? [] : [`${column} < ${sql.real(rule.atLeast)}`]),
  ];
  return `coalesce(${bounds.length === 0 ? 'false' : bounds.join(' OR ')}, false)`;
}
