import { memberSql } from '@/lib/key-query/filter-where';
import { type AskedKeys, filteredKeys } from '@/lib/key-query/keys-where';
import { keyTemplateSql } from '@/lib/key-query/template-sql';
import { BINARY_NAME_SQL } from '@/lib/model/keys/binary-name-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { NameCharacters, NamesReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { STYLES, wordStylesSql } from '@/lib/name-sql/word-styles';
import { bucketSql } from '@/lib/rollup/classes';
import { PLACE_ROW_BITS, TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { RolledSource } from './facts';
import { templatesOnPath } from './grouping/by-template';
import { namesAt } from './grouping/names-at';
import { withGroups } from './grouping/with-groups';

/**
 * How names are built: their length in bytes, their segments, their characters, the styles their words are written in.
 * Asked of the keys in one pass: the roll-up holds neither names nor their lengths. An example is drawn by a hash, so
 * that it looks like most: the first by name would be an odd one. Of few templates names are read at the places of
 * those that are shown: they are by far the widest column.
 */
export const NAME_BOUNDS = [0, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096, 65_536];
/** As many and more are one entry. */
const MANY_SEGMENTS = 16;
const CHARACTERS: readonly NameCharacters[] = ['lower', 'upper', 'signs', 'spaces', 'unicode', 'binary'];
const BINARY = CHARACTERS.indexOf('binary');
/** Bits of STYLES that a plain lower-case, or upper-case, word fits as well. */
const LOWER = { bit: 1, fits: styleBits('camelCase', 'snake_case', 'kebab-case', 'dotted') };
const UPPER = { bit: 2, fits: styleBits('UPPER_SNAKE') };

interface Group extends Record<string, unknown> {
  at: number;
  keys: number;
  nameBytes: number;
  maxNameBytes: number;
  /** What `draw` says of a name: itself, or its place. */
  drawn: string | number;
}

export async function names(source: RolledSource, query: ReportQuery): Promise<NamesReport> {
  const delimiter = query.delimiter ?? ':';
  const templates = templatesOnPath(source, query);
  const asked = filteredKeys(source, query, { places: templates !== null });
  const groups =
    templates === null
      ? groupsOfNames(asked, delimiter)
      : groupsOfTemplates(asked, [...templates], drawOfPlaces(source.manifest).draw);
  const drawn = templates === null ? `substr(min(draw), ${DRAW_DIGITS + 1})` : drawOfPlaces(source.manifest).place;
  return withGroups(source, groups, asked.where.values, async (from) => {
    const by = (dimension: string) =>
      source.query<Group>(
        `SELECT (${dimension})::INTEGER AS at, sum(n)::BIGINT AS keys, sum(total) AS nameBytes, max(longest) AS maxNameBytes,
           ${drawn} AS drawn FROM ${from} GROUP BY 1 ORDER BY 1`,
      );
    const [lengths, depths, kinds, styles] = [
      await by('length'),
      await by('segments'),
      await by('characters'),
      await by('styles'),
    ];
    const sum = (rows: readonly Group[]) => rows.reduce((total, row) => total + row.keys, 0);
    const ofStyles = STYLES.flatMap((style, bit) => {
      const some = styles.filter(({ at }) => (at >> bit) & 1);
      return some.length === 0 ? [] : [{ style, keys: sum(some), clearest: clearest(some, bit) }];
    });
    const shown = [...depths, ...kinds, ...ofStyles.map((one) => one.clearest)].map((row) => row.drawn);
    const named = await namesAt(
      source,
      shown.filter((one) => typeof one === 'number'),
    );
    const nameOf = ({ drawn: one }: Group) => (typeof one === 'string' ? one : named.get(one)!);
    return {
      keys: sum(lengths),
      nameBytes: lengths.reduce((total, row) => total + row.nameBytes, 0),
      maxNameBytes: lengths.length === 0 ? null : Math.max(...lengths.map((row) => row.maxNameBytes)),
      lengths: NAME_BOUNDS.slice(0, (lengths.at(-1)?.at ?? -1) + 1).map((from, i) => {
        const row = lengths.find(({ at }) => at === i);
        return { from, to: NAME_BOUNDS[i + 1] ?? null, keys: row?.keys ?? 0, nameBytes: row?.nameBytes ?? 0 };
      }),
      segments: depths.map((row) => ({
        segments: row.at,
        orMore: row.at === MANY_SEGMENTS,
        keys: row.keys,
        example: nameOf(row),
      })),
      characters: kinds.map((row) => ({ kind: CHARACTERS[row.at]!, keys: row.keys, example: nameOf(row) })),
      styles: ofStyles
        .map(({ style, keys, clearest: row }) => ({ style, keys, example: nameOf(row) }))
        .sort((a, b) => b.keys - a.keys),
      mixed: sum(styles.filter(({ at }) => isMixed(at))),
    };
  });
}

const SUMS = 'count(*) AS n, sum(name_bytes)::DOUBLE AS total, max(name_bytes) AS longest';
/** Bits of an example's draw, and of what it falls to a place to decide: both fit into one number. */
const DRAW_BITS = 24;
const NUMBER_BITS = 62;
/** Of what lies beside a name, so that none is read for it; other names in the same slot of the same sizes are few. */
const MIXED =
  '(slot::BIGINT * 2654435761 + (coalesce(bytes, 0) & 65535) * 2246822519 + name_bytes::BIGINT * 3266489917)';
const drawSql = (bits = DRAW_BITS) => `((${MIXED} >> 8) & ${2 ** bits - 1})`;
/** The smallest is that of the first name with the smallest draw, whether names or their places stand behind it. */
const DRAW_DIGITS = 8;
const DRAW_OF_NAME = `lpad(${drawSql()}::VARCHAR, ${DRAW_DIGITS}, '0') || name`;

/** Places as few bits: the number of a file, and that of a row in it. */
function drawOfPlaces({ files, keys }: SnapshotManifest): { draw: string; place: string } {
  const rowBits = bitsFor(keys);
  const placeBits = rowBits + bitsFor(files.length);
  const ofRow = `place & ${2 ** PLACE_ROW_BITS - 1}`;
  const draw = drawSql(Math.min(DRAW_BITS, NUMBER_BITS - placeBits));
  return {
    draw: `(${draw} << ${placeBits}) + ((place >> ${PLACE_ROW_BITS}) << ${rowBits}) + (${ofRow})`,
    place: `((((min(draw) & ${2 ** placeBits - 1}) >> ${rowBits}) << ${PLACE_ROW_BITS}) + (min(draw) & ${2 ** rowBits - 1}))::DOUBLE`,
  };
}
const bitsFor = (count: number) => Math.ceil(Math.log2(count + 1));

const lengthSql = bucketSql('name_bytes', NAME_BOUNDS);

function groupsOfNames({ keys, where }: AskedKeys, delimiter: string): string {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, delimiter);
  return `SELECT ${lengthSql} AS length, CASE WHEN ${BINARY_NAME_SQL} THEN ${BINARY} ELSE ${charactersSql('name', delimiter)} END AS characters,
      ${segmentsSql('name', separator)} AS segments, styles, ${SUMS}, min(${DRAW_OF_NAME}) AS draw
    FROM (SELECT name, raw, name_bytes, bytes, slot, CASE WHEN ${BINARY_NAME_SQL} THEN 0 ELSE ${wordStylesSql(delimiter, separator)} END AS styles
      FROM (SELECT name, raw, name_bytes, bytes, slot, ${template} AS template FROM ${keys} ${where.sql}))
    GROUP BY 1, 2, 3, 4`;
}

