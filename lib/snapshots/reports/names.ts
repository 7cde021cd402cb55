import { BINARY_NAME_SQL } from '@/lib/model/keys/binary-name-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { NameCharacters, NamesReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { escapeForClass } from '@/lib/model/text/escape-regex';
import { memberSql } from '@/lib/snapshots/key-query/filter-where';
import { type SelectedKeys, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { keyTemplateSql } from '@/lib/snapshots/key-query/template-sql';
import { STYLES, wordStylesSql } from '@/lib/snapshots/name-sql/word-styles';
import { atPlaceSql, PLACE_ROW_BITS, TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Source } from '@/lib/snapshots/query/with-source';
import { bucketSql } from '@/lib/snapshots/rollup/classes';
import type { RolledSource } from './cells';
import { listTemplatesOnPath } from './grouping/by-template';
import { withGroups } from './grouping/with-groups';

/** Bounds of the classes of name lengths in bytes. */
const NAME_BOUNDS = [0, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096, 65_536];
/** This many segments and more are one entry. */
const MANY_SEGMENTS = 16;
const CHARACTERS: readonly NameCharacters[] = ['lower', 'upper', 'signs', 'spaces', 'unicode', 'binary'];
const BINARY = CHARACTERS.indexOf('binary');
/** Bits of STYLES for plain lower-case and upper-case words, and of the styles that such a word fits as well. */
const LOWER = { bit: 1, fits: toStyleBits('camelCase', 'snake_case', 'kebab-case', 'dotted') };
const UPPER = { bit: 2, fits: toStyleBits('UPPER_SNAKE') };

interface Group extends Record<string, unknown> {
  /** The value of the dimension that is counted. */
  at: number;
  keys: number;
  nameBytes: number;
  maxNameBytes: number;
  /** The drawn example: a name, or the place of one. */
  drawn: string | number;
}

/**
 * The report on names: their length in bytes, their segments, their characters, and the styles in which their words are
 * written. It reads the keys in one pass, because the roll-up has neither names nor their lengths. Examples are drawn
 * by a hash, so that they are typical: the first by name would be an odd one. If there are few templates, names are
 * read only for the examples that are shown, by their places, because they are by far the widest column.
 */
export async function buildNamesReport(source: RolledSource, query: ReportQuery): Promise<NamesReport> {
  const delimiter = query.delimiter ?? ':';
  const templates = listTemplatesOnPath(source, query);
  const selected = selectFilteredKeys(source, query, { places: templates !== null });
  const groups =
    templates === null
      ? nameGroupsSql(selected, delimiter)
      : fewTemplateGroupsSql(selected, [...templates], buildPlaceDraw(source.manifest).draw);
  const drawn = templates === null ? `substr(min(draw), ${DRAW_DIGITS + 1})` : buildPlaceDraw(source.manifest).place;
  return withGroups(source, groups, selected.where.values, async (from) => {
    const countBy = (dimension: string) =>
      source.query<Group>(
        `SELECT (${dimension})::INTEGER AS at, sum(n)::BIGINT AS keys, sum(total) AS nameBytes, max(longest) AS maxNameBytes,
           ${drawn} AS drawn FROM ${from} GROUP BY 1 ORDER BY 1`,
      );
    const [lengths, depths, kinds, styles] = [
      await countBy('length'),
      await countBy('segments'),
      await countBy('characters'),
      await countBy('styles'),
    ];
    const sum = (rows: readonly Group[]) => rows.reduce((total, row) => total + row.keys, 0);
    const ofStyles = STYLES.flatMap((style, bit) => {
      const some = styles.filter(({ at }) => (at >> bit) & 1);
      return some.length === 0 ? [] : [{ style, keys: sum(some), clearest: pickClearest(some, bit) }];
    });
    const shown = [...depths, ...kinds, ...ofStyles.map(({ clearest }) => clearest)];
    const places = shown.map((row) => row.drawn).filter((example) => typeof example === 'number');
    const names = await readNamesAt(source, places);
    const getDrawnName = (row: Group) => (typeof row.drawn === 'string' ? row.drawn : names.get(row.drawn)!);
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
        example: getDrawnName(row),
      })),
      characters: kinds.map((row) => ({ kind: CHARACTERS[row.at]!, keys: row.keys, example: getDrawnName(row) })),
      styles: ofStyles
        .map(({ style, keys, clearest: row }) => ({ style, keys, example: getDrawnName(row) }))
        .sort((a, b) => b.keys - a.keys),
      mixed: sum(styles.filter(({ at }) => isMixed(at))),
    };
  });
}

