import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOverviewText } from '@/cli/output/overview-text';
import { formatReportText } from '@/cli/output/report-text';
import { ReportQuery } from '@/lib/model/reports/query';
import { REPORTS } from '@/lib/model/reports/registry';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import type { ReportName, ReportResults, Totals } from '@/lib/model/reports/reports';
import type { ReportTable } from '@/lib/model/reports/table';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { readLazyExpire } from '@/lib/redis/server/read-lazy-expire';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import type { WritingChannel } from '@/lib/redis/write/types';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { seedLarge } from '../deletions/seed-large';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { toTarget } from '../servers/target';
import { serverVersions } from '../servers/versions';
import { type Scanned, scanWhole } from './scan';

/** The scan, its reports and the page of a key on every installed version: an unknown value is never shown as 0. */
const OLDEST = 208;
const LARGE = LONG ? 200_000 : 6000;
const HOUR_MS = 3_600_000;
/** The first version that reports the size of a key. */
const WITH_MEMORY = 400;
const WITH_STREAMS = 500;
const YOUNG_SECONDS = 120;

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
const toKeys = (all: readonly Pick<Totals, 'keys'>[]) => sum(all.map(({ keys }) => keys));
/** Returns how many keys each report counts; the bigkey report counts the large ones only. */
const COUNTED: { [N in ReportName]: (report: ReportResults[N]) => number } = {
  overview: ({ types }) => toKeys(types),
  tree: ({ children, rest }) => toKeys(children) + (rest?.keys ?? 0),
  patterns: ({ patterns }) => toKeys(patterns),
  frameworks: ({ keys }) => keys,
  bigkeys: ({ byType }) => toKeys(byType),
  ttl: ({ none, any, expired, unknown }) => toKeys([none, any, expired, unknown]),
  slots: ({ slots }) => sum(slots.keys),
  types: ({ encodings }) => toKeys(encodings),
  idle: ({ buckets, unknown }) => toKeys([...buckets, unknown]),
  sizes: ({ all, bytesUnknown }) => sum(all.keys) + bytesUnknown,
  names: ({ lengths }) => toKeys(lengths),
  keys: ({ rows }) => rows.length,
};

