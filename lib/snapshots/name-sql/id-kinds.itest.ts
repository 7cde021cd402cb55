import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import { queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { dataFolder } from '@/test/snapshots/make-snapshot';
import { literalTemplateSql } from './template-sql';

/**
 * Counts how many templates 400 names of each kind of id make. The golden file has the expected numbers; kinds with
 * many templates are those that cannot be distinguished from words by the segment alone.
 */
const NAMES = 400;

let dir: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  dir = path.join(folder.root, 'any');
  await mkdir(dir);
});
afterAll(() => clean());

/** Produces the same numbers each time: each is the beginning of a hash. */
class Numbers {
  private count = 0;
  constructor(private readonly seed: string) {}
  below(bound: number): number {
    const hash = createHash('sha256')
      .update(`${this.seed} ${this.count++}`)
      .digest();
    return Number(hash.readBigUInt64BE() % BigInt(bound));
  }
  text(length: number, signs: string): string {
    return Array.from({ length }, () => signs[this.below(signs.length)]).join('');
  }
  digits(length: number): string {
    return this.text(length, '0123456789');
  }
  two(from: number, below: number): string {
    return String(from + this.below(below - from)).padStart(2, '0');
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const HEX = '0123456789abcdef';
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE62 = `${BASE36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const POD = 'bcdfghjklmnpqrstvwxz2456789';
const day = (r: Numbers) => `2023-${r.two(1, 13)}-${r.two(1, 29)}`;
const time = (r: Numbers, between: string) => [r.two(0, 24), r.two(0, 60), r.two(0, 60)].join(between);

/** A cuid is a time, a counter and random characters. */
const cuid = (r: Numbers) =>
  `c${(1_600_000_000_000 + r.below(1e11)).toString(36)}${r.below(9999).toString(36).padStart(4, '0')}${r.text(12, BASE36)}`;

const KINDS: Record<string, (r: Numbers) => string> = {
  number: (r) => r.digits(1 + r.below(12)),
  snowflake: (r) => `1${r.digits(17)}`,
  phone: (r) => `+86138${r.digits(8)}`,
  uuid: (r) => `${r.text(8, HEX)}-${r.text(4, HEX)}-4${r.text(3, HEX)}-a${r.text(3, HEX)}-${r.text(12, HEX)}`,
  objectId: (r) => r.text(24, HEX),
  sha1: (r) => r.text(40, HEX),
  hexWithPrefix: (r) => `0x${r.text(40, HEX)}`,
  shortHexWithPrefix: (r) => `oid:0x${r.text(1 + r.below(6), HEX)}`,
  ulid: (r) => `01${r.text(24, CROCKFORD)}`,
  smallUlid: (r) => `01${r.text(24, CROCKFORD.toLowerCase())}`,
  typeid: (r) => `user_01${r.text(24, CROCKFORD.toLowerCase())}`,
  ulidInBraces: (r) => `{01${r.text(24, CROCKFORD)}}`,
  twoUlids: (r) => `01${r.text(24, CROCKFORD)}_01${r.text(24, CROCKFORD)}`,
  cuid: (r) => cuid(r),
  cuid2: (r) => `${r.text(1, BASE36.slice(10))}${r.text(23, BASE36)}`,
  cuidInAWord: (r) => `session-${cuid(r)}`,
  sessionOfPhp: (r) => r.text(26, BASE36.slice(0, 32)),
  ksuid: (r) => `2${r.text(26, BASE62)}`,
  token: (r) => `eyJhbGciOiJIUzI1NiJ9.${r.text(40, BASE62)}.${r.text(43, `${BASE62}_-`)}`,
  order: (r) => `SO${r.digits(12)}`,
  orderWithDay: (r) => `SO2023${r.two(1, 13)}${r.two(1, 29)}`,
  orderAmongWords: (r) => `paid PO${r.digits(8)} open`,
  wordAndNumber: (r) => `user${r.digits(7)}`,
  chinese: (r) => `用户${r.below(10_000)}`,
  chineseAround: (r) => `第${r.below(100)}章`,
  japanese: (r) => `ユーザー${r.below(10_000)}さん`,
  day: (r) => day(r),
  shortDay: (r) => day(r).replaceAll('-', ''),
  isoTime: (r) => `${day(r)}T${time(r, ':')}Z`,
  isoTimeInMs: (r) => `${day(r)}T${time(r, ':')}.${r.digits(3)}Z`,
  isoTimeWithOffset: (r) => `${day(r)}T${time(r, ':')}+0${r.below(10)}:00`,
  isoTimeWithDashes: (r) => `${day(r)}T${time(r, '-')}.${r.digits(3)}Z`,
  isoHour: (r) => `${day(r)}T${r.two(0, 24)}`,
  isoBasic: (r) => `${day(r).replaceAll('-', '')}T${time(r, '')}Z`,
  timeWithSpace: (r) => `${day(r)} ${time(r, ':')}`,
  pod: (r) => `checkout-${r.text(10, POD)}-${r.text(5, POD)}`,
  podOfDigits: (r) => `web-7d4b9c6f5d-${r.text(4, POD)}2`,
  statefulPod: (r) => `redis-${r.below(100)}`,
  ipv4: (r) => [r.below(256), r.below(256), r.below(256), r.below(256)].join('.'),
  jsonOfNumbers: (r) => `{"appId": ${r.below(10_000)}, "at": "10.0.${r.below(256)}.${r.below(256)}/32"}`,
  jsonOfObjectIds: (r) => `{"switch_id":"oid:0x21000000000000","vr":"oid:0x3000${r.text(9, HEX)}"}`,
  urlOfNumbers: (r) => `https://example.com/p/${r.below(10_000)}?page=${r.below(100)}&user=${r.below(1000)}`,
  jsonOfTexts: (r) => `{"q": "${r.text(6, BASE36)}"}`,
  jsonOfMixed: (r) => `{"appId": ${r.below(10_000)}, "q": "${r.text(6, BASE36)}", "by": "${r.text(4, BASE36)}"}`,
  urlOfTexts: (r) => `https://example.com/p?x=${r.text(6, BASE36)}`,
  urlOfMixed: (r) => `https://example.com/p/${r.below(10_000)}?q=${r.text(6, BASE62)}&page=${r.below(100)}#top`,
  email: (r) => `${r.text(8, BASE36)}@example.com`,
  // The following kinds are not recognized, or only partly: by the segment alone they cannot be distinguished from
  // words.
  nanoid: (r) => r.text(21, `${BASE62}_-`),
  base64: (r) => `${r.text(22, `${BASE62}+/`)}==`,
  customerOfStripe: (r) => `cus_${r.text(14, BASE62)}`,
  fourHex: (r) => r.text(4, HEX),
  eightHex: (r) => r.text(8, HEX),
  eightMixed: (r) => r.text(8, BASE36),
  plate: (r) => `${r.text(2, CROCKFORD.slice(10))}${r.digits(5)}`,
  ipv6: (r) => Array.from({ length: 8 }, () => r.below(65_536).toString(16)).join(':'),
  mac: (r) => Array.from({ length: 6 }, () => r.text(2, HEX)).join(':'),
};

const findTemplate = (name: string) =>
  name
    .split(':')
    .map((segment) => foldSegment(segment) ?? escapeSegment(segment))
    .join(':');

it('names of a kind make the patterns of the golden file, in SQL as in JavaScript', async () => {
  const families = Object.entries(KINDS).map(([kind, make]) => {
    const numbers = new Numbers(kind);
    return { kind, names: Array.from({ length: NAMES }, () => `${kind}:${make(numbers)}`) };
  });
  const names = families.flatMap((family) => family.names);
  const rows = await withConnection(dir, {}, (connection) =>
    queryRows<{ template: string }>(
      connection,
      `SELECT ${literalTemplateSql(':')} AS template FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS name)`,
      [JSON.stringify(names)],
    ),
  );
  expect(
    names.flatMap((name, i) => (rows[i]!.template === findTemplate(name) ? [] : [[name, rows[i]!.template]])),
  ).toEqual([]);
  const lines = families.flatMap((family) => {
    const counts = new Map<string, number>();
    for (const template of family.names.map(findTemplate)) counts.set(template, (counts.get(template) ?? 0) + 1);
    const largest = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 3);
    return [`${family.kind}: ${counts.size}`, ...largest.map(([template, n]) => `  ${n} ${template}`)];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./id-kinds.golden.txt');
});
