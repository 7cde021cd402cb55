/** Overview, namespace tree, patterns and names: what keys are called. Shapes, and what they say as tables. */

import type { FindingCounts } from '../rules/findings';
import { tableOf } from './table';
import { memoryCell, rangeCell, shareCell, type TablesOf, type Totals, type TypeShare } from './totals';

export interface OverviewReport extends Totals {
  types: TypeShare[];
  expiry: { none: number; any: number; unknown: number; expired: number };
  bigkeys: number;
  bigkeyBytes: number;
  /** Keys of which it is unknown whether they are; absent in snapshots that were sealed before it was counted. */
  bigkeysUnknown?: number;
  databases: (Totals & { db: number })[];
  nodes: (Totals & { node: number; address: string })[];
  topPrefixes: TreeNode[];
  prefixCount: number;
}

export interface TreeNode extends Totals {
  /** Segment as shown: the text itself, or `{int}` `{uuid}` and so on (KINDS) for folded ids. */
  segment: string;
  /** Full path up to here, ids folded on the way as the request had them. Ends with the delimiter for branches. */
  path: string;
  /** Below here all keys go on together to this path; `path` where they part at once, or that is not known. */
  endPath: string;
  /** The largest parts below `endPath`, where the question asks for them and they are known. `type`: their main one. */
  below?: { segment: string; path: string; keys: number; bytes: number; type: string | null }[];
  /** `segment` stands for many. */
  folds: boolean;
  /** How many different segments it stands for; null: for itself, or their number is not known. */
  folded: number | null;
  /** Keys whose name ends here. */
  leafKeys: number;
  /** Keys that go on below. 0 = last level. */
  branchKeys: number;
  avgBytes: number | null;
  maxBytes: number | null;
  noExpiry: number;
  ttlP50Seconds: number | null;
  bigkeys: number;
  types: Record<string, number>;
  /** The type that takes most of the memory; null: no size is known. */
  heaviestType: string | null;
  example: string;
  /** Keys with findings below here; absent or null: not (yet) known. */
  findings?: FindingCounts | null;
}

export interface TreeReport extends Totals {
  path: string;
  depth: number;
  delimiter: string;
  sort: string;
  children: TreeNode[];
  /** Children that are not on this page, summed, so that shares add up. */
  rest: (Totals & { nodes: number }) | null;
  childCount: number;
  /** Place of the first of `children` among all in this order, from 0. */
  offset: number;
  /** The next page of children; null: these are the last. */
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
  /** The next page; null: these are the last. */
  nextCursor: string | null;
}

/** Of a name's characters: `lower` (a-z 0-9 : _ . { } -), capital letters beside them, and so on to what is no text. */
export type NameCharacters = 'lower' | 'upper' | 'signs' | 'spaces' | 'unicode' | 'binary';
export interface NamesReport {
  keys: number;
  /** All names together, and the longest one. */
  nameBytes: number;
  maxNameBytes: number | null;
  /** Half-open [from, to) bytes of the name. */
  lengths: { from: number; to: number | null; keys: number; nameBytes: number }[];
  /** By number of segments; the last entry counts as many and more. */
  segments: { segments: number; orMore: boolean; keys: number; example: string }[];
  characters: { kind: NameCharacters; keys: number; example: string }[];
  /** A name may be in several styles, or (ids, other scripts) in none. */
  styles: { style: string; keys: number; example: string }[];
  /** Keys whose name is in more than one style; a plain lower-case word fits every style but capitals. */
  mixed: number;
}

/** `hash 12, string 3`: the type of most keys first. */
const typesText = (types: Record<string, number>) =>
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
    tableOf(types, [
      ['type', 'text', (t) => t.type ?? 'unknown'],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', memoryCell],
      ['average', 'bytes', (t) => t.avgBytes],
      ['p99', 'bytes', (t) => t.p99Bytes],
      ['with expiry', 'share', (t) => shareCell(t.withExpiry, t.keys)],
    ]),
    tableOf(topPrefixes, [
      ['prefix', 'name', (p) => p.path],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', memoryCell],
      ['no expiry', 'share', (p) => shareCell(p.noExpiry, p.keys)],
      ['bigkeys', 'number', (p) => p.bigkeys],
    ]),
    tableOf(nodes, [
      ['node', 'text', (n) => n.address],
      ['keys', 'number', (n) => n.keys],
      ['memory', 'bytes', memoryCell],
    ]),
    tableOf(databases, [
      ['database', 'number', (d) => d.db],
      ['keys', 'number', (d) => d.keys],
      ['memory', 'bytes', memoryCell],
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
        noExpiry: shareCell(n.noExpiry, n.keys),
        mandatory: n.findings?.mandatory ?? null,
      })),
      ...(rest ? [{ ...rest, ...cut, path: `(${rest.nodes.toLocaleString('en-US')} more)` }] : []),
    ];
    return [
      tableOf(rows, [
        ['node', 'name', (n) => n.path],
        ['keys', 'number', (n) => n.keys],
        ['memory', 'bytes', memoryCell],
        ['share', 'share', (n) => shareCell(n.bytes, bytes)],
        ['share of keys', 'share', (n) => shareCell(n.keys, keys)],
        ['average', 'bytes', (n) => n.avgBytes],
        ['largest', 'bytes', (n) => n.maxBytes],
        ['no expiry', 'share', (n) => n.noExpiry],
        ['median ttl', 'seconds', (n) => n.ttlP50Seconds],
        ['types', 'text', (n) => typesText(n.types)],
        ['bigkeys', 'number', (n) => n.bigkeys],
        ['mandatory', 'number', (n) => n.mandatory],
      ]),
    ];
  },
  patterns: ({ patterns }) => [
    tableOf(patterns, [
      ['template', 'name', (p) => p.template],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', memoryCell],
      ['average', 'bytes', (p) => p.avgBytes],
      ['types', 'text', (p) => Object.keys(p.types).join(',')],
      ['no expiry', 'share', (p) => shareCell(p.noExpiry, p.keys)],
      ['median ttl', 'seconds', (p) => p.p50TtlSeconds],
      ['ttl', 'span', (p) => (p.minTtlSeconds === null ? null : [p.minTtlSeconds, p.maxTtlSeconds])],
    ]),
  ],
  names: ({ lengths, segments, characters, styles, keys }) => [
    tableOf(lengths, [
      ['bytes of the name', 'text', (l) => rangeCell(String(l.from), l.to === null ? null : String(l.to))],
      ['keys', 'number', (l) => l.keys],
      ['memory', 'bytes', (l) => l.nameBytes],
    ]),
    tableOf(segments, [
      ['segments', 'text', (s) => `${s.segments}${s.orMore ? '+' : ''}`],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => shareCell(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
    tableOf(characters, [
      ['characters', 'text', (c) => c.kind],
      ['keys', 'number', (c) => c.keys],
      ['share', 'share', (c) => shareCell(c.keys, keys)],
      ['example', 'name', (c) => c.example],
    ]),
    tableOf(styles, [
      ['style', 'text', (s) => s.style],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => shareCell(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
  ],
};
