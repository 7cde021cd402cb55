import { readFileSync, writeFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AclUser, buildAclUserLine } from '@/lib/model/servers/acl-users';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { probeCapabilities } from '@/lib/redis/server/capabilities';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { probeCommands } from '@/lib/redis/write/probe-commands';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import { generateId } from '@/lib/store/generate-id';
import { seedLarge } from './deletions/seed-large';
import { openStand, type Stand } from './deletions/stand';
import { scanWhole } from './scans/scan';
import { type RedisServer, startRedis } from './servers/redis';
import { toTarget } from './servers/target';
import { type ServerVersion, serverVersions } from './servers/versions';
import { temporaryData } from './temporary-data';

/**
 * Compares what works on which version, as observed, with docs/COMPATIBILITY.md. If they differ, the table in the
 * document is rewritten and this test fails: check the difference and commit it. Rows of versions that are not
 * installed stay as they are.
 */
const DOCUMENT = new URL('../docs/COMPATIBILITY.md', import.meta.url);
const BEGIN = '<!-- table: written by test/compatibility.itest.ts -->';
const END = '<!-- end of table -->';
const OLDEST = 208;
const FIELDS = 300;
const HOUR_MS = 3_600_000;

const COLUMNS = [
  'memory of keys',
  'lengths leave idle times alone',
  'exact expiries',
  'streams',
  'field expiries',
  'vector sets',
  'archive, undo',
  'quarantine, undo',
  'in place, undo',
  'expiries, undo',
  'freed in the background',
  'streams cut by id',
  'replicas by WAIT',
  'printed users',
] as const;
type Observed = Record<(typeof COLUMNS)[number], boolean>;

const label = ({ valkey, number }: ServerVersion) =>
  `${valkey ? 'Valkey' : 'Redis'} ${Math.floor(number / 100)}.${number % 100}`;

const works = (answer: Promise<unknown>) =>
  answer.then(
    () => true,
    () => false,
  );

async function seed(client: Redis, streams: boolean) {
  await client.flushall();
  const types = ['hash', 'set', 'zset', 'list', 'string', ...(streams ? ['stream'] : [])] as const;
  for (const type of types) await seedLarge(client, type as 'hash', `key:${type}`, FIELDS);
  return types.map((type) => ({ name: `key:${type}`, type, length: FIELDS, newExpireAt: 10 * HOUR_MS }));
}

type Keys = Awaited<ReturnType<typeof seed>>;

/** Deletes the keys, checks that nothing is left under their names, restores them, and compares all elements. */
async function roundTrip(stand: Stand, client: Redis, keys: Keys, mode: string): Promise<boolean> {
  const id = await stand.plan(keys, { mode });
  await stand.until(await stand.start(id), ['succeeded']);
  if ((await client.keys('key:*')).length > 0) return false;
  await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
  return (await client.hlen('key:hash')) === FIELDS && (await client.keys('key:*')).length === keys.length;
}

/** Vector sets are counted by a scan, deleted with an archive, and restored. */
async function vectorSets(redis: RedisServer, client: Redis): Promise<boolean> {
  await client.flushall();
  for (const member of ['a', 'b']) await client.call('VADD', 'key:vectors', 'VALUES', '2', '1', '2', member);
  const { rows } = await scanWhole([redis]);
  return withStand(redis, async (stand) => {
    const id = await stand.plan([{ name: 'key:vectors', type: 'vectorset', length: 2, bytes: rows[0]?.bytes ?? null }]);
    await stand.until(await stand.start(id), ['succeeded']);
    const gone = (await client.dbsize()) === 0;
    await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
    return gone && rows[0]?.length === 2 && (await client.call('VCARD', 'key:vectors')) === 2;
  });
}

async function expiries(stand: Stand, client: Redis, keys: Keys): Promise<boolean> {
  const id = await stand.plan(keys, { fromSeconds: 36_000, windowSeconds: 0, only: 'all' }, 'expire');
  await stand.until(await stand.start(id), ['succeeded']);
  const set = (await client.pttl('key:hash')) > 0;
  await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
  return set && (await client.pttl('key:hash')) === -1;
}

async function withStand<T>(server: RedisServer, act: (stand: Stand) => Promise<T>): Promise<T> {
  const stand = await openStand(server, { name: generateId() });
  try {
    return await act(stand);
  } finally {
    await stand.close();
  }
}

