import { MAX_EXPIRE_AT } from '@/lib/model/facts-page';
import type { ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { asOfSnapshot } from '@/lib/model/snapshot';
import { overviewText } from './overview-text';
import { bytes, columns, duration, memory, number, percent, safe } from './units';

type Show = { [N in ReportName]: (report: ReportResults[N], manifest: SnapshotManifest) => string };

const ttl = (expireAt: number | null, known: boolean, asOf: number) =>
  !known
    ? '—'
    : expireAt === null
      ? 'none'
      : expireAt <= asOf
        ? 'expired'
        : expireAt >= MAX_EXPIRE_AT
          ? 'beyond the date range'
          : duration((expireAt - asOf) / 1000);
const end = asOfSnapshot;

/** What of the keys without an idle time is no gap: no scan can know it. */
const sharedText = ({ unknown, sharedIntegers = 0 }: ReportResults['idle']) =>
  (sharedIntegers > 0
    ? `\n\n${number(sharedIntegers)} keys hold an integer up to 9999, which the server keeps once for all of them: they have no idle time of their own.`
    : '') +
  (unknown.keys > sharedIntegers
    ? `\n\nOf ${number(unknown.keys - sharedIntegers)} keys the idle time is unknown.`
    : '');

/** One table per report; the JSON form has everything, this has what fits a terminal. */
const SHOW: Show = {
  overview: (r, m) => overviewText(m, r),
  tree: (r) =>
    columns(
      ['node', 'keys', 'memory', 'share', 'average', 'no expiry', 'bigkeys'],
      [
        ...r.children.map((n) => [
          safe(n.path),
          number(n.keys),
          memory(n),
          percent(n.bytes, r.bytes),
          bytes(n.avgBytes),
          percent(n.noExpiry, n.keys),
          number(n.bigkeys),
        ]),
        ...(r.rest
          ? [
              [
                `(${number(r.rest.nodes)} more)`,
                number(r.rest.keys),
                memory(r.rest),
                percent(r.rest.bytes, r.bytes),
                '',
                '',
                '',
              ],
            ]
          : []),
      ],
      [1, 2, 3, 4, 5, 6],
    ),
  patterns: (r) =>
    columns(
      ['template', 'keys', 'memory', 'types', 'no expiry'],
      r.patterns.map((p) => [
        safe(p.template),
        number(p.keys),
        memory(p),
        Object.keys(p.types).join(','),
        percent(p.noExpiry, p.keys),
      ]),
      [1, 2, 4],
    ),
  bigkeys: (r, m) =>
    `${columns(
      ['key', 'db', 'type', 'memory', 'elements', 'ttl', 'hazards', 'DEL blocks'],
      r.rows.map((k) => [
        safe(k.name),
        String(k.db),
        k.type ?? '—',
        bytes(k.bytes),
        number(k.length),
        ttl(k.expireAt, k.expiryKnown, end(m)),
        k.hazards.join(','),
        k.delBlocksMs === null ? '—' : `${k.delBlocksMs.toFixed(1)} ms`,
      ]),
      [1, 3, 4, 5, 7],
    )}${r.unknown > 0 ? `\n${number(r.unknown)} more keys not evaluated: their element count was not read.\n` : ''}`,
  ttl: (r) =>
    columns(
      ['expires in', 'keys', 'memory'],
      [
        ['never', number(r.none.keys), memory(r.none)],
        ['already expired', number(r.expired.keys), memory(r.expired)],
        ['unknown', number(r.unknown.keys), memory(r.unknown)],
        ...r.buckets.map((b) => [
          `${duration(b.fromSeconds)} – ${b.toSeconds === null ? '∞' : duration(b.toSeconds)}`,
          number(b.keys),
          memory(b),
        ]),
      ],
      [1, 2],
    ) +
    (r.storms.length === 0
      ? ''
      : `\n\n${columns(
          ['expiry storm (UTC)', 'prefix', 'keys', 'expected'],
          r.storms.map((s) => [
            new Date(s.minute).toISOString().slice(0, 16),
            safe(s.prefix),
            number(s.keys),
            number(Math.round(s.expected)),
          ]),
          [2, 3],
        )}`),
  slots: (r) =>
    columns(
      ['node', 'role', 'slots', 'keys', 'memory'],
      r.nodes.map((n) => [n.address, n.role, number(n.slotCount), number(n.keys), memory(n)]),
      [2, 3, 4],
    ) +
    `\n\n${columns(
      ['largest slots', 'keys', 'memory', 'example'],
      r.heaviest.map((s) => [String(s.slot), number(s.keys), memory(s), safe(s.example)]),
      [0, 1, 2],
    )}` +
    (r.tags.length === 0
      ? ''
      : `\n\n${columns(
          ['hash tag', 'slot', 'keys', 'memory', 'share'],
          r.tags.map((t) => [safe(t.tag), String(t.slot), number(t.keys), memory(t), percent(t.shareKeys, 1)]),
          [1, 2, 3, 4],
        )}`),
  types: (r) =>
    columns(
      ['type', 'encoding', 'keys', 'memory', 'average'],
      r.encodings.map((e) => [e.type ?? 'unknown', e.encoding ?? '—', number(e.keys), memory(e), bytes(e.avgBytes)]),
      [2, 3, 4],
    ),
  idle: (r) =>
    r.kind === 'none'
      ? 'Idle times are unknown in this snapshot.'
      : columns(
          [r.kind === 'idle' ? 'idle for' : 'frequency', 'keys', 'memory'],
          r.buckets.map((b) => [
            r.kind === 'idle'
              ? `${duration(b.from)} – ${b.to === null ? '∞' : duration(b.to)}`
              : `${b.from} – ${b.to ?? '∞'}`,
            number(b.keys),
            memory(b),
          ]),
          [1, 2],
        ) + sharedText(r),
  keys: (r, m) =>
    columns(
      ['key', 'db', 'type', 'encoding', 'memory', 'elements', 'ttl'],
      r.rows.map((k) => [
        safe(k.name),
        String(k.db),
        k.type ?? '—',
        k.encoding ?? '—',
        bytes(k.bytes),
        number(k.length),
        ttl(k.expireAt, k.expiryKnown, end(m)),
      ]),
      [1, 4, 5, 6],
    ),
};

export function reportText<N extends ReportName>(
  name: N,
  manifest: SnapshotManifest,
  report: ReportResults[N],
): string {
  return `${SHOW[name](report, manifest).trimEnd()}\n`;
}
