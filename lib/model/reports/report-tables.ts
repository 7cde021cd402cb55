/**
 * What reports say as tables of plain cells: for files and the command line. Apart from registry.ts, which the menu of
 * every page reads. The file is long because it is one table: a row per report, to be read in the order of the menu.
 */

import { knownBytes } from '../keys/known-bytes';
import { MAX_EXPIRE_AT } from '../snapshots/facts-page';
import type { KeyRow } from '../snapshots/snapshot';
import type { BigkeyRow, ReportName, ReportResults, Totals } from './reports';
import { type Column, type ReportTable, tableOf } from './table';

const memory = (of: Totals | { keys: number; bytes: number }) => knownBytes(of);
const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
/** `hash 12, string 3`: the type of most keys first. */
const typesText = (types: Record<string, number>) =>
  Object.entries(types)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([type, keys]) => `${type} ${keys}`)
    .join(', ');
const range = (from: string, to: string | null) => `${from} – ${to ?? '∞'}`;

const keyName: Column<KeyRow> = ['key', 'name', (k) => k.name];
const keyDb: Column<KeyRow> = ['db', 'number', (k) => k.db];
const keyType: Column<KeyRow> = ['type', 'text', (k) => k.type];
const keyBytes: Column<KeyRow> = ['memory', 'bytes', (k) => k.bytes];
const keyLength: Column<KeyRow> = ['elements', 'number', (k) => k.length];
const keyEncoding: Column<KeyRow> = ['encoding', 'text', (k) => k.encoding];
/** What may hurt beyond the size; merely large is what the whole report is about. */
const hazardsOf = ({ hazards, split }: BigkeyRow): string[] => [
  ...hazards,
  ...(split && split.severity !== 'large' ? [split.severity] : []),
];
/** Seconds, or the word for what has no number. */
const keyTtl = (asOf: number): Column<KeyRow> => [
  'ttl',
  'seconds',
  ({ expireAt, expiryKnown }) => {
    if (!expiryKnown) return null;
    if (expireAt === null) return 'none';
    if (expireAt <= asOf) return 'expired';
    return expireAt >= MAX_EXPIRE_AT ? 'beyond the date range' : (expireAt - asOf) / 1000;
  },
];