async function observe({ binary }: ServerVersion): Promise<Observed> {
  const redis = await startRedis({ binary });
  onTestFinished(() => redis.stop());
  const client = redis.client();
  const streams = await works(client.call('XADD', 'probe', '1-1', 'a', 'b'));
  const fields = await works(client.call('HPEXPIRE', 'nowhere', '1000', 'FIELDS', '1', 'f'));
  const vectors = (await works(client.call('VCARD', 'nowhere'))) && (await vectorSets(redis, client));
  const keys = await seed(client, streams);
  const { rows } = await scanWhole([redis]);
  const session = await openSession(toTarget(redis), createDestinationPolicy({ allow: '', registered: [] }));
  onTestFinished(() => session.close());
  const { scan } = await probeCapabilities(session, redis.address);
  const channel = await openWritingChannel(session, redis.address, 0);
  onTestFinished(() => channel.close());
  const commands = await probeCommands(channel, { version: session.nodes[0]?.version ?? null, mayWrite: true });
  const reported = await readConnectionReport(session);
  const printed = (may: AclUser) => {
    const [command = '', ...args] = buildAclUserLine(may, reported).split(' ');
    return works(client.call(command, ...args));
  };
  const denied = await startRedis({ binary, renamed: { RENAME: '', RENAMENX: '' } });
  onTestFinished(() => denied.stop());
  const other = denied.client();
  await seed(other, false);
  const named = keys.filter(({ type }) => ['hash', 'set', 'zset'].includes(type));
  await other.del('key:list', 'key:string');
  const trip = (mode: string) => withStand(redis, (stand) => roundTrip(stand, client, keys, mode));
  return {
    'memory of keys': rows.every(({ bytes }) => bytes !== null),
    'lengths leave idle times alone': scan.noTouch,
    'exact expiries': scan.pexpiretime,
    streams: streams && rows.some(({ type }) => type === 'stream'),
    'field expiries': fields,
    'vector sets': vectors,
    'archive, undo': await trip('archive'),
    'quarantine, undo': await trip('quarantine'),
    'in place, undo': await withStand(denied, (stand) => roundTrip(stand, other, named, 'in_place')),
    'expiries, undo': await withStand(redis, (stand) => expiries(stand, client, keys)),
    'freed in the background': commands.freeCommand === 'unlink',
    'streams cut by id': streams && commands.trimsById,
    'replicas by WAIT': await works(client.call('WAIT', '0', '1')),
    'printed users': (await printed('scan')) && (await printed('delete')),
  };
}

const makeRow = (name: string, observed: Observed) =>
  `| ${[name, ...COLUMNS.map((column) => (observed[column] ? '✓' : '–'))].join(' | ')} |`;

/** Sorts by name and version number, so that a new row is inserted at its place. */
const order = (row: string) => row.replace(/(\d+)\.(\d+)/, (_, a, b) => `${a.padStart(3, '0')}.${b.padStart(3, '0')}`);

describe('docs/COMPATIBILITY.md', () => {
  const data = temporaryData();
  const seen = new Map<string, string>();
  afterAll(() => data.remove());

  it.each(serverVersions(OLDEST))('$version is observed', async (server) => {
    seen.set(label(server), makeRow(label(server), await observe(server)));
  });

  it('says what was observed', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    const [before = '', rest = ''] = text.split(BEGIN);
    const [table = '', after = ''] = rest.split(END);
    const kept = new Map(
      table
        .split('\n')
        .filter((line) => /^\| (?:Redis|Valkey) /.test(line))
        .map((line) => [line.split(' | ')[0]?.slice(2).trim() ?? '', line]),
    );
    // A developer with another version on PATH need not update the document; a folder of versions is expected to be
    // complete.
    const all = process.env.COLONNADE_TEST_SERVERS !== undefined;
    for (const [name, row] of seen) if (all || kept.has(name)) kept.set(name, row);
    const rows = [...kept.values()].sort((a, b) => order(a).localeCompare(order(b)));
    const head = [`| server | ${COLUMNS.join(' | ')} |`, `|---${'|:-:'.repeat(COLUMNS.length)}|`];
    const now = `${before}${BEGIN}\n\n${[...head, ...rows].join('\n')}\n\n${END}${after}`;
    if (now !== text) writeFileSync(DOCUMENT, now);
    expect(now).toBe(text);
  });
});
