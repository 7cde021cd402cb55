import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { inListSql } from '@/lib/model/keys/in-list-sql';
import { getLiteralText, parseGlob } from '@/lib/model/text/glob';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef, Source } from '@/lib/snapshots/query/with-source';
import { ELEMENT_BYTES_SQL } from './element-bytes-sql';
import { buildHexPattern, globSql } from './glob-sql';
import { limitToPathEnd } from './limit-to-nodes';
import { limitToPrefix } from './limit-to-prefix';
import { limitToTemplate } from './limit-to-template';
import type { RuledSource } from './rule-filter';
import { Where } from './where-clause';

/**
 * Values on which a filter depends besides its own fields: the time that TTLs are counted from, rules and thresholds.
 */
export type FilterContext = Pick<RuledSource, 'asOf' | 'ruleFilter'> &
  Pick<SnapshotRef, 'bigkeys'> &
  Partial<Pick<Source, 'live'>> & {
    /** Returns the templates whose names contain the searched text; null: templates cannot decide it. */
    searched?: (filter: KeyFilter, delimiter: string) => readonly string[] | null;
    /** Whether all rows begin with the prefix; only selectKeysWhere knows that. */
    inPrefix?: boolean;
  };

/**
 * Builds the WHERE clause of the common filter. All values are bound; the SQL text depends only on which fields are
 * set. A prefix is a range of the sorted names, so that whole row groups are skipped; never LIKE.
 */
export function buildFilterWhere(filter: KeyFilter, context: FilterContext, delimiter = ':'): Where {
  const { asOf, ruleFilter, bigkeys = STANDARD_THRESHOLDS, live = true } = context;
  const where = new Where([], context.inPrefix);
  const bind = (value: SqlValue) => where.bind(value);
  if (filter.prefix) limitToPrefix(where, filter.prefix);
  if (filter.template) {
    const template = toWellFormed(filter.template);
    limitToTemplate(where, template, delimiter, { hasColumn: !live });
  }
  // If both are set, `exact` applies to the template; the prefix only limits what the template folds.
  if (filter.exact && filter.prefix !== undefined && !filter.template)
    where.and(`name = ${bind(toWellFormed(filter.prefix))}::VARCHAR`);
  if (filter.exact && filter.template) limitToPathEnd(where, filter.template, delimiter);
  if (filter.search) limitToSearch(where, filter.search, context.searched?.(filter, delimiter) ?? null);
  limitToWords(where, 'type', filter.type);
  limitToWords(where, 'encoding', filter.encoding);
  limitToNumbers(where, 'db', filter.db);
  limitToNumbers(where, 'node', filter.node);
  if (filter.expiry === 'none') where.and('expire_at IS NULL AND expiry_known');
  if (filter.expiry === 'unknown') where.and('NOT expiry_known');
  if (filter.expiry === 'any') where.and('expire_at IS NOT NULL');
  if (filter.expiry === 'expired') where.and(`expire_at <= ${bind(toWholeNumber(asOf))}::BIGINT`);
  const { ttlMin, ttlMax } = filter;
  if (ttlMin !== undefined) where.and(`expire_at >= ${bind(toWholeNumber(Math.ceil(asOf + ttlMin * 1000)))}::BIGINT`);
  if (ttlMax !== undefined) where.and(`expire_at <= ${bind(toWholeNumber(Math.floor(asOf + ttlMax * 1000)))}::BIGINT`);
  const ranges: [string, number | undefined, number | undefined][] = [
    ['bytes', filter.bytesMin, filter.bytesMax],
    ['length', filter.lengthMin, filter.lengthMax],
    ['name_bytes', filter.nameBytesMin, filter.nameBytesMax],
    ['idle_seconds', filter.idleMin, filter.idleMax],
    ['freq', filter.freqMin, filter.freqMax],
    ['slot', filter.slotMin, filter.slotMax],
  ];
  for (const [column, min, max] of ranges) {
    if (min !== undefined) where.and(`${column} >= ${bind(toWholeNumber(Math.ceil(min)))}::BIGINT`);
    if (max !== undefined) where.and(`${column} <= ${bind(toWholeNumber(Math.floor(max)))}::BIGINT`);
  }
  const { elementBytesMin, elementBytesMax } = filter;
  if (elementBytesMin !== undefined) where.and(`${ELEMENT_BYTES_SQL} >= ${bind(elementBytesMin)}::DOUBLE`);
  if (elementBytesMax !== undefined) where.and(`${ELEMENT_BYTES_SQL} <= ${bind(elementBytesMax)}::DOUBLE`);
  if (filter.tag !== undefined) where.and(`tag = ${bind(toWellFormed(filter.tag))}::VARCHAR`);
  if (filter.big === true) where.and(bigkeySql(bigkeys));
  if (filtersByRules(filter)) {
    if (!ruleFilter)
      throw new AppError(
        'bad_request',
        'Filters by rule, strength, exemption or owner need the policy of an instance.',
      );
    ruleFilter.and(where, filter);
  }
  return where;
}

/** `templates`: those whose names contain the searched text; null: names are compared. */
function limitToSearch(where: Where, search: string, templates: readonly string[] | null): void {
  if (templates === null) where.and(searchedSql(search, (value) => `${where.bind(value)}::VARCHAR`));
  else where.and(templates.length === 0 ? 'false' : memberSql(where, 'template', templates));
}

/**
 * A text without wildcards is searched anywhere in the name; a pattern must match the whole name. Most names are text,
 * in which a plain search is faster than a pattern.
 */
function searchedSql(search: string, bind: (text: string) => string): string {
  const pattern = parseGlob(search);
  if (pattern.hasWildcard) return globSql(pattern, bind);
  const glob = parseGlob(`*${search}*`);
  const plain = getLiteralText(glob);
  if (plain === null) return globSql(glob, bind);
  return `CASE WHEN raw IS NULL THEN contains(name, ${bind(plain)}) ELSE regexp_full_match(hex(raw), ${bind(buildHexPattern(glob))}) END`;
}

export const filtersByRules = (filter: KeyFilter): boolean =>
  (filter.rule?.length ?? 0) > 0 ||
  (filter.strength?.length ?? 0) > 0 ||
  filter.exempt === true ||
  filter.owner !== undefined;

/** The columns contain whole numbers; comparing with whole numbers keeps the bounds of row groups usable. */
export const toWholeNumber = (value: number) =>
  BigInt(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(value))));

/** Limits a clause to rows with one of these types or encodings; `unknown` means that it is not known. */
export function limitToWords(where: Where, column: string, words: readonly string[] | undefined): void {
  if (!words || words.length === 0) return;
  const known = words.filter((word) => word !== 'unknown');
  const terms = known.length > 0 ? [memberSql(where, column, known)] : [];
  if (known.length < words.length) terms.push(`${column} IS NULL`);
  where.and(`(${terms.join(' OR ')})`);
}

export function limitToNumbers(where: Where, column: string, values: readonly number[] | undefined): void {
  if (!values || values.length === 0) return;
  where.and(
    inListSql(
      column,
      values.map((v) => `${where.bind(v)}::INTEGER`),
    ),
  );
}

/** SQL that is true if a column has one of the texts, of which there is at least one. */
export const memberSql = (where: Where, column: string, texts: readonly string[]): string =>
  inListSql(
    column,
    texts.map((text) => `${where.bind(text)}::VARCHAR`),
  );
