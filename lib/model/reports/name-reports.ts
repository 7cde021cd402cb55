/** Overview, namespace tree, patterns and names: the shapes of these reports and their tables. */

import type { FindingCounts } from '../rules/findings';
import { buildTable } from './table';
import { type TablesOf, type Totals, type TypeShare, toMemoryCell, toRangeCell, toShareCell } from './totals';

export interface OverviewReport extends Totals {
  types: TypeShare[];
  expiry: { none: number; any: number; unknown: number; expired: number };
  bigkeys: number;
  bigkeyBytes: number;
  /** Keys for which it is unknown whether they are bigkeys. */
  bigkeysUnknown: number;
  databases: (Totals & { db: number })[];
  nodes: (Totals & { node: number; address: string })[];
  topPrefixes: TreeNode[];
  prefixCount: number;
}

export interface TreeNode extends Totals {
  /** The segment as shown: the text itself, or `{int}`, `{uuid}` and so on (KINDS) for folded ids. */
  segment: string;
  /** The full path of this node, with ids folded as the request asked. Ends with the delimiter if it has branches. */
  path: string;
  /** All keys below share this longer path; equal to `path` if they differ at once, or if that is unknown. */
  endPath: string;
  /** The largest parts below `endPath`, if requested and known. `type` is the main type of a part. */
  below?: { segment: string; path: string; keys: number; bytes: number; type: string | null }[];
  /** `segment` is a folded id that represents many segments. */
  folds: boolean;
  /** How many different segments it represents; null = it is not folded, or the number is unknown. */
  folded: number | null;
  /** Keys whose name ends here. */
  leafKeys: number;
  /** Keys whose name continues below. 0 = last level. */
  branchKeys: number;
  avgBytes: number | null;
  maxBytes: number | null;
  noExpiry: number;
  ttlP50Seconds: number | null;
  bigkeys: number;
  types: Record<string, number>;
  /** The type that takes most of the memory; null = no size is known. */
  heaviestType: string | null;
  example: string;
  /** Keys with findings below this node; absent or null = not known (yet). */
  findings?: FindingCounts | null;
}

export interface TreeReport extends Totals {
  path: string;
  depth: number;
  delimiter: string;
  sort: string;
  children: TreeNode[];
  /**
   * The sum of the children that are not on this page, so that shares add up; null = there are none. `groups`: their
   * sums by what the segments begin with, largest first, if nested parts were requested. Folded ids are in no group.
   */
  rest: (Totals & { nodes: number; groups?: (Totals & { begins: string })[] }) | null;
  childCount: number;
  /** The position of the first of `children` among all in this order, from 0. */
  offset: number;
  /** The cursor of the next page of children; null = these are the last. */
  nextCursor: string | null;
}

export interface PatternRow extends Totals {
  template: string;
  types: Record<string, number>;
  noExpiry: number;
  minTtlSeconds: number | null;
  p50TtlSeconds: number | null;
  maxTtlSeconds: number | null;
  avgBytes: number | null;
  example: string;
}

export interface PatternsReport {
  patterns: PatternRow[];
  templateCount: number;
  /** The cursor of the next page; null = these are the last. */
  nextCursor: string | null;
}

/**
 * The characters of a name: `lower` (a-z 0-9 : _ . { } -), `upper` also has capital letters, and so on to `binary`,
 * which is not text.
 */
export type NameCharacters = 'lower' | 'upper' | 'signs' | 'spaces' | 'unicode' | 'binary';
export interface NamesReport {
  keys: number;
  /** The bytes of all names together, and those of the longest name. */
  nameBytes: number;
  maxNameBytes: number | null;
  /** Half-open ranges [from, to) of the name's length in bytes. */
  lengths: { from: number; to: number | null; keys: number; nameBytes: number }[];
  /** Counts by number of segments; the last entry counts that many and more. */
  segments: { segments: number; orMore: boolean; keys: number; example: string }[];
  characters: { kind: NameCharacters; keys: number; example: string }[];
  /** A name may fit several styles, or (ids, other scripts) none. */
  styles: { style: string; keys: number; example: string }[];
  /** Keys whose name mixes styles; a plain lower-case word fits every style except capitals. */
  mixed: number;
}

/** Formats types as `hash 12, string 3`, with the type of most keys first. */
const formatTypes = (types: Record<string, number>) =>
  Object.entries(types)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([type, keys]) => `${type} ${keys}`)
    .join(', ');