const SUMS = 'count(*) AS n, sum(name_bytes)::DOUBLE AS total, max(name_bytes) AS longest';
/** Bits of the random number of an example, and of the number that combines it with the place of the name. */
const DRAW_BITS = 24;
const NUMBER_BITS = 62;
/**
 * A hash of columns other than the name, so that no name is read for it. Few other names in the same slot have the same
 * sizes.
 */
const MIXED =
  '(slot::BIGINT * 2654435761 + (coalesce(bytes, 0) & 65535) * 2246822519 + name_bytes::BIGINT * 3266489917)';
const drawSql = (bits = DRAW_BITS) => `((${MIXED} >> 8) & ${2 ** bits - 1})`;
/** The smallest text belongs to the first name among those with the smallest draw; by places it is the same name. */
const DRAW_DIGITS = 8;
const DRAW_OF_NAME = `lpad(${drawSql()}::VARCHAR, ${DRAW_DIGITS}, '0') || name`;

/**
 * SQL that combines the draw with the place in as few bits as possible (the number of a file, and that of a row in it),
 * and SQL that reads the place from the smallest draw.
 */
function buildPlaceDraw({ files, keys }: SnapshotManifest): { draw: string; place: string } {
  const rowBits = countBits(keys);
  const placeBits = rowBits + countBits(files.length);
  const ofRow = `place & ${2 ** PLACE_ROW_BITS - 1}`;
  const draw = drawSql(Math.min(DRAW_BITS, NUMBER_BITS - placeBits));
  return {
    draw: `(${draw} << ${placeBits}) + ((place >> ${PLACE_ROW_BITS}) << ${rowBits}) + (${ofRow})`,
    place: `((((min(draw) & ${2 ** placeBits - 1}) >> ${rowBits}) << ${PLACE_ROW_BITS}) + (min(draw) & ${2 ** rowBits - 1}))::DOUBLE`,
  };
}
const countBits = (count: number) => Math.ceil(Math.log2(count + 1));

/** Each name is read from a row group of its own, which is in memory meanwhile. */
const AT_ONCE = 16;

/** Reads names by their places in the sealed files; there should be few. */
async function readNamesAt({ dir, manifest, query }: Source, places: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const different = [...new Set(places)];
  for (let from = 0; from < different.length; from += AT_ONCE) {
    const some = different.slice(from, from + AT_ONCE);
    const rows = await query<{ place: number; name: string }>(
      some.map((place) => atPlaceSql(dir, manifest, place, 'name')).join(' UNION ALL '),
    );
    for (const { place, name } of rows) names.set(place, name);
  }
  return names;
}

const lengthSql = bucketSql('name_bytes', NAME_BOUNDS);

function nameGroupsSql({ keys, where }: SelectedKeys, delimiter: string): string {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, delimiter);
  return `SELECT ${lengthSql} AS length, CASE WHEN ${BINARY_NAME_SQL} THEN ${BINARY} ELSE ${charactersSql('name', delimiter)} END AS characters,
      ${segmentsSql('name', separator)} AS segments, styles, ${SUMS}, min(${DRAW_OF_NAME}) AS draw
    FROM (SELECT name, raw, name_bytes, bytes, slot, CASE WHEN ${BINARY_NAME_SQL} THEN 0 ELSE ${wordStylesSql(delimiter, separator)} END AS styles
      FROM (SELECT name, raw, name_bytes, bytes, slot, ${template} AS template FROM ${keys} ${where.sql}))
    GROUP BY 1, 2, 3, 4`;
}

