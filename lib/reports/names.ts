import { memberSql } from '@/lib/key-query/filter-where';
import { type AskedKeys, filteredKeys } from '@/lib/key-query/keys-where';
import { keyTemplateSql } from '@/lib/key-query/template-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { NameCharacters, NamesReport } from '@/lib/model/reports/reports';
import { STYLES, wordStylesSql } from '@/lib/name-sql/word-styles';
import { bucketSql } from '@/lib/rollup/classes';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { RolledSource } from './facts';
import { templatesOnPath } from './grouping/by-template';
import { namesAt } from './grouping/names-at';
import { withGroups } from './grouping/with-groups';

/**
 * How names are built: their length in bytes, their segments, their characters, the styles their words are written in.
 * Asked of the keys in one pass: the roll-up holds neither names nor their lengths. An example is the first name in
 * the smallest slot: slots are spread over names as evenly as hashes are, so that it looks like most; the first of all
 * would be an odd one. Of few templates names are read at the places of those that are shown: they are by far the
 * widest column.
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
  const groups = templates === null ? groupsOfNames(asked, delimiter) : groupsOfTemplates(asked, [...templates]);
  const drawn = templates === null ? 'substr(min(draw), 2)' : `(min(draw) & ${PLACE_BITS})::DOUBLE`;
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
/** The smallest is that of the first name in the smallest slot, whether names or their places stand behind it. */
const DRAW_OF_NAME = `chr(${2 ** 10} + slot::INTEGER) || name`;
const PLACE_BITS = 2 ** 48 - 1;
const DRAW_OF_PLACE = '(slot::BIGINT << 48) + place';
const lengthSql = bucketSql('name_bytes', NAME_BOUNDS);

function groupsOfNames({ keys, where }: AskedKeys, delimiter: string): string {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, delimiter);
  return `SELECT ${lengthSql} AS length, CASE WHEN raw IS NOT NULL THEN ${BINARY} ELSE ${charactersSql('name', delimiter)} END AS characters,
      ${segmentsSql('name', separator)} AS segments, styles, ${SUMS}, min(${DRAW_OF_NAME}) AS draw
    FROM (SELECT name, raw, name_bytes, slot, CASE WHEN raw IS NULL THEN ${wordStylesSql(delimiter, separator)} ELSE 0 END AS styles
      FROM (SELECT name, raw, name_bytes, slot, ${template} AS template FROM ${keys} ${where.sql}))
    GROUP BY 1, 2, 3, 4`;
}

/** Of few templates: what follows from them is found once for each, and not for every name. */
function groupsOfTemplates({ keys, where }: AskedKeys, templates: readonly string[]): string {
  const separator = `'${TEMPLATE_DELIMITER}'`;
  // Digits are as plain as the braces of what stands for them; other ids may be of any characters.
  const named = templates.filter((one) => /\\|\{(?:hex|uuid|b64|email)\}/.test(one));
  const few = named.length > 0 && named.length < templates.length && named.length <= MAX_LISTED;
  const isNamed = few ? memberSql(where, 'template', named) : null;
  const asked = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  const groups = (characters: string, which: string) =>
    `SELECT template, ${lengthSql} AS length, CASE WHEN raw IS NOT NULL THEN ${BINARY} ELSE ${characters} END AS characters,
       ${SUMS}, min(${DRAW_OF_PLACE}) AS draw FROM ${keys} ${which} GROUP BY 1, 2, 3`;
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
