import { isUtf8 } from 'node:buffer';
import calculateSlot from 'cluster-key-slot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName, ReportResults, Totals } from '@/lib/model/reports/reports';
import { estimateDeleteMs } from '@/lib/snapshots/key-query/delete-cost';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/**
 * Every report is compared with figures that are computed here by hand from the same rows, without SQL and without the
 * code under test.
 */
interface Plain {
  name: string;
  nameBytes: number;
  isText: boolean;
  node: number;
  db: number;
  type: string | null;
  encoding: string | null;
  expireAt: number | null;
  known: boolean;
  bytes: number | null;
  length: number | null;
  idle: number | null;
  slot: number;
  tag: string | null;
}

/** Shows a name by the rule of display, written again from its description. */
function shown(bytes: Buffer): string {
  const [length, text] = [bytes.length >= 7 ? bytes.readUInt16BE(5) : -1, bytes.subarray(7)];
  if (bytes.toString('latin1', 0, 5) === '\xac\xed\0\x05t' && length === text.length)
    return `\\java\\${shownText(text)}`;
  const form = shownText(bytes);
  const [run] = /^\\*/.exec(form)!;
  return run !== '' && form.slice(run.length).startsWith('java\\') ? run + form : form;
}

function shownText(bytes: Buffer): string {
  const units: string[] = [];
  for (let i = 0; i < bytes.length; ) {
    let taken = 0;
    for (const size of [1, 2, 3, 4]) {
      const piece = bytes.subarray(i, i + size);
      if (piece.length < size) break;
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece);
        const code = text.codePointAt(0)!;
        if (Array.from(text).length === 1 && code >= 0x20 && !(code >= 0x7f && code <= 0x9f)) {
          units.push(text);
          taken = size;
        } else if (Array.from(text).length === 1) {
          units.push([...piece].map((b) => `\\x${b.toString(16).padStart(2, '0')}`).join(''));
          taken = size;
        }
        break;
      } catch {}
    }
    if (taken === 0) {
      units.push(`\\x${bytes[i]!.toString(16).padStart(2, '0')}`);
      taken = 1;
    }
    i += taken;
  }
  // Go from the end: a backslash is doubled if an escape, the rest of one, or a doubled backslash follows.
  let out = '';
  let doubles = false;
  for (let i = units.length - 1; i >= 0; i--) {
    const unit = units[i]!;
    if (unit === '\\' && doubles) out = `\\\\${out}`;
    else {
      doubles = unit.startsWith('\\x') || (unit === 'x' && /^[0-9a-f]{2}/.test(units.slice(i + 1, i + 3).join('')));
      out = unit + out;
    }
  }
  return out;
}

function plain(row: MadeRow): Plain {
  const name = shown(row.bytesOfName);
  const open = name.indexOf('{');
  const close = open < 0 ? -1 : name.indexOf('}', open + 1);
  return {
    name,
    nameBytes: row.bytesOfName.length,
    isText: isUtf8(row.bytesOfName) && !/[\u0000-\u001f\u007f-\u009f]/.test(row.bytesOfName.toString()),
    node: row.node,
    db: row.db,
    type: row.type,
    encoding: row.encoding,
    expireAt: row.expireAt >= 0 ? row.expireAt : null,
    known: row.expireAt !== -1,
    bytes: row.bytes >= 0 ? row.bytes : null,
    length: row.length >= 0 ? row.length : null,
    idle: row.idle >= 0 ? row.idle : null,
    slot: calculateSlot(row.bytesOfName),
    tag: close > open + 1 ? name.slice(open + 1, close) : null,
  };
}

const totals = (rows: Plain[]): Totals => ({
  keys: rows.length,
  bytes: rows.reduce((n, r) => n + (r.bytes ?? 0), 0),
  bytesUnknown: rows.filter((r) => r.bytes === null).length,
});
const bigBy = (string: number, elements: number, bytes: number) => (r: Plain) => {
  if (r.type === null) return r.bytes !== null && r.bytes > bytes;
  if (r.type === 'string')
    return r.length === null ? (r.bytes ?? 0) > 2 * (string + r.nameBytes) + 128 : r.length > string;
  return (r.length ?? 0) > elements || (r.bytes ?? 0) > bytes;
};
const isBig = bigBy(10 * 1024, 5000, 1024 * 1024);
function groupBy<K>(rows: Plain[], key: (r: Plain) => K): Map<K, Plain[]> {
  const groups = new Map<K, Plain[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
/** Returns the value at position ceil(q × n), counted from one. */
const quantile = (values: number[], q: number) =>
  values.length === 0 ? null : [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(q * values.length) - 1)]!;
/** Sizes are counted in 64 steps to a doubling. */
const sizeStep = (bytes: number | null) =>
  bytes === null || bytes < 1024 ? bytes : bytes - (bytes % 2 ** (Math.floor(Math.log2(bytes)) - 6));
const HOURS = 3600;
const TIME_STEPS = [60, 300, 900, HOURS, 3 * HOURS, 6 * HOURS, 12 * HOURS, 24 * HOURS, 240 * HOURS, 720 * HOURS];
/** Returns the middle of the time step that contains the median, limited to moments that keys have. Seconds. */
function medianTtl(group: Plain[]): number | null {
  const moments = known(group.map((r) => r.expireAt));
  const median = quantile(moments, 0.5);
  if (median === null) return null;
  const step = 1000 * (TIME_STEPS.find((seconds) => median - AS_OF <= seconds * 498_000) ?? 8640 * HOURS);
  const middle = median <= AS_OF ? AS_OF : Math.floor(median / step) * step + step / 2;
  const stepped = Math.min(Math.max(middle, Math.min(...moments)), Math.max(...moments));
  return Math.max(0, Math.floor((stepped - AS_OF) / 1000));
}
function toCharacters({ name, isText }: Plain): string {
  if (!isText) return 'binary';
  if (/^[a-z0-9:_.{}-]*$/.test(name)) return 'lower';
  if (/^[A-Za-z0-9:_.{}-]*$/.test(name)) return 'upper';
  return /^[!-~]*$/.test(name) ? 'signs' : /^[ -~]*$/.test(name) ? 'spaces' : 'unicode';
}
const known = (values: (number | null)[]) => values.filter((v) => v !== null);

function findKind(s: string): string | null {
  const month = (m: string) => Number(m) >= 1 && Number(m) <= 12;
  const day = (d: string) => Number(d) >= 1 && Number(d) <= 31;
  const isDate =
    (/^(19|20)\d{6}$/.test(s) && month(s.slice(4, 6)) && day(s.slice(6))) ||
    (/^(19|20)\d\d-\d\d$/.test(s) && month(s.slice(5))) ||
    (/^(19|20)\d\d-\d\d-\d\d$/.test(s) && month(s.slice(5, 7)) && day(s.slice(8)));
  if (isDate) return '{date}';
  if (/^[0-9]+$/.test(s)) return '{int}';
  if (/^[^@ ]+@[^@ ]+\.[A-Za-z]{2,}$/u.test(s)) return '{email}';
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(s)) return /\d/.test(s) ? '{uuid}' : null;
  if (/^([0-9a-f]{8,}|[0-9A-F]{8,}|0x[0-9a-fA-F]+)$/.test(s) && /\d/.test(s)) return '{hex}';
  if (/^([0-9a-z]{24,}|[0-9A-Z]{24,})$/.test(s) && s.search(/\d/) >= 0 && s.search(/\d/) < 23) return '{alnum}';
  if (/^eyJ[\w-]+\.[\w-]*\.[\w-]*$/.test(s) && /\d/.test(s)) return '{b64}';
  if (/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(s) && /\d/.test(s) && /[a-z]/.test(s) && /[A-Z]/.test(s)) return '{b64}';
  const form = withoutQuoted(findJoined(s) ?? escaped(s));
  return form === escaped(s) ? null : form;
}

