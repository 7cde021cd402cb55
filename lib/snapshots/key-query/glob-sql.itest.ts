import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { findGlobFault, matchesBytes, matchesText, parseGlob } from '@/lib/model/text/glob';
import { evaluatePolicyGroups } from '@/lib/rules/groups/stored-groups';
import { compilePolicy } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { buildFilterWhere } from './filter-where';
import { globSql } from './glob-sql';

/** All characters with a meaning in patterns, in each of the pattern languages, and bytes that are not text. */
const SIGNS = [
  'a',
  'b',
  '*',
  '?',
  '[',
  ']',
  '^',
  '-',
  '\\\\',
  '\\*',
  '.',
  '$',
  '(',
  '|',
  '{',
  '用',
  '😀',
  '\\xff',
  '\\xe7',
];
const BYTES = [...'ab*?[]^-\\.$(|{', '用', '😀']
  .map((sign) => Buffer.from(sign))
  .concat([Buffer.of(0xff), Buffer.of(0xe7)]);
const patterns = [
  ...fc.sample(
    fc.array(fc.constantFrom(...SIGNS), { maxLength: 7 }).map((signs) => signs.join('')),
    { seed: 20261129, numRuns: 900 },
  ),
  ...['[a-b]*', '*[^a]', '[\\xe7-\\xff]*', '*[用😀]*', '?', '??', '*\\\\*', 'h[^b-a]'],
].filter((pattern) => findGlobFault(pattern) === null);
const names = fc
  .sample(fc.array(fc.constantFrom(...BYTES), { minLength: 1, maxLength: 5 }), { seed: 20261129, numRuns: 600 })
  .map((parts) => Buffer.concat(parts));

let server: RedisServer;
let client: Redis;
beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port, { host: '127.0.0.1' });
  for (const name of names) await client.set(name, '1');
});
afterAll(async () => {
  client.disconnect();
  await server.stop();
});

/** The pattern as Redis takes it: `\xhh` in the text becomes the byte itself. */
const sent = (pattern: string) =>
  Buffer.concat(
    pattern
      .split(/(\\x[0-9a-f]{2})/)
      .map((part, i) => (i % 2 === 1 ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part))),
  );

it('means over bytes what Redis itself takes it for', async () => {
  expect(patterns.length).toBeGreaterThan(300);
  for (const pattern of patterns) {
    const found = ((await client.callBuffer('KEYS', sent(pattern))) as Buffer[])
      .map((name) => name.toString('hex'))
      .sort();
    const glob = parseGlob(pattern);
    const meant = new Set(names.filter((name) => matchesBytes(glob, name)).map((name) => name.toString('hex')));
    expect([pattern, found]).toEqual([pattern, [...meant].sort()]);
  }
});

it('means to the database what it means by hand: characters in a text, bytes in what is none', async () => {
  const rows = names.map((bytes) => {
    const { name, exact } = toDisplayName(bytes);
    return { whole: bytes, name, raw: exact ? null : bytes };
  });
  await withRows(rows, async (source) => {
    for (const pattern of patterns.filter((_, i) => i % 6 === 0 || i > patterns.length - 9)) {
      const glob = parseGlob(pattern);
      const values: string[] = [];
      const where = globSql(glob, (value) => `$${values.push(value)}::VARCHAR`);
      const found = await source.query<{ ordinal: number }>(
        `SELECT ordinal FROM ${source.keys} WHERE ${where} ORDER BY ordinal`,
        values,
      );
      const meant = rows.flatMap(({ name, whole, raw }, i) =>
        (raw === null ? matchesText(glob, name) : matchesBytes(glob, whole)) ? [i] : [],
      );
      expect([pattern, found.map(({ ordinal }) => ordinal)]).toEqual([pattern, meant]);
    }
  });
});

it.each([
  '\\xe7',
  '\\xe7\\x94',
  '\\x94\\xa8',
  '\\xa8a',
  '\\x98',
  '\\x80\\xe7',
  '\\xe7\\x94?*',
  '*[\\x80-\\xbf]',
  '*\\xff*',
])('a search for %s, which is no whole character, finds what Redis finds', async (search) => {
  const pattern = /[*?[]/.test(search) ? search : `*${search}*`;
  const found = (await client.callBuffer('KEYS', sent(pattern))) as Buffer[];
  const rows = [...new Map(names.map((name) => [name.toString('hex'), name])).values()].map((bytes) => {
    const { name, exact } = toDisplayName(bytes);
    return { name, raw: exact ? null : bytes, whole: bytes };
  });
  await withRows(rows, async (source) => {
    const where = buildFilterWhere({ search }, { asOf: 0 });
    const sql = `SELECT ordinal FROM ${source.keys} ${where.sql}`;
    const ours = await source.query<{ ordinal: number }>(sql, where.values);
    const hex = ours.map(({ ordinal }) => rows[ordinal]!.whole.toString('hex'));
    expect(hex.sort()).toEqual(found.map((name) => name.toString('hex')).sort());
  });
});

it('does not keep groups from being judged, whatever signs an exemption has', async () => {
  const printable = Array.from({ length: 95 }, (_, i) => `user${String.fromCharCode(32 + i)}*`);
  const policy = {
    ...toPolicy(presets.get('default')!),
    exemptions: printable
      .filter((pattern) => findGlobFault(pattern) === null)
      .map((pattern) => ({ rule: '*', prefix: null, pattern })),
  };
  const compiled = compilePolicy(policy, {
    asOf: 0,
    lazyExpire: null,
    clustered: false,
    replicaNodes: [],
    moreCommands: [],
  });
  const answers = await withRows([{ name: 'user:1', type: 'string' }], (source) =>
    evaluatePolicyGroups({ ...source, manifest: { ...source.manifest, nodes: [] } }, compiled, null),
  );
  expect(Object.keys(answers).length).toBeGreaterThan(5);
});