/** In the order of `tableNames`; only the first is shown when empty. */
export const REPORT_TABLES: {
  readonly [N in ReportName]: (report: ReportResults[N], asOf: number) => ReportTable[];
} = {
  overview: ({ types, topPrefixes }) => [
    tableOf(types, [
      ['type', 'text', (t) => t.type ?? 'unknown'],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', memory],
      ['average', 'bytes', (t) => t.avgBytes],
      ['p99', 'bytes', (t) => t.p99Bytes],
      ['with expiry', 'share', (t) => share(t.withExpiry, t.keys)],
    ]),
    tableOf(topPrefixes, [
      ['prefix', 'name', (p) => p.path],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', memory],
      ['no expiry', 'share', (p) => share(p.noExpiry, p.keys)],
      ['bigkeys', 'number', (p) => p.bigkeys],
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
        noExpiry: share(n.noExpiry, n.keys),
        mandatory: n.findings?.mandatory ?? null,
      })),
      ...(rest ? [{ ...rest, ...cut, path: `(${rest.nodes.toLocaleString('en-US')} more)` }] : []),
    ];
    return [
      tableOf(rows, [
        ['node', 'name', (n) => n.path],
        ['keys', 'number', (n) => n.keys],
        ['memory', 'bytes', memory],
        ['share', 'share', (n) => share(n.bytes, bytes)],
        ['share of keys', 'share', (n) => share(n.keys, keys)],
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
  bigkeys: ({ rows }, asOf) => [
    tableOf(rows, [
      keyName,
      keyDb,
      keyType,
      keyEncoding,
      keyBytes,
      keyLength,
      keyTtl(asOf),
      ['idle', 'seconds', (k) => k.idleSeconds],
      ['LFU', 'number', (k) => k.freq],
      ['hazards', 'text', (k) => hazardsOf(k).join(',')],
      // Absent: not asked, or not evaluated yet.
      ['rules', 'text', (k) => k.violated?.join(',') ?? null],
      ['DEL blocks', 'ms', (k) => k.delBlocksMs],
    ]),
  ],
  ttl: (r) => [
    tableOf(
      [
        { label: 'never', ...r.none },
        { label: 'already expired', ...r.expired },
        { label: 'unknown', ...r.unknown },
        ...r.buckets.map((b) => ({ ...b, label: [b.fromSeconds, b.toSeconds] as const })),
      ],
      [
        ['expires in', 'span', (b) => b.label],
        ['keys', 'number', (b) => b.keys],
        ['memory', 'bytes', memory],
      ],
    ),
    tableOf(r.storms, [
      ['expiry storm (UTC)', 'text', (s) => new Date(s.minute).toISOString().slice(0, 16)],
      ['prefix', 'name', (s) => s.prefix],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', memory],
      ['expected', 'number', (s) => Math.round(s.expected)],
      ['times', 'number', (s) => Math.round(s.times)],
    ]),
    tableOf(r.noExpiryByPrefix, [
      ['prefix', 'name', (p) => p.prefix],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', memory],
      ['share', 'share', (p) => p.share],
    ]),
  ],
  slots: (r) => [
    tableOf(r.nodes, [
      ['node', 'text', (n) => n.address],
      ['role', 'text', (n) => n.role],
      ['slots', 'number', (n) => n.slotCount],
      ['keys', 'number', (n) => n.keys],
      ['memory', 'bytes', memory],
    ]),
    tableOf(r.heaviest, [
      ['largest slots', 'number', (s) => String(s.slot)],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', memory],
      ['example', 'name', (s) => s.example],
    ]),
    tableOf(r.tags, [
      ['hash tag', 'name', (t) => t.tag],
      ['slot', 'number', (t) => String(t.slot)],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', memory],
      ['share', 'share', (t) => t.shareKeys],
    ]),
  ],
  keys: ({ rows }, asOf) => [tableOf(rows, [keyName, keyDb, keyType, keyEncoding, keyBytes, keyLength, keyTtl(asOf)])],
  types: ({ types, encodings, savings }) => [
    tableOf(encodings, [
      ['type', 'text', (e) => e.type ?? 'unknown'],
      ['encoding', 'text', (e) => e.encoding],
      ['keys', 'number', (e) => e.keys],
      ['memory', 'bytes', memory],
      ['average', 'bytes', (e) => e.avgBytes],
    ]),
    tableOf(types, [
      ['type', 'text', (t) => t.type ?? 'unknown'],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', memory],
      ['average', 'bytes', (t) => t.avgBytes],
      ['median', 'bytes', (t) => t.p50Bytes],
      ['p99', 'bytes', (t) => t.p99Bytes],
      ['largest', 'bytes', (t) => t.maxBytes],
      // A key without a known type has no known expiry either.
      ['with expiry', 'share', (t) => (t.type === null ? null : share(t.withExpiry, t.keys))],
    ]),
    tableOf(savings?.savings ?? [], [
      ['setting', 'text', (s) => s.setting],
      ['limit', 'number', (s) => s.limit],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', (s) => s.bytes],
      ['saved', 'bytes', (s) => s.savedBytes],
      ['only if', 'text', (s) => (s.ifIntegers ? 'members are integers' : '')],
    ]),
  ],
  sizes: ({ bounds, all, byType }) => [
    tableOf(
      bounds.map((from, i) => ({ from, keys: all.keys[i] ?? 0, total: all.bytes[i] ?? 0 })),
      [
        ['size from', 'bytes', (b) => b.from],
        ['keys', 'number', (b) => b.keys],
        ['memory', 'bytes', (b) => b.total],
      ],
    ),
    tableOf(
      byType.flatMap((t) => bounds.map((from, i) => ({ type: t.type, from, keys: t.counts.keys[i] ?? 0 }))),
      [
        ['type', 'text', (b) => b.type ?? 'unknown'],
        ['size from', 'bytes', (b) => b.from],
        ['keys', 'number', (b) => b.keys],
      ],
    ),
  ],
  names: ({ lengths, segments, characters, styles, keys }) => [
    tableOf(lengths, [
      ['bytes of the name', 'text', (l) => range(String(l.from), l.to === null ? null : String(l.to))],
      ['keys', 'number', (l) => l.keys],
      ['memory', 'bytes', (l) => l.nameBytes],
    ]),
    tableOf(segments, [
      ['segments', 'text', (s) => `${s.segments}${s.orMore ? '+' : ''}`],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => share(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
    tableOf(characters, [
      ['characters', 'text', (c) => c.kind],
      ['keys', 'number', (c) => c.keys],
      ['share', 'share', (c) => share(c.keys, keys)],
      ['example', 'name', (c) => c.example],
    ]),
    tableOf(styles, [
      ['style', 'text', (s) => s.style],
      ['keys', 'number', (s) => s.keys],
      ['share', 'share', (s) => share(s.keys, keys)],
      ['example', 'name', (s) => s.example],
    ]),
  ],
  patterns: ({ patterns }) => [
    tableOf(patterns, [
      ['template', 'name', (p) => p.template],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', memory],
      ['average', 'bytes', (p) => p.avgBytes],
      ['types', 'text', (p) => Object.keys(p.types).join(',')],
      ['no expiry', 'share', (p) => share(p.noExpiry, p.keys)],
      ['median ttl', 'seconds', (p) => p.p50TtlSeconds],
      ['ttl', 'span', (p) => (p.minTtlSeconds === null ? null : [p.minTtlSeconds, p.maxTtlSeconds])],
    ]),
  ],
  idle: ({ kind, buckets, byPrefix }) =>
    kind === 'none'
      ? []
      : [
          tableOf(buckets, [
            kind === 'idle'
              ? ['idle for', 'span', (b) => [b.from, b.to]]
              : ['frequency', 'text', (b) => range(String(b.from), b.to === null ? null : String(b.to))],
            ['keys', 'number', (b) => b.keys],
            ['memory', 'bytes', memory],
          ]),
          tableOf(byPrefix, [
            ['prefix', 'name', (p) => p.prefix],
            ['idle keys', 'number', (p) => p.idleKeys],
            ['idle memory', 'bytes', (p) => knownBytes({ keys: p.idleKeys, bytes: p.idleBytes })],
            ['keys', 'number', (p) => p.keys],
            ['memory', 'bytes', memory],
            ['share', 'share', (p) => share(p.idleBytes, p.bytes)],
          ]),
        ],
};