/** Folds the quoted value with which a part of JSON begins: the delimiter parted it from its key. */
const withoutQuoted = (form: string) => form.replace(/^( ?")[^"{}]*[A-Za-z][^"{}]*("[,}\]])/, '$1{text}$2');

const TOKENS = /\\*\{(date|int|uuid|hex|email|alnum|b64|text)\}/g;
/**
 * Any ASCII sign except the backslash and the percent sign, and the characters of scripts that are written without
 * spaces.
 */
const JOINT = '[^\\0-\\x1f0-9A-Za-z%\\\\\\x7f-\\u2e7f]';
const escaped = (s: string) => s.replace(TOKENS, (token) => `\\${token}`);

const DAY =
  '(?:19|20)\\d\\d(?:(?:0[1-9]|1[012])(?:0[1-9]|[12]\\d|3[01])|-(?:0[1-9]|1[012])(?:-(?:0[1-9]|[12]\\d|3[01]))?)';
const timed = (kind: string) => (kind === 'date' || kind === 'int' ? 'Z?' : '');

/**
 * Folds ids between joining characters, cut out by hand: the longest id that begins first; UUIDs and dates before
 * others.
 */
function findJoined(s: string): string | null {
  if (!/\d/.test(s)) return null;
  const inner = /^\{.+\}$/s.test(s) ? findKind(s.slice(1, -1)) : null;
  if (inner !== null && /^\{[a-z0-9]+\}$/.test(inner)) return `{${inner}}`;
  const forms = [
    ['uuid', '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
    ['date', DAY],
    ['int', '\\d+'],
    ['hex', '([0-9a-f]{8,}|[0-9A-F]{8,}|0x[0-9a-fA-F]+)'],
    ['alnum', '([a-z]{0,22}\\d[0-9a-z]*|[A-Z]{0,22}\\d[0-9A-Z]*)(?<=[0-9A-Za-z]{24})'],
  ];
  const form = forms.reduce(
    (text, [kind, id]) =>
      text.replace(new RegExp(`(?<=^|${JOINT})${id}(?=${timed(kind!)}(?:$|${JOINT}))`, 'g'), `{${kind}}`),
    escaped(s).replace(new RegExp(`(?<=^|${JOINT})(${DAY})T(\\d\\d){1,3}(?=Z?(?:$|${JOINT}))`, 'g'), '{date}T{int}'),
  );
  const whole = form.replace(new RegExp(`(?<=(?:^|${JOINT})[0-9A-Za-z]*[A-Za-z])\\d{6,}(?=$|${JOINT})`, 'g'), '{int}');
  return whole === escaped(s) ? null : whole;
}

/** Returns the children of a path, which is given as a test on the segments before them. */
function findChildren(rows: Plain[], depth: number, onPath: (segments: string[]) => boolean, fold: boolean) {
  const below = rows
    .map((row) => ({ row, segments: row.name.split(':') }))
    .filter(({ segments }) => segments.length > depth && onPath(segments));
  const distinct = new Map<string, Set<string>>();
  for (const { segments } of below) {
    const kind = findKind(segments[depth]!);
    if (kind) distinct.set(kind, (distinct.get(kind) ?? new Set()).add(segments[depth]!));
  }
  const nodes = new Map<string, { segment: string; folded: number | null; rows: Plain[]; leaves: number }>();
  for (const { row, segments } of below) {
    const kind = fold ? findKind(segments[depth]!) : null;
    const folds = kind !== null && distinct.get(kind)!.size > 20;
    const id = folds ? `F${kind}` : `L${segments[depth]}`;
    const node = nodes.get(id) ?? {
      segment: folds ? kind : segments[depth]!,
      folded: folds ? distinct.get(kind)!.size : null,
      rows: [],
      leaves: 0,
    };
    node.rows.push(row);
    if (segments.length === depth + 1) node.leaves++;
    nodes.set(id, node);
  }
  return [...nodes.values()];
}

const ROWS = LONG ? 12_000 : 2400;

/** So many keys of users expire in one minute that it is a storm, however few keys there are. */
const joinStorm = (row: MadeRow, i: number): MadeRow =>
  row.bytesOfName.toString().startsWith('shop:user:') && i % 3 === 0
    ? { ...row, expireAt: AS_OF + 90 * 60_000 + 5000 + (i % 20) * 1000 }
    : row;

let refs: { sealed: SnapshotRef; live: SnapshotRef; rolled: SnapshotRef };
let rows: Plain[];
let clean: () => Promise<void>;

beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(ROWS).map(joinStorm);
  rows = made.map(plain);
  refs = {
    sealed: await makeSealed(folder.root, 'sealed', made),
    live: await makeLive(folder.root, 'live', made),
    // The snapshot has many files, so that their sums have to be joined.
    rolled: await makeSealed(folder.root, 'rolled', made, {
      fileRows: (ROWS * 3) / (LONG ? 40 : 20),
    }),
  };
  expect(refs.rolled.manifest.files.length).toBeGreaterThan(5);
  await makeRollup(refs.rolled);
});
afterAll(() => clean());