/**
 * Groups for few templates. What depends only on the template is computed once for each template and not for each name.
 */
function fewTemplateGroupsSql({ keys, where }: SelectedKeys, templates: readonly string[], draw: string): string {
  const separator = `'${TEMPLATE_DELIMITER}'`;
  // Find the templates whose names have to be read. Digits are as plain as the braces of the form that stands for them,
  // but other ids may have any characters.
  const named = templates.filter((template) => /\\|\{(?:hex|uuid|alnum|b64|email|text)\}/.test(template));
  const areFew = named.length > 0 && named.length < templates.length && named.length <= MAX_LISTED;
  const isNamed = areFew ? memberSql(where, 'template', named) : null;
  const narrowed = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  const groups = (characters: string, which: string) =>
    `SELECT template, ${lengthSql} AS length, CASE WHEN ${BINARY_NAME_SQL} THEN ${BINARY} ELSE ${characters} END AS characters,
       ${SUMS}, min(${draw}) AS draw FROM ${keys} ${which} GROUP BY 1, 2, 3`;
  const ofNames = charactersSql('name', TEMPLATE_DELIMITER);
  // Separate statements, so that no names are read for the other templates.
  const all =
    isNamed === null
      ? groups(named.length === 0 ? 'NULL::INTEGER' : ofNames, where.sql)
      : `${groups('NULL::INTEGER', `${narrowed} NOT (${isNamed})`)} UNION ALL ${groups(ofNames, `${narrowed} ${isNamed}`)}`;
  return `SELECT length, characters, ${segmentsSql('template', separator)} AS segments,
      CASE WHEN characters = ${BINARY} THEN 0 ELSE ${wordStylesSql(TEMPLATE_DELIMITER, separator)} END AS styles,
      sum(n)::BIGINT AS n, sum(total) AS total, max(longest) AS longest, min(draw) AS draw
    FROM (SELECT * REPLACE (coalesce(characters, ${charactersSql('template', TEMPLATE_DELIMITER)}) AS characters) FROM (${all}))
    GROUP BY 1, 2, 3, 4`;
}

/** Maximum number of templates in a filter, because each is bound separately. */
const MAX_LISTED = 32;

const segmentsSql = (of: string, separator: string) =>
  `least((strlen(${of}) - strlen(replace(${of}, ${separator}, ''))) // strlen(${separator}) + 1, ${MANY_SEGMENTS})`;

/**
 * SQL for the index in CHARACTERS of the first class that contains every character of a name; binary names are decided
 * before.
 */
function charactersSql(of: string, delimiter: string): string {
  const plain = `a-z0-9:_.{}${escapeForClass(delimiter).replaceAll("'", "''")}-`;
  return `CASE WHEN regexp_full_match(${of}, '[${plain}]*') THEN 0
    WHEN regexp_full_match(${of}, '[A-Z${plain}]*') THEN 1 WHEN regexp_full_match(${of}, '[!-~]*') THEN 2
    WHEN regexp_full_match(${of}, '[ -~]*') THEN 3 ELSE 4 END`;
}

function toStyleBits(...styles: (typeof STYLES)[number][]): number {
  return styles.reduce((bits, style) => bits | (1 << STYLES.indexOf(style)), 0);
}

function isMixed(bits: number): boolean {
  const own = [LOWER, UPPER].reduce((left, { bit, fits }) => (left & fits ? left & ~bit : left), bits);
  return (own & (own - 1)) !== 0;
}

/** Returns the group with names in that style alone, if there is one, else any. */
const pickClearest = (some: readonly Group[], bit: number): Group => some.find(({ at }) => at === 1 << bit) ?? some[0]!;