export interface NameReports {
  overview: OverviewReport;
  tree: TreeReport;
  patterns: PatternsReport;
  names: NamesReport;
}

export const NAME_TABLES: TablesOf<NameReports> = {
  overview: ({ types, topPrefixes, nodes, databases }) => [
    buildTable(types, [
      ['type', 'text', (t) => t.type ?? 'unknown'],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', toMemoryCell],
      ['average', 'bytes', (t) => t.avgBytes],
      ['p99', 'bytes', (t) => t.p99Bytes],
      ['with expiry', 'share', (t) => toShareCell(t.withExpiry, t.keys)],
    ]),
    buildTable(topPrefixes, [
      ['prefix', 'name', (p) => p.path],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', toMemoryCell],
      ['no expiry', 'share', (p) => toShareCell(p.noExpiry, p.keys)],
      ['bigkeys', 'number', (p) => p.bigkeys],
    ]),
    buildTable(nodes, [
      ['node', 'text', (n) => n.address],
      ['keys', 'number', (n) => n.keys],
      ['memory', 'bytes', toMemoryCell],
    ]),
    buildTable(databases, [
      ['database', 'number', (d) => d.db],
      ['keys', 'number', (d) => d.keys],
      ['memory', 'bytes', toMemoryCell],
    ]),
  ],
  tree: ({ children, rest, bytes, keys }) => {
    const cut = {
      avgBytes: '',
      maxBytes: '',
      noExpiry: '',
      ttlP50Seconds: '',
      types: {},
      bigkeys: '',
      mandatory: '',
    };
    const rows = [
      ...children.map((n) => ({
        ...n,
        noExpiry: toShareCell(n.noExpiry, n.keys),
        mandatory: n.findings?.mandatory ?? null,
      })),
      ...(rest ? [{ ...rest, ...cut, path: `(${rest.nodes.toLocaleString('en-US')} more)` }] : []),
    ];
    return [
      buildTable(rows, [
        ['node', 'name', (n) => n.path],
        ['keys', 'number', (n) => n.keys],
        ['memory', 'bytes', toMemoryCell],
        ['share', 'share', (n) => toShareCell(n.bytes, bytes)],
        ['share of keys', 'share', (n) => toShareCell(n.keys, keys)],
        ['average', 'bytes', (n) => n.avgBytes],
        ['largest', 'bytes', (n) => n.maxBytes],
        ['no expiry', 'share', (n) => n.noExpiry],
        ['median ttl', 'seconds', (n) => n.ttlP50Seconds],
        ['types', 'text', (n) => formatTypes(n.types)],
        ['bigkeys', 'number', (n) => n.bigkeys],
        ['mandatory', 'number', (n) => n.mandatory],
      ]),
    ];
  },
  patterns: ({ patterns }) => [
    buildTable(patterns, [
      ['template', 'name', (p) => p.template],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', toMemoryCell],
      ['average', 'bytes', (p) => p.avgBytes],
      ['types', 'text', (p) => Object.keys(p.types).join(',')],
      ['no expiry', 'share', (p) => toShareCell(p.noExpiry, p.keys)],
      ['median ttl', 'seconds', (p) => p.p50TtlSeconds],
      ['ttl', 'span', (p) => (p.minTtlSeconds === null ? null : [p.minTtlSeconds, p.maxTtlSeconds])],
    ]),
  ],
  names: ({ lengths, segments, characters, styles, keys }) => [
    buildTable(lengths, [
      ['bytes of the name', 'text', (l) => toRangeCell(String(l.from), l.to === null ? null : String(l.to))],
      ['keys', 'number', (l) => l.keys],
      ['memory', 'bytes', (l) => l.nameBytes],
    ]),
    buildTable(segments, [
      ['segments', 'text', (s) => `${s.segments}${s.orMore ? '+' : ''}`],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => toShareCell(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
    buildTable(characters, [
      ['characters', 'text', (c) => c.kind],
      ['keys', 'number', (c) => c.keys],
      ['share', 'share', (c) => toShareCell(c.keys, keys)],
      ['example', 'name', (c) => c.example],
    ]),
    buildTable(styles, [
      ['style', 'text', (s) => s.style],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => toShareCell(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
  ],
};