/** Runs a report on the keys, sealed and live, and on the roll-up. All must give the same answer. */
async function ask<N extends ReportName>(name: N, query: ReportQuery = {}): Promise<ReportResults[N]> {
  const sealed = await runReport(refs.sealed, name, query);
  const live = await runReport(refs.live, name, query);
  expect([sealed.live, live.live]).toEqual([false, true]);
  expect(sealed.asOf).toBe(AS_OF);
  expect(stable(live.report)).toEqual(stable(sealed.report));
  const rolled = await runReport(refs.rolled, name, query);
  expect(unshaped(rolled.report)).toEqual(unshaped(sealed.report));
  return sealed.report;
}

/** With a roll-up all keys of a level decide what folds, and the number of folded ids may be unknown there. */
function unshaped(report: unknown): unknown {
  return JSON.parse(JSON.stringify(stable(report)), (key, value) =>
    ['topPrefixes', 'prefixCount', 'folded'].includes(key) ? undefined : value,
  );
}

/** An example may be any key of the group. */
function stable(report: unknown): unknown {
  return JSON.parse(JSON.stringify(report, (key, value) => (key === 'example' ? undefined : value)));
}

interface Filter {
  name: string;
  query: ReportQuery;
  keep: (r: Plain) => boolean;
}

const FILTERS: Filter[] = [
  { name: 'everything', query: {}, keep: () => true },
  { name: 'a prefix', query: { prefix: 'shop:user:' }, keep: (r) => r.name.startsWith('shop:user:') },
  { name: 'a multi-byte prefix', query: { prefix: '用' }, keep: (r) => r.name.startsWith('用') },
  {
    name: 'the last code point as prefix',
    query: { prefix: '\u{10ffff}' },
    keep: (r) => r.name.startsWith('\u{10ffff}'),
  },
  {
    name: 'the code point before the surrogates',
    query: { prefix: '\ud7ff' },
    keep: (r) => r.name.startsWith('\ud7ff'),
  },
  { name: 'a quote as prefix', query: { prefix: "' OR 1=1" }, keep: (r) => r.name.startsWith("' OR 1=1") },
  { name: 'a pattern character as prefix', query: { prefix: '%' }, keep: (r) => r.name.startsWith('%') },
  { name: 'a search', query: { search: 'cart' }, keep: (r) => r.name.includes('cart') },
  { name: 'a pattern', query: { search: '*:[1-4]*' }, keep: (r) => /:[1-4]/.test(r.name) },
  { name: 'types', query: { type: ['hash', 'unknown'] }, keep: (r) => r.type === 'hash' || r.type === null },
  { name: 'an encoding', query: { encoding: ['listpack'] }, keep: (r) => r.encoding === 'listpack' },
  { name: 'no expiry', query: { expiry: 'none' }, keep: (r) => r.known && r.expireAt === null },
  { name: 'unknown expiry', query: { expiry: 'unknown' }, keep: (r) => !r.known },
  { name: 'expired', query: { expiry: 'expired' }, keep: (r) => r.expireAt !== null && r.expireAt <= AS_OF },
  {
    name: 'a TTL range',
    query: { ttlMin: 60, ttlMax: 86_400.5 },
    keep: (r) => r.expireAt !== null && r.expireAt >= AS_OF + 60_000 && r.expireAt <= AS_OF + 86_400_500,
  },
  {
    name: 'sizes',
    query: { bytesMin: 500.5, bytesMax: 5000 },
    keep: (r) => r.bytes !== null && r.bytes > 500 && r.bytes <= 5000,
  },
  {
    name: 'bytes of the name',
    query: { nameBytesMin: 8, nameBytesMax: 15 },
    keep: (r) => r.nameBytes >= 8 && r.nameBytes <= 15,
  },
  {
    name: 'lengths and idle',
    query: { lengthMin: 10, idleMin: 3600, idleMax: 8_640_000 },
    keep: (r) => (r.length ?? 0) >= 10 && r.idle !== null && r.idle >= 3600 && r.idle <= 8_640_000,
  },
  { name: 'databases and nodes', query: { db: [5], node: [0, 2] }, keep: (r) => r.db === 5 && r.node !== 1 },
  { name: 'slots', query: { slotMin: 1000, slotMax: 6000 }, keep: (r) => r.slot >= 1000 && r.slot <= 6000 },
  { name: 'a tag', query: { tag: 'room:3' }, keep: (r) => r.tag === 'room:3' },
  { name: 'bigkeys', query: { big: true }, keep: isBig },
  {
    name: 'a template',
    query: { template: 'shop:user:{int}:' },
    keep: (r) => /^shop:user:[0-9]+:/.test(r.name) && findKind(r.name.split(':')[2]!) === '{int}',
  },
  {
    name: 'a template with its tail',
    query: { template: 'shop:user:{int}:ca' },
    keep: (r) => /^shop:user:[0-9]+:ca/.test(r.name) && findKind(r.name.split(':')[2]!) === '{int}',
  },
  {
    name: 'a template of dates',
    query: { template: 'shop:order:{date}' },
    keep: (r) => r.name.startsWith('shop:order:') && findKind(r.name.split(':')[2]!) === '{date}',
  },
  { name: 'a name, not what begins with it', query: { prefix: 'a:b', exact: true }, keep: (r) => r.name === 'a:b' },
  {
    name: 'names that end at a template',
    query: { template: 'shop:user:{int}', exact: true },
    keep: (r) => /^shop:user:[0-9]+$/.test(r.name) && findKind(r.name.split(':')[2]!) === '{int}',
  },
  {
    name: 'a literal that looks folded',
    query: { template: 'x:\\{int}:' },
    keep: (r) => r.name.startsWith('x:{int}:'),
  },
];

