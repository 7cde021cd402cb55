import { filterWhere } from '@/lib/key-query/filter-where';
import { keyTemplateSql } from '@/lib/key-query/template-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { NameCharacters, NamesReport } from '@/lib/model/reports/reports';
import { STYLES, wordStylesSql } from '@/lib/name-sql/word-styles';
import { bucketSql } from '@/lib/rollup/classes';
import type { RolledSource } from './facts';
import { withGroups } from './grouping/with-groups';

/**
 * How names are built: their length in bytes, their segments, their characters, the styles their words are written in.
 * Asked of the keys in one pass: the roll-up holds neither names nor their lengths. An example is drawn by hash, so
 * that it looks like most: the first by name would be an odd one.
 */
export const NAME_BOUNDS = [0, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096, 65_536];
/** As many and more are one entry. */
const MANY_SEGMENTS = 16;
const CHARACTERS: readonly NameCharacters[] = ['lower', 'upper', 'signs', 'spaces', 'unicode', 'binary'];
/** Bits of STYLES that a plain lower-case, or upper-case, word fits as well. */
const LOWER = { bit: 1, fits: styleBits('camelCase', 'snake_case', 'kebab-case', 'dotted') };
const UPPER = { bit: 2, fits: styleBits('UPPER_SNAKE') };

interface Group extends Record<string, unknown> {
  at: number;
  keys: number;
  nameBytes: number;
  maxNameBytes: number;
  example: string;
}

export async function names(source: RolledSource, query: ReportQuery): Promise<NamesReport> {
  const delimiter = query.delimiter ?? ':';
  const where = filterWhere(query, source, delimiter);
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, delimiter);
  const segments = `((strlen(name) - strlen(replace(name, ${separator}, ''))) // strlen(${separator}) + 1)`;
  const groups = `SELECT ${bucketSql('name_bytes', NAME_BOUNDS)} AS length, ${charactersSql(delimiter)} AS characters,
      least(${segments}, ${MANY_SEGMENTS}) AS segments, styles, count(*) AS n, sum(name_bytes)::DOUBLE AS total,
      max(name_bytes) AS longest, arg_min(name, hash(name)) AS first, min(hash(name)) AS draw
    FROM (SELECT name, raw, name_bytes, CASE WHEN raw IS NULL THEN ${wordStylesSql(delimiter, separator)} ELSE 0 END AS styles
      FROM (SELECT name, raw, name_bytes, ${template} AS template FROM ${source.keys} ${where.sql}))
    GROUP BY 1, 2, 3, 4`;
  return withGroups(source, groups, where.values, async (from) => {
    const by = (dimension: string) =>
      source.query<Group>(
        `SELECT (${dimension})::INTEGER AS at, sum(n)::BIGINT AS keys, sum(total) AS nameBytes, max(longest) AS maxNameBytes,
           arg_min(first, draw) AS example FROM ${from} GROUP BY 1 ORDER BY 1`,
      );
    const [lengths, depths, kinds, styles] = [
      await by('length'),
      await by('segments'),
      await by('characters'),
      await by('styles'),
    ];
    const sum = (rows: readonly Group[]) => rows.reduce((total, row) => total + row.keys, 0);
    return {
      keys: sum(lengths),
      nameBytes: lengths.reduce((total, row) => total + row.nameBytes, 0),
      maxNameBytes: lengths.length === 0 ? null : Math.max(...lengths.map((row) => row.maxNameBytes)),
      lengths: NAME_BOUNDS.slice(0, (lengths.at(-1)?.at ?? -1) + 1).map((from, i) => {
        const row = lengths.find(({ at }) => at === i);
        return { from, to: NAME_BOUNDS[i + 1] ?? null, keys: row?.keys ?? 0, nameBytes: row?.nameBytes ?? 0 };
      }),
      segments: depths.map(({ at, keys, example }) => ({ segments: at, orMore: at === MANY_SEGMENTS, keys, example })),
      characters: kinds.map(({ at, keys, example }) => ({ kind: CHARACTERS[at]!, keys, example })),
      styles: STYLES.flatMap((style, bit) => {
        const some = styles.filter(({ at }) => (at >> bit) & 1);
        return some.length === 0 ? [] : [{ style, keys: sum(some), example: clearest(some, bit).example }];
      }).sort((a, b) => b.keys - a.keys),
      mixed: sum(styles.filter(({ at }) => isMixed(at))),
    };
  });
}

/** Index of CHARACTERS: the class that holds every character of the name. */
function charactersSql(delimiter: string): string {
  const plain = `a-z0-9:_.{}${delimiter.replace(/[\\\]^[-]/g, '\\$&').replaceAll("'", "''")}-`;
  return `CASE WHEN raw IS NOT NULL THEN 5 WHEN regexp_full_match(name, '[${plain}]*') THEN 0
    WHEN regexp_full_match(name, '[A-Z${plain}]*') THEN 1 WHEN regexp_full_match(name, '[!-~]*') THEN 2
    WHEN regexp_full_match(name, '[ -~]*') THEN 3 ELSE 4 END`;
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