describe.each(serverVersions(OLDEST))('$version', (server) => {
  const { binary, number, valkey } = server;
  /** From this version on each key has a separate integer object. */
  const ownIntegers = valkey && number >= 801;
  let redis: RedisServer;
  let client: Redis;
  let session: RedisSession;
  let scanned: Scanned;
  const large = ['hash', 'set', 'zset', 'list', ...(number >= WITH_STREAMS ? ['stream'] : [])] as const;
  const report = async <N extends ReportName>(name: N) =>
    (await runReport(scanned, name, ReportQuery.parse({}))).report;

  beforeAll(async () => {
    redis = await startRedis({ binary });
    client = redis.client();
    for (const type of large) await seedLarge(client, type as 'hash', `large:${type}`, LARGE);
    await pour(client, [
      ['SET', 'large:string', 'x'.repeat(40_000)],
      ['HSET', 'small:hash', 'a', '1'],
      ['RPUSH', 'small:list', 'a', 'b'],
      ['SET', 'small:string', 'short'],
      ['SET', 'shared:1', '7'],
      ['SET', 'shared:2', '9999'],
      ['SET', 'own:1', '10000'],
      ['PEXPIRE', 'small:hash', String(HOUR_MS)],
    ]);
    scanned = await scanWhole([redis]);
    session = await openSession(toTarget(redis), createDestinationPolicy({ allow: '', registered: [] }));
  });
  afterAll(async () => {
    await session?.close();
    await redis?.stop();
  });

  it('reads every key, its type and its expiry', async () => {
    const { rows, manifest } = scanned;
    expect(rows.map(({ name }) => name).sort()).toEqual((await client.keys('*')).sort());
    for (const { name, type } of rows) expect(type).toBe(await client.type(name));
    expect(manifest.coverage.partial).toBe(false);
    const expiring = rows.filter(({ expireAt }) => expireAt !== null);
    expect(expiring.map(({ name }) => name)).toEqual(['small:hash']);
    expect(Math.abs((expiring[0]?.expireAt ?? 0) - Date.now() - HOUR_MS)).toBeLessThan(60_000);
  });

  it('finds the bigkeys, also where nobody tells what they take', async () => {
    const wanted = [...large, 'string'].map((type) => `large:${type}`).sort();
    const big = await report('bigkeys');
    expect(big.rows.map(({ name }) => name).sort()).toEqual(wanted);
    expect(big.unknown).toBe(0);
    for (const { type, length } of big.rows) expect(length).toBe(type === 'string' ? 40_000 : LARGE);
    const overview = await report('overview');
    expect(overview).toMatchObject({ bigkeys: wanted.length, bigkeysUnknown: 0 });
    const knows = number >= WITH_MEMORY;
    expect(scanned.rows.every(({ bytes }) => (bytes !== null) === knows)).toBe(true);
    expect(overview.bytesUnknown).toBe(knows ? 0 : overview.keys);
    const text = formatOverviewText(scanned.manifest, overview);
    expect(/bigkeys +\d+ \(memory unknown\)/.test(text)).toBe(!knows);
    expect(/\b0 B\b/.test(text)).toBe(false);
    expect(/\b0 B\b/.test(formatReportText('types', scanned.manifest, await report('types')))).toBe(false);
  });

  it.each(REPORTS)('%s: counts every key, and shows no memory of 0', async (name) => {
    const answer = await report(name);
    const wanted = name === 'bigkeys' ? large.length + 1 : scanned.rows.length;
    expect((COUNTED[name] as (of: typeof answer) => number)(answer)).toBe(wanted);
    const tables = (REPORT_TABLES[name] as (of: typeof answer, asOf: number) => ReportTable[])(
      answer,
      getSnapshotAsOf(scanned.manifest),
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { columns, rows } of tables) {
      const [keys, memory] = ['keys', 'memory'].map((head) => columns.findIndex((column) => column.head === head));
      if (memory === -1) continue;
      // In a list of keys each row is one key; the bytes of a name are always known.
      const shown = rows.filter((row) => keys === -1 || Number(row[keys!]) > 0).map((row) => row[memory!]);
      expect(shown).not.toContain(0);
      if (number < WITH_MEMORY && name !== 'names') expect(shown.filter((bytes) => bytes !== null)).toEqual([]);
    }
    expect(formatReportText(name, scanned.manifest, answer)).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('knows who frees expired keys, also where no setting says it', async () => {
    // This setting does not exist before 4.0; Valkey 8.0 turned it on by default.
    expect(scanned.manifest.lazyfreeLazyExpire).toBe(valkey && number >= 800);
    const more = number >= 302 && number < 700 ? ['post'] : [];
    expect(scanned.manifest.moreCommands?.toSorted()).toEqual(more);
    const policy = toPolicy(presets.get('default')!);
    const live = await fetchLiveKey(session, { key: Buffer.from('large:hash'), db: 0, preview: false });
    const lazyfreeLazyExpire = await readLazyExpire(client, session.nodes[0]!.version);
    expect(lazyfreeLazyExpire).toBe(scanned.manifest.lazyfreeLazyExpire);
    const row = { name: live.name, type: live.type, encoding: live.encoding, length: live.length, bytes: live.bytes };
    const [verdict] = await checkRows(policy, [{ ...row, expireAt: Date.now() + HOUR_MS, expiryKnown: true }], {
      asOf: Date.now(),
      lazyfreeLazyExpire,
    });
    expect(verdict!.violated.some(({ rule }) => rule === 'V10')).toBe(!lazyfreeLazyExpire);
  });

  it('names encodings, never what a server has no word for', async () => {
    const { encodings } = await report('types');
    expect(encodings.map(({ encoding }) => encoding)).not.toContain('unknown');
    if (number < WITH_STREAMS) return;
    expect(encodings.find(({ type }) => type === 'stream')?.encoding).toBe('stream');
  });

  it('leaves integers that the server shares out of the idle times, and says so', async () => {
    const idle = await report('idle');
    expect(idle).toMatchObject({ kind: 'idle', sharedIntegers: 2, unknown: { keys: 2 } });
    // The server is some seconds old, so no key can be idle for longer.
    const young = idle.buckets.filter(({ from }) => from < YOUNG_SECONDS).reduce((sum, { keys }) => sum + keys, 0);
    expect(young).toBe(scanned.rows.length - 2);
    expect(formatReportText('idle', scanned.manifest, idle)).toContain('2 keys hold an integer from 0 to 9999');
  });

  it('shows one key as it is', async () => {
    const key = (name: string) => fetchLiveKey(session, { key: Buffer.from(name), db: 0, preview: true });
    for (const type of large)
      expect(await key(`large:${type}`)).toMatchObject({
        exists: true,
        type,
        length: LARGE,
        preview: { truncated: true },
      });
    expect(await key('small:hash')).toMatchObject({ type: 'hash', preview: { truncated: false, shown: 1 } });
    expect((await key('small:hash')).ttlMs).toBeGreaterThan(HOUR_MS / 2);
    expect(await key('shared:1')).toMatchObject({ idleSeconds: ownIntegers ? expect.any(Number) : null });
    expect((await key('own:1')).idleSeconds).toBeLessThan(YOUNG_SECONDS);
    expect(await key('large:string')).toMatchObject({
      length: 40_000,
      bytes: number >= WITH_MEMORY ? expect.any(Number) : null,
    });
  });

  async function expectSame(channel: WritingChannel, name: string): Promise<void> {
    const { type, encoding, length, bytes, expiryKnown, idleSeconds } = await readKeyFacts(channel, Buffer.from(name));
    const page = await fetchLiveKey(session, { key: Buffer.from(name), db: 0, preview: true });
    expect(page).toMatchObject({ type, encoding, length, bytes, expiryKnown });
    expect(page.idleSeconds === null).toBe(idleSeconds === null);
  }

  it('tells the same of a small integer before a write as on its page', async () => {
    const channel = await openWritingChannel(session, redis.address, 0);
    await expectSame(channel, 'shared:1').finally(() => channel.close());
  });

  it('tells the same of a key before a write as on its page', async () => {
    const channel = await openWritingChannel(session, redis.address, 0);
    for (const name of [...large.map((type) => `large:${type}`), 'large:string', 'small:hash', 'own:1'])
      await expectSame(channel, name);
    const { expireAt } = await readKeyFacts(channel, Buffer.from('small:hash'));
    expect(Math.abs((expireAt ?? 0) - Date.now() - HOUR_MS)).toBeLessThan(60_000);
    expect((await readKeyFacts(channel, Buffer.from('none'))).type).toBeNull();
    channel.close();
  });
});