async function checkKeys(query: ReportQuery, kept: Plain[]): Promise<void> {
  const keys = await ask('keys', { ...query, limit: 1000 });
  expect({ keys: keys.total, bytes: keys.totalBytes }).toEqual({ keys: kept.length, bytes: totals(kept).bytes });
  const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const names = kept.map((r) => r.name).sort(order);
  expect(keys.rows.map((r) => r.name)).toEqual(names.slice(0, 1000));
}

async function checkOverview(query: ReportQuery, kept: Plain[]): Promise<void> {
  const overview = await ask('overview', query);
  expect(overview).toMatchObject({
    ...totals(kept),
    bigkeys: kept.filter(isBig).length,
    bigkeyBytes: totals(kept.filter(isBig)).bytes,
    expiry: {
      none: kept.filter((r) => r.known && r.expireAt === null).length,
      any: kept.filter((r) => r.expireAt !== null).length,
      unknown: kept.filter((r) => !r.known).length,
      expired: kept.filter((r) => r.expireAt !== null && r.expireAt <= AS_OF).length,
    },
  });
  for (const [type, group] of groupBy(kept, (r) => r.type)) {
    const sizes = known(group.map((r) => r.bytes));
    expect(overview.types.find((t) => t.type === type)).toEqual({
      type,
      ...totals(group),
      avgBytes: sizes.length ? totals(group).bytes / sizes.length : null,
      p50Bytes: sizeStep(quantile(sizes, 0.5)),
      p99Bytes: sizeStep(quantile(sizes, 0.99)),
      maxBytes: sizes.length ? Math.max(...sizes) : null,
      withExpiry: group.filter((r) => r.expireAt !== null).length,
    });
  }
  for (const field of ['db', 'node'] as const) {
    const said = field === 'db' ? overview.databases : overview.nodes;
    expect(said.map((d) => [(d as unknown as Record<string, number>)[field], d.keys, d.bytes, d.bytesUnknown])).toEqual(
      [...groupBy(kept, (r) => r[field])].sort((a, b) => a[0] - b[0]).map(([v, g]) => [v, ...Object.values(totals(g))]),
    );
  }

  const types = await ask('types', query);
  expect(types.types).toEqual(overview.types);
  expect(new Map(types.encodings.map((e) => [`${e.type}/${e.encoding}`, e.keys]))).toEqual(
    new Map([...groupBy(kept, (r) => `${r.type}/${r.encoding}`)].map(([k, g]) => [k, g.length])),
  );
}

async function checkSlots(query: ReportQuery, kept: Plain[]): Promise<void> {
  const slots = await ask('slots', { ...query, masters: 5 });
  const bySlot = [...groupBy(kept, (r) => r.slot)].sort((a, b) => a[0] - b[0]);
  expect(slots.slots).toEqual({
    slot: bySlot.map(([slot]) => slot),
    keys: bySlot.map(([, g]) => g.length),
    bytes: bySlot.map(([, g]) => totals(g).bytes),
  });
  expect(slots.skew.emptySlots).toBe(16_384 - bySlot.length);
  expect(slots.skew.maxKeysOverMean).toBeCloseTo(Math.max(...bySlot.map(([, g]) => g.length)) / (kept.length / 16_384));
  expect(slots.nodes.map((n) => n.keys)).toEqual([0, 1, 2].map((n) => kept.filter((r) => r.node === n).length));
  const tags = groupBy(
    kept.filter((r) => r.tag !== null),
    (r) => r.tag!,
  );
  expect(slots.tagCount).toBe(tags.size);
  for (const tag of slots.tags)
    expect({ keys: tag.keys, bytes: tag.bytes }).toEqual({
      keys: tags.get(tag.tag)!.length,
      bytes: totals(tags.get(tag.tag)!).bytes,
    });
  expect(slots.simulation!.keys.reduce((a, b) => a + b)).toBe(kept.length);
  slots.simulation!.keys.forEach((keysOf, i) => {
    const from = i === 0 ? 0 : Math.round((i * 16_384) / 5 - 1) + 1;
    const to = i === 4 ? 16_383 : Math.round(((i + 1) * 16_384) / 5 - 1);
    expect(keysOf).toBe(kept.filter((r) => r.slot >= from && r.slot <= to).length);
  });
}

