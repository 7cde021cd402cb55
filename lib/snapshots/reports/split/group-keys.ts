/**
 * The keys of the part that is read are grouped in one pass; everything that is computed about them uses the groups.
 */

import { memberSql } from '@/lib/snapshots/key-query/filter-where';
import { type SelectedKeys, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { buildKeyFacts, listedSql, type RolledSource } from '@/lib/snapshots/reports/facts';
import { readNamesAt } from '@/lib/snapshots/reports/grouping/read-names-at';
import {
  BIG,
  idleClassSql,
  momentPartsSql,
  momentWithinSql,
  PERHAPS_BIG,
  RECOGNISED,
  SIZE_BOUNDS,
  TTL_AHEAD,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
} from '@/lib/snapshots/rollup/classes';
import type { CellDimension } from './needs';
import { type PartFacts, selectPartCells } from './part-facts';
import { type PartRead, SPLIT_TABLES, type Split } from './split';

/** The keys of the query in the part that is read. */
export function selectPartKeys(source: RolledSource, { query, part }: Split, places = false): SelectedKeys {
  const selected = selectFilteredKeys(source, query, { places });
  const { where } = selected;
  where.and(sizesSql(part));
  const templates = part.paths.map(({ template }) => template);
  where.and(memberSql(where, 'template', templates));
  return selected;
}

/** SQL for the bytes of a range of classes; class 0 means unknown. */
function sizesSql({ from, to }: PartRead): string {
  const upper = to < SIZE_BOUNDS.length ? `bytes < ${SIZE_BOUNDS[to]}` : 'true';
  if (from > 0) return `bytes >= ${SIZE_BOUNDS[from - 1]} AND ${upper}`;
  return to === 0 ? 'bytes IS NULL' : `(bytes IS NULL OR ${upper})`;
}

/** Value of the column `moment` if the expiry is unknown. */
const UNKNOWN_EXPIRY = -2;

/**
 * Makes the table SPLIT_TABLES.groups: keys by template, and by every dimension that differs between keys of one
 * template.
 */
export async function groupKeys(source: RolledSource, split: Split, known: PartFacts): Promise<void> {
  const { needs, query } = split;
  const { keys, where } = selectPartKeys(source, split, needs.names);
  const dimensions = needs.cells.filter((one) => !known.fixed.has(one));
  const columns = [
    'template',
    ...dimensions.map((one) => `${dimensionSql(source, split, one)} AS ${one}`),
    ...(needs.state || needs.moments ? [`${expirySql(source, split, known)} AS moment`] : []),
  ];
  const place = needs.names ? ', place' : '';
  // If the query bounds the size, no key of unknown size matches, so all keys are counted.
  const sized = (query.bytesMin ?? query.bytesMax) === undefined ? 'count(bytes)' : 'count(*)';
  await source.query(
    `CREATE OR REPLACE TEMP TABLE ${SPLIT_TABLES.groups} AS
     SELECT * EXCLUDE (bytes, expire_at${place}), count(*)::BIGINT AS n, ${sized}::BIGINT AS sized,
       coalesce(sum(bytes), 0)::DOUBLE AS total, max(bytes) AS maxBytes, min(expire_at) AS minExpire, max(expire_at) AS maxExpire
       ${needs.names ? ', min(place)::BIGINT AS place' : ''}
     FROM (SELECT ${columns.join(', ')}, bytes, expire_at${place} FROM ${keys} ${where.sql}) GROUP BY ALL`,
    where.values,
  );
}

function expirySql(source: RolledSource, { query, needs }: Split, { areExpiriesKnown, span }: PartFacts): string {
  const { unknown, expired, any } = buildKeyFacts(source, query);
  const ofState = `CASE WHEN ${expired} THEN -1 WHEN ${any} THEN 0 END`;
  const moment = span === null ? 'NULL::BIGINT' : needs.moments ? momentWithinSql(source.asOf, span) : ofState;
  return areExpiriesKnown ? moment : `CASE WHEN ${unknown} THEN ${UNKNOWN_EXPIRY} ELSE ${moment} END`;
}

function dimensionSql(source: RolledSource, { query }: Split, dimension: CellDimension): string {
  const { ttlClass, sizeClass, big, recognised, perhapsBig } = buildKeyFacts(source, query);
  switch (dimension) {
    case 'ttl':
      return ttlClass;
    case 'size':
      return sizeClass;
    case 'idle':
      return idleClassSql;
    case 'big':
      return `(CASE WHEN ${big} THEN ${BIG} WHEN ${recognised} THEN ${RECOGNISED} WHEN ${perhapsBig} THEN ${PERHAPS_BIG} ELSE 0 END)::UTINYINT`;
    default:
      return dimension;
  }
}

const STATE_SQL = `(CASE WHEN moment IS NULL THEN ${TTL_NONE} WHEN moment = ${UNKNOWN_EXPIRY} THEN ${TTL_UNKNOWN}
  WHEN moment < 0 THEN ${TTL_EXPIRED} ELSE ${TTL_AHEAD} END)::UTINYINT AS ttl`;

/** Adds the groups to the copied rows, in the form of the roll-up's tables. */
export async function addGroups(source: RolledSource, split: Split, { fixed }: PartFacts): Promise<void> {
  const { needs } = split;
  const { from, values } = selectPartCells(source, split);
  const where = new Where([...values]);
  const named = await listPathsSql(source, where, split, needs.names);
  const ofPaths = ['path', ...[...fixed].map((one) => `any_value(${one}) AS ${one}`)].join(', ');
  const columns = [
    ...needs.cells,
    ...(needs.state ? [STATE_SQL] : []),
    ...(needs.names ? ['min(CASE WHEN place = firstPlace THEN firstName END) AS first'] : []),
  ];
  await source.query(
    `INSERT INTO ${SPLIT_TABLES.cells} BY NAME
     SELECT path, ${columns.join(', ')}, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total,
       max(maxBytes) AS maxBytes, min(minExpire) AS minExpire, max(maxExpire) AS maxExpire
     FROM ${SPLIT_TABLES.groups} JOIN ${named} USING (template) JOIN (SELECT ${ofPaths} FROM ${from} GROUP BY path) USING (path)
     GROUP BY ALL`,
    where.values,
  );
  if (!needs.moments) return;
  const ofMoments = new Where();
  await source.query(
    `INSERT INTO ${SPLIT_TABLES.moments} BY NAME
     SELECT path, ${STATE_SQL}, ${momentPartsSql(source.asOf)}, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total
     FROM ${SPLIT_TABLES.groups} JOIN ${await listPathsSql(source, ofMoments, split)} USING (template)
     WHERE moment >= -1 GROUP BY path, moment`,
    ofMoments.values,
  );
}

/** SQL for template → path; with `named` also the first name of each template. */
async function listPathsSql(source: RolledSource, where: Where, { part }: Split, named = false): Promise<string> {
  const { paths } = part;
  const first = named
    ? await source.query<{ template: string; place: number }>(
        `SELECT template, min(place)::DOUBLE AS place FROM ${SPLIT_TABLES.groups} GROUP BY 1`,
      )
    : [];
  const placeOf = new Map(first.map(({ template, place }) => [template, place]));
  const names = await readNamesAt(source, [...placeOf.values()]);
  const getPlace = (template: string) => placeOf.get(template) ?? -1;
  const listed = listedSql(where, {
    template: paths.map(({ template }) => template),
    number: paths.map(({ path }) => String(path)),
    place: paths.map(({ template }) => String(getPlace(template))),
    firstName: paths.map(({ template }) => names.get(getPlace(template)) ?? ''),
  });
  return `(SELECT template, number::UINTEGER AS path, place::BIGINT AS firstPlace, firstName FROM ${listed})`;
}