/** Of few templates: what follows from them is found once for each, and not for every name. */
function groupsOfTemplates({ keys, where }: AskedKeys, templates: readonly string[], draw: string): string {
  const separator = `'${TEMPLATE_DELIMITER}'`;
  // Digits are as plain as the braces of what stands for them; other ids may be of any characters.
  const named = templates.filter((one) => /\\|\{(?:hex|uuid|alnum|b64|email)\}/.test(one));
  const few = named.length > 0 && named.length < templates.length && named.length <= MAX_LISTED;
  const isNamed = few ? memberSql(where, 'template', named) : null;
  const asked = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  const groups = (characters: string, which: string) =>
    `SELECT template, ${lengthSql} AS length, CASE WHEN ${BINARY_NAME_SQL} THEN ${BINARY} ELSE ${characters} END AS characters,
       ${SUMS}, min(${draw}) AS draw FROM ${keys} ${which} GROUP BY 1, 2, 3`;
  const ofNames = charactersSql('name', TEMPLATE_DELIMITER);
  // Apart, so that of the others no name is read.
  const all =
    isNamed === null
      ? groups(named.length === 0 ? 'NULL::INTEGER' : ofNames, where.sql)
      : `${groups('NULL::INTEGER', `${asked} NOT (${isNamed})`)} UNION ALL ${groups(ofNames, `${asked} ${isNamed}`)}`;
  return `SELECT length, characters, ${segmentsSql('template', separator)} AS segments,
      CASE WHEN characters = ${BINARY} THEN 0 ELSE ${wordStylesSql(TEMPLATE_DELIMITER, separator)} END AS styles,
      sum(n)::BIGINT AS n, sum(total) AS total, max(longest) AS longest, min(draw) AS draw
    FROM (SELECT * REPLACE (coalesce(characters, ${charactersSql('template', TEMPLATE_DELIMITER)}) AS characters) FROM (${all}))
    GROUP BY 1, 2, 3, 4`;
}

/** Bound one by one. */
const MAX_LISTED = 32;

const segmentsSql = (of: string, separator: string) =>
  `least((strlen(${of}) - strlen(replace(${of}, ${separator}, ''))) // strlen(${separator}) + 1, ${MANY_SEGMENTS})`;

/** Index of CHARACTERS: the class that holds every character of a name that is text. */
function charactersSql(of: string, delimiter: string): string {
  const plain = `a-z0-9:_.{}${delimiter.replace(/[\\\]^[-]/g, '\\$&').replaceAll("'", "''")}-`;
  return `CASE WHEN regexp_full_match(${of}, '[${plain}]*') THEN 0
    WHEN regexp_full_match(${of}, '[A-Z${plain}]*') THEN 1 WHEN regexp_full_match(${of}, '[!-~]*') THEN 2
    WHEN regexp_full_match(${of}, '[ -~]*') THEN 3 ELSE 4 END`;
}

function styleBits(...styles: (typeof STYLES)[number][]): number {
  return styles.reduce((bits, style) => bits | (1 << STYLES.indexOf(style)), 0);
}

function isMixed(bits: number): boolean {
  const own = [LOWER, UPPER].reduce((left, { bit, fits }) => (left & fits ? left & ~bit : left), bits);
  return (own & (own - 1)) !== 0;
}

/** A name in that style alone, where there is one. */
const clearest = (some: readonly Group[], bit: number): Group => some.find(({ at }) => at === 1 << bit) ?? some[0]!;