async function checkTtl(query: ReportQuery, kept: Plain[]): Promise<void> {
  const ttl = await ask('ttl', query);
  const ahead = kept.filter((r) => r.expireAt !== null && r.expireAt > AS_OF);
  expect(ttl.none).toEqual(totals(kept.filter((r) => r.known && r.expireAt === null)));
  expect(ttl.unknown).toEqual(totals(kept.filter((r) => !r.known)));
  expect(ttl.any).toEqual(totals(kept.filter((r) => r.expireAt !== null)));
  for (const bucket of ttl.buckets) {
    const inside = ahead.filter((r) => {
      const left = (r.expireAt! - AS_OF) / 1000;
      return left >= bucket.fromSeconds && (bucket.toSeconds === null || left < bucket.toSeconds);
    });
    expect({ keys: bucket.keys, bytes: bucket.bytes }).toEqual({
      keys: inside.length,
      bytes: totals(inside).bytes,
    });
  }
  expect(ttl.timeline.length).toBeLessThanOrEqual(500);
  expect(ttl.timeline.reduce((n, p) => n + p.keys, 0)).toBe(ahead.length);
  expect(ttl.shortest.keys).toBe(ahead.filter((r) => r.expireAt! - AS_OF < 60_000).length);
  expect(ttl.noExpiryByPrefix.reduce((n, p) => n + p.keys, 0)).toBeLessThanOrEqual(ttl.none.keys);
}

async function checkIdle(query: ReportQuery, kept: Plain[]): Promise<void> {
  const idle = await ask('idle', { ...query, days: 7 });
  expect(idle.unknown).toEqual(totals(kept.filter((r) => r.idle === null)));
  for (const bucket of idle.buckets) {
    const inside = kept.filter(
      (r) => r.idle !== null && r.idle >= bucket.from && (bucket.to === null || r.idle < bucket.to),
    );
    expect({ keys: bucket.keys, bytes: bucket.bytes }).toEqual({
      keys: inside.length,
      bytes: totals(inside).bytes,
    });
  }
}

async function checkSizes(query: ReportQuery, kept: Plain[]): Promise<void> {
  const sizes = await ask('sizes', query);
  const sized = (some: Plain[], i: number) =>
    some.filter(
      (r) => (r.bytes ?? -1) >= sizes.bounds[i]! && r.bytes! < (sizes.bounds[i + 1] ?? Number.POSITIVE_INFINITY),
    );
  expect(sizes).toMatchObject(totals(kept));
  expect(sizes.byType.map(({ type }) => type).sort()).toEqual([...groupBy(kept, (r) => r.type).keys()].sort());
  for (const { type, counts } of [{ type: undefined, counts: sizes.all }, ...sizes.byType]) {
    const some = kept.filter((r) => type === undefined || r.type === type);
    expect(counts.keys, String(type)).toEqual(sizes.bounds.map((_, i) => sized(some, i).length));
    expect(counts.bytes, String(type)).toEqual(sizes.bounds.map((_, i) => totals(sized(some, i)).bytes));
  }
}

async function checkNames(query: ReportQuery, kept: Plain[]): Promise<void> {
  const built = await ask('names', query);
  expect(built.keys).toBe(kept.length);
  expect(built.nameBytes).toBe(kept.reduce((n, r) => n + r.nameBytes, 0));
  expect(built.maxNameBytes).toBe(kept.length === 0 ? null : Math.max(...kept.map((r) => r.nameBytes)));
  expect(built.lengths.reduce((n, one) => n + one.keys, 0)).toBe(kept.length);
  for (const { from, to, keys } of built.lengths)
    expect(keys).toBe(kept.filter((r) => r.nameBytes >= from && r.nameBytes < (to ?? Number.POSITIVE_INFINITY)).length);
  expect(new Map(built.segments.map(({ segments, keys }) => [segments, keys]))).toEqual(
    new Map(
      [...groupBy(kept, (r) => Math.min(16, r.name.split(':').length))]
        .sort(([a], [b]) => a - b)
        .map(([segments, g]) => [segments, g.length]),
    ),
  );
  expect(new Map(built.characters.map(({ kind, keys }) => [kind, keys]))).toEqual(
    new Map([...groupBy(kept, toCharacters)].map(([kind, g]) => [kind, g.length])),
  );
}

async function checkBigkeys(query: ReportQuery, kept: Plain[]): Promise<void> {
  const big = await ask('bigkeys', { ...query, limit: 1000 });
  const bigs = kept.filter(isBig);
  expect({ total: big.total, bytes: big.totalBytes }).toEqual({ total: bigs.length, bytes: totals(bigs).bytes });
  expect(big.rows.map((r) => r.bytes)).toEqual(
    bigs
      .map((r) => r.bytes)
      .sort((a, b) => (b ?? -1) - (a ?? -1))
      .slice(0, 1000),
  );
  for (const row of big.rows) {
    expect(row.over.length).toBeGreaterThan(0);
    expect(row.hazards.includes('expires_soon')).toBe(row.expireAt !== null && row.expireAt - AS_OF < 3_600_000);
  }
}

async function checkPatterns(query: ReportQuery, kept: Plain[]): Promise<void> {
  const patterns = await ask('patterns', { ...query, limit: 1000 });
  const templates = groupBy(kept, (r) =>
    r.name
      .split(':')
      .map((s) => findKind(s) ?? escaped(s))
      .join(':'),
  );
  expect(patterns.templateCount).toBe(templates.size);
  expect(patterns.patterns.length).toBe(Math.min(1000, templates.size));
  for (const pattern of patterns.patterns) {
    const group = templates.get(pattern.template)!;
    expect(totals(group)).toEqual({ keys: pattern.keys, bytes: pattern.bytes, bytesUnknown: pattern.bytesUnknown });
    expect(group.map((r) => r.name)).toContain(pattern.example);
    expect(pattern.types).toEqual(counts(group));
    expect(pattern.noExpiry).toBe(group.filter((r) => r.known && r.expireAt === null).length);
    expect(pattern.p50TtlSeconds).toBe(medianTtl(group));
  }
}

const OTHERS = [checkOverview, checkSlots, checkTtl, checkIdle, checkSizes, checkNames, checkBigkeys, checkPatterns];

/** The key list shows which keys a filter selects; each other report is tested under a few filters of each kind. */
const checksUnder = (f: number) => [
  checkKeys,
  ...(LONG || f === 0 ? OTHERS : [OTHERS[f % OTHERS.length]!, OTHERS[(f + 3) % OTHERS.length]!]),
];

describe('under every filter', () => {
  for (const [f, { name, query, keep }] of FILTERS.entries()) {
    it(name, async () => {
      const kept = rows.filter(keep);
      if (name !== 'everything') expect(kept.length).toBeLessThan(rows.length);
      expect(kept.length).toBeGreaterThan(0);
      for (const check of checksUnder(f)) await check(query, kept);
    });
  }
});

function counts(group: Plain[]): Record<string, number> {
  const out: Record<string, number> = Object.create(null);
  for (const row of group) out[row.type ?? 'unknown'] = (out[row.type ?? 'unknown'] ?? 0) + 1;
  return out;
}

describe('the tree', () => {
  const levels: { path: string; query?: ReportQuery; depth: number; on: (s: string[]) => boolean }[] = [
    { path: '', depth: 0, on: () => true },
    { path: 'shop:', depth: 1, on: (s) => s[0] === 'shop' },
    { path: 'shop:user:', depth: 2, on: (s) => s[0] === 'shop' && s[1] === 'user' },
    {
      path: 'shop:user:{int}:',
      depth: 3,
      on: (s) => s[0] === 'shop' && s[1] === 'user' && findKind(s[2]!) === '{int}',
    },
    { path: 'shop:shard:', depth: 2, on: (s) => s[0] === 'shop' && s[1] === 'shard' },
    {
      path: 'shop:shard:{int}:item:',
      depth: 4,
      on: (s) => s[1] === 'shard' && findKind(s[2]!) === '{int}' && s[3] === 'item',
    },
    { path: 'shop:order:{date}:', depth: 3, on: (s) => s[1] === 'order' && findKind(s[2]!) === '{date}' },
    { path: 'mail:', depth: 1, on: (s) => s[0] === 'mail' },
    { path: 't:', depth: 1, on: (s) => s[0] === 't' },
    { path: 'day:', depth: 1, on: (s) => s[0] === 'day' },
    { path: 'x:', depth: 1, on: (s) => s[0] === 'x' },
    { path: 'x:\\{int}:', depth: 2, on: (s) => s[0] === 'x' && s[1] === '{int}' },
    { path: 'x:{int}:', depth: 2, on: (s) => s[0] === 'x' && findKind(s[1]!) === '{int}' },
    { path: 'x:\\\\{int}:', depth: 2, on: (s) => s[0] === 'x' && s[1] === '\\{int}' },
    { path: ':', depth: 1, on: (s) => s[0] === '' },
    { path: 'a:', depth: 1, on: (s) => s[0] === 'a' },
    { path: 'a::', depth: 2, on: (s) => s[0] === 'a' && s[1] === '' },
    { path: '用户:', depth: 1, on: (s) => s[0] === '用户' },
  ];
  // Skip levels that show the same as another: words below a word, and the same ids without folding.
  const isAsked = (path: string, fold: boolean) =>
    LONG ||
    (fold ? !['shop:', 'shop:shard:', 'x:', 'a:', 't:'].includes(path) : ['', 'shop:user:', ':'].includes(path));
  for (const level of levels) {
    for (const fold of [true, false].filter((one) => isAsked(level.path, one))) {
      it(`${JSON.stringify(level.path)}${fold ? '' : ', unfolded'}`, async () => {
        const report = await ask('tree', { template: level.path, fold, limit: 50 });
        const wanted = findChildren(rows, level.depth, level.on, fold);
        expect(wanted.length).toBeGreaterThan(0);
        expect(report.childCount).toBe(wanted.length);
        expect(report.depth).toBe(level.depth);
        expect(report.children.length).toBe(Math.min(50, wanted.length));
        const all = wanted.flatMap((n) => n.rows);
        const sums = (field: keyof Totals) => report.children.reduce((n, c) => n + c[field], report.rest?.[field] ?? 0);
        expect({ keys: sums('keys'), bytes: sums('bytes'), bytesUnknown: sums('bytesUnknown') }).toEqual(totals(all));
        expect(report.keys).toBe(all.length);
        expect((report.rest?.nodes ?? 0) + report.children.length).toBe(wanted.length);
        const sorted = [...report.children].sort((a, b) => b.keys - a.keys);
        const followed = new Set(LONG ? report.children : report.children.filter((c) => c.branchKeys > 0).slice(0, 4));
        expect(report.children.map((c) => c.keys)).toEqual(sorted.map((c) => c.keys));
        for (const child of report.children) {
          const node = wanted.find(
            (n) => n.segment === child.segment && (n.folded === null) === (child.folded === null),
          )!;
          const group = node.rows;
          const sizes = known(group.map((r) => r.bytes));
          expect(child).toMatchObject({
            ...totals(group),
            folded: node.folded,
            leafKeys: node.leaves,
            branchKeys: group.length - node.leaves,
            maxBytes: sizes.length ? Math.max(...sizes) : null,
            noExpiry: group.filter((r) => r.known && r.expireAt === null).length,
            bigkeys: group.filter(isBig).length,
            types: counts(group),
            ttlP50Seconds: medianTtl(group),
          });
          expect(group.map((r) => r.name)).toContain(child.example);
          // Every branch leads to exactly its keys.
          if (child.branchKeys > 0 && followed.has(child)) {
            expect((await runReport(refs.sealed, 'tree', { template: child.path, limit: 1 })).report.keys).toBe(
              child.branchKeys,
            );
          }
        }
      });
    }
  }

  it('ends at 64 levels', async () => {
    const deep = rows.find((r) => r.name.startsWith('deep:x'))!;
    const segments = deep.name.split(':');
    const at = await ask('tree', { template: `${segments.slice(0, 64).join(':')}:` });
    expect(at.children).toMatchObject([{ segment: segments.slice(64).join(':'), leafKeys: 1, branchKeys: 0 }]);
  });

  it('splits at another delimiter', async () => {
    const report = await ask('tree', { delimiter: '@', limit: 1000 });
    expect(report.childCount).toBe(
      new Set(rows.map((r) => r.name.split('@')[0]!).map((s) => (findKind(s) === '{int}' ? s : s))).size -
        0 -
        foldedAway(rows, '@'),
    );
  });

  it('sorts and cuts', async () => {
    const byBytes = await ask('tree', { sort: '-bytes', limit: 3 });
    const wanted = findChildren(rows, 0, () => true, true)
      .map((n) => totals(n.rows).bytes)
      .sort((a, b) => b - a);
    expect(byBytes.children.map((c) => c.bytes)).toEqual(wanted.slice(0, 3));
    expect(byBytes.rest!.nodes).toBe(wanted.length - 3);
  });
});

/** Returns by how many children a level is shorter because ids are folded. */
function foldedAway(all: Plain[], delimiter: string): number {
  const kinds = new Map<string, Set<string>>();
  for (const row of all) {
    const segment = row.name.split(delimiter)[0]!;
    const kind = findKind(segment);
    if (kind) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(segment));
  }
  return [...kinds.values()].filter((s) => s.size > 20).reduce((n, s) => n + s.size - 1, 0);
}

describe('pages of the list', () => {
  for (const sort of ['name', '-name', 'bytes', '-bytes', 'ttl', '-ttl', '-length', 'idle', 'type', '-type', 'slot']) {
    it(`by ${sort} hold every key once, in order`, async () => {
      const found = [];
      let cursor: string | undefined;
      do {
        const { report } = await runReport(refs.sealed, 'keys', { sort, limit: 997, cursor });
        found.push(...report.rows);
        cursor = report.nextCursor ?? undefined;
      } while (cursor);
      expect(found).toHaveLength(rows.length);
      expect(new Set(found.map((r) => `${r.db}/${r.k ?? `${r.name}/${r.nameBytes}`}`)).size).toBe(rows.length);
      const field = {
        name: 'name',
        bytes: 'bytes',
        ttl: 'expireAt',
        length: 'length',
        idle: 'idleSeconds',
        type: 'type',
        slot: 'slot',
      }[sort.replace('-', '')] as 'bytes';
      const values = found.map((r) => r[field] as unknown as number | string | null);
      const order = (a: number | string, b: number | string) =>
        typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) : a - (b as number);
      const sorted = [...values].sort((a, b) =>
        a === null || b === null
          ? (a === null ? 1 : 0) - (b === null ? 1 : 0)
          : sort.startsWith('-')
            ? order(b, a)
            : order(a, b),
      );
      expect(values).toEqual(sorted);
    });
  }

  it('refuses a cursor of another sort', async () => {
    const { report } = await runReport(refs.sealed, 'keys', { sort: 'bytes', limit: 10 });
    for (const name of ['keys', 'bigkeys', 'tree', 'patterns'] as const)
      for (const sort of ['constructor', '-toString', 'byts'])
        await expect(runReport(refs.sealed, name, { sort })).rejects.toMatchObject({
          code: 'bad_request',
          details: { field: 'sort' },
        });
    await expect(runReport(refs.sealed, 'keys', { sort: 'name', cursor: report.nextCursor! })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(runReport(refs.sealed, 'keys', { cursor: 'e30' })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('pages of patterns', () => {
  it.each(['-keys', 'keys', 'avg', 'name'] as const)('by %s hold every pattern once, in order', async (sort) => {
    // Each snapshot orders patterns by its own code, and one sort is enough to test it; sums and names are different
    // code.
    const few = { '-keys': refs.live, keys: refs.rolled, avg: refs.sealed, name: refs.rolled };
    for (const ref of LONG ? [refs.sealed, refs.rolled, refs.live] : [few[sort]]) {
      const { patterns: all, templateCount, nextCursor: end } = await makePage(ref, { sort, limit: 100_000 });
      expect([all.length, end]).toEqual([templateCount, null]);
      const found = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await makePage(ref, { sort, limit: 297, ...(cursor && { cursor }) });
        expect(page.templateCount).toBe(templateCount);
        found.push(...page.patterns);
        cursor = page.nextCursor;
      }
      expect(all.length).toBeGreaterThan(297);
      expect(stable(found)).toEqual(stable(all));
      expect(new Set(found.map(({ template }) => template)).size).toBe(templateCount);
    }
  });

  it('refuse a cursor that is none, and end behind the last', async () => {
    await expect(makePage(refs.sealed, { cursor: 'e30' })).rejects.toMatchObject({ code: 'bad_request' });
    const { patterns, nextCursor } = await makePage(refs.sealed, {
      cursor: Buffer.from('n99999').toString('base64url'),
    });
    expect([patterns, nextCursor]).toEqual([[], null]);
  });

  const makePage = async (ref: SnapshotRef, query: ReportQuery) => (await runReport(ref, 'patterns', query)).report;
});

const groupPrefix = (name: string): string => {
  const segments = name.split(':');
  if (segments.length === 1) return '';
  return segments.length > 2 && !/[0-9]/.test(segments[1]!) ? `${segments[0]}:${segments[1]}:` : `${segments[0]}:`;
};
/** Returns the same prefix with ids folded in the first segment, and without a second segment that has braces. */
const foldedPrefix = (name: string): string => {
  const segments = name.split(':');
  if (segments.length === 1) return '';
  const first = findKind(segments[0]!) ?? escaped(segments[0]!);
  return segments.length > 2 && !/[0-9{]/.test(segments[1]!) ? `${first}:${segments[1]}:` : `${first}:`;
};

describe('by prefix', () => {
  it('storms are the minutes in which a prefix expires together', async () => {
    const { storms } = await ask('ttl');
    const ahead = rows.filter((r) => r.expireAt !== null && r.expireAt > AS_OF);
    const wanted: { prefix: string; minute: number; keys: number; ofKeys: number }[] = [];
    for (const [prefix, group] of groupBy(ahead, (r) => groupPrefix(r.name))) {
      const minutes = [...groupBy(group, (r) => Math.floor(r.expireAt! / 60_000))].sort((a, b) => a[0] - b[0]);
      let upto = 0;
      let low: number | null = null;
      let high: number | null = null;
      for (const [minute, some] of minutes) {
        upto += some.length;
        if (low === null && upto >= group.length * 0.01) low = minute;
        if (high === null && upto >= group.length * 0.99) high = minute;
      }
      const expected = group.length / Math.max(high! - low! + 1, 10);
      for (const [minute, some] of minutes) {
        const n = some.length;
        if (n >= 100 && n > 5 * expected && n > expected + 6 * Math.sqrt(expected))
          wanted.push({ prefix, minute: minute * 60_000, keys: n, ofKeys: group.length });
      }
    }
    expect(wanted.length).toBeGreaterThan(0);
    expect(storms.map(({ prefix, minute, keys, ofKeys }) => ({ prefix, minute, keys, ofKeys }))).toEqual(
      wanted.sort((a, b) => b.keys - a.keys),
    );
  });

  it('what never expires and what lies idle', async () => {
    const { noExpiryByPrefix } = await ask('ttl', { limit: 1000 });
    const { byPrefix } = await ask('idle', { days: 7, limit: 1000 });
    const groups = groupBy(rows, (r) => foldedPrefix(r.name));
    const never = (r: Plain) => r.known && r.expireAt === null;
    const idle = (r: Plain) => r.idle !== null && r.idle >= 7 * 86_400;
    expect(new Map(noExpiryByPrefix.map((p) => [p.prefix, { keys: p.keys, bytes: p.bytes, share: p.share }]))).toEqual(
      new Map(
        [...groups]
          .filter(([, g]) => g.some(never))
          .map(([prefix, g]) => {
            const some = g.filter(never);
            return [prefix, { keys: some.length, bytes: totals(some).bytes, share: some.length / g.length }];
          }),
      ),
    );
    expect(
      new Map(byPrefix.map((p) => [p.prefix, { keys: p.keys, idleKeys: p.idleKeys, idleBytes: p.idleBytes }])),
    ).toEqual(
      new Map(
        [...groups]
          .filter(([, g]) => g.some(idle))
          .map(([prefix, g]) => {
            const some = g.filter(idle);
            return [prefix, { keys: g.length, idleKeys: some.length, idleBytes: totals(some).bytes }];
          }),
      ),
    );
  });
});

it('orders keys by the time a DEL takes as the page shows it, in pages without a gap', async () => {
  for (const sort of ['-blocks', 'encoding']) {
    const all = (await runReport(refs.sealed, 'keys', { sort, limit: 1000 })).report.rows;
    const paged = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { report } = await runReport(refs.sealed, 'keys', { sort, limit: 900, ...(cursor && { cursor }) });
      paged.push(...report.rows);
      cursor = report.nextCursor;
    }
    expect(paged.slice(0, 1000)).toEqual(all);
    if (!sort.endsWith('blocks')) continue;
    const costs = paged.map(estimateDeleteMs);
    const known = costs.filter((cost) => cost !== null);
    expect(known.length).toBeGreaterThan(100);
    expect(costs.slice(known.length).every((cost) => cost === null)).toBe(true);
    for (let i = 1; i < known.length; i++) expect(known[i - 1]! - known[i]!).toBeGreaterThanOrEqual(-1e-8);
  }
});

describe('thresholds of bigkeys', () => {
  it('are those of the roll-up, or the keys are asked', async () => {
    const thresholds = { stringBytes: 300, elements: 20, collectionBytes: 4000 };
    const count = rows.filter(bigBy(300, 20, 4000)).length;
    const standard = (await runReport(refs.sealed, 'bigkeys', {})).report;
    expect(count).toBeGreaterThan(standard.total);
    const asked = async (other: SnapshotRef) => {
      expect((await runReport(other, 'bigkeys', { limit: 9 })).report).toMatchObject({ total: count, thresholds });
      expect((await runReport(other, 'overview', {})).report.bigkeys).toBe(count);
      const children = (await runReport(other, 'tree', { limit: 5000 })).report.children;
      expect(children.reduce((n, child) => n + child.bigkeys, 0)).toBe(count);
      expect((await runReport(other, 'keys', { big: true })).report.total).toBe(count);
    };
    await asked({ ...refs.sealed, bigkeys: thresholds });
    await asked({ ...refs.rolled, bigkeys: thresholds });
    await makeRollup({ ...refs.rolled, bigkeys: thresholds });
    await asked({ ...refs.rolled, manifest: { ...refs.rolled.manifest, id: 'again' }, bigkeys: thresholds });
    expect((await runReport({ ...refs.rolled }, 'overview', {})).report.bigkeys).toBe(standard.total);
  });
});
