import type { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { StoredItem } from '../../../lib/store/deletions/deletion-items';
import { LONG } from '../../long-form.mjs';
import { type RedisServer, startRedis } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { digestOf, WITH_DIGEST } from '../digest';
import { leftoversOf } from '../leftovers-of';
import { openStand, type Stand } from '../stand';
import { type Fault, type FaultProxy, type Held, startFaultProxy } from './fault-proxy';
import { finishJob } from './finish-job';
import { holdMidway, strikeAt } from './hold-midway';
import { KIND_NAMES, KINDS, type Kind, type KindName } from './kinds';
import { openApart } from './open-apart';

/** Every write is on the disk before it is answered: a killed server forgets none. */
export const APPEND_ONLY = [
  ...['--appendonly', 'yes', '--appendfsync', 'always'],
  // A rewrite is a save, which the work waits for.
  ...(LONG ? [] : ['--auto-aof-rewrite-percentage', '0']),
];
const NEIGHBOURS = ['app:key', 'app:key:2', 'app:', 'colonnade:trashy', 'zz'];

export interface FixtureKey {
  name: string;
  kind: Kind;
  /** What it was. */
  digest: string;
  /** The same without an expiry, which a digest tells apart. */
  bare: string;
}

/** A server with keys to remove and neighbours of theirs, and a stand that reaches it over a line that can break. */
export interface Fixture {
  redis: RedisServer;
  /** Of a user of the test's own: what the product is denied, the test is not. */
  client: Redis;
  proxy: FaultProxy;
  stand: Stand;
  folder: string;
  keys: FixtureKey[];
  /** The first of them, where there is but one. */
  key: FixtureKey;
  expireAt: number;
  plan(options?: Record<string, unknown>): Promise<string>;
  item(id: string, seq?: number): Promise<StoredItem>;
  /** Starts something with a fault on its way; resolves when it struck. */
  strike<T>(fault: Fault, start: () => Promise<T>): Promise<{ held: Held; started: T }>;
  /**
   * Holds a command back when the journal knows that a round is over, and others are to follow: wants `longer` keys.
   */
  holdMidway<T>(id: string, start: () => Promise<T>, seq?: number): Promise<{ held: Held; started: T }>;
  /** To the end, nobody being asked; or once, for this reason. */
  finish(job: string, mayAsk?: string): Promise<void>;
  /** Starts the way back and sees it end. */
  undo(id: string, more?: Record<string, unknown>): Promise<void>;
  /** An undo that brings back no key says so, whatever it says of each of them. */
  undoRefused(id: string): Promise<void>;
  finishRefused(job: string): Promise<void>;
  /** These keys are there, the neighbours as they were, and nothing else. */
  expectKeyspace(names: string[]): Promise<void>;
  /** The keys are away, nothing of ours is there, no neighbour was touched. */
  expectGone(id: string, but?: { made?: string[]; reason?: string }): Promise<void>;
  /** As before: values, expiries, neighbours. */
  expectBack(id: string): Promise<void>;
  /** To the end, checked, and back, checked. */
  thereAndBack(id: string, job: string, mayAsk?: string): Promise<void>;
  close(): Promise<void>;
}

export interface Options {
  args?: string[];
  /** Keys whose removal takes three rounds of copying and journalling, where their kind has them. */
  longer?: boolean;
  /** Whom LONG=1 meets, where that is not every kind. */
  long?: readonly KindName[];
  /** Without the line that can break: a server that is away refuses. */
  direct?: boolean;
  /** The test starts processes that carry out the jobs. */
  ownRunner?: boolean;
}

export async function openFixture(
  kinds: readonly (KindName | [string, Kind])[],
  wishes: Options = {},
): Promise<Fixture> {
  const data = temporaryData();
  const redis = await startRedis({
    args: [...WITH_DIGEST, ...(wishes.args ?? [])],
    acl: ['user keeper on nopass ~* &* +@all'],
  });
  const client = redis.client({ username: 'keeper', password: 'any', maxRetriesPerRequest: null });
  const proxy = await startFaultProxy(redis.port);
  for (const [i, neighbour] of NEIGHBOURS.entries())
    if (i % 2) await client.rpush(neighbour, 'a', 'b', i);
    else await client.hset(neighbour, 'a', i, 'b', 'c');
  const expireAt = Date.now() + 7_200_000;
  const seed = async (name: string, short: Kind): Promise<FixtureKey> => {
    const kind = wishes.longer ? { ...short, ...short.longer } : short;
    await kind.seed(client, name);
    const bare = await digestOf(client, name);
    await client.pexpireat(name, expireAt);
    return { name, kind, bare, digest: await digestOf(client, name) };
  };
  const keys = await Promise.all(
    kinds.map((request) =>
      typeof request === 'string' ? seed(`app:the ${request}`, KINDS[request]) : seed(...request),
    ),
  );
  const around = () => Promise.all(NEIGHBOURS.map((name) => digestOf(client, name)));
  const before = await around();
  const reached = wishes.direct ? redis : ({ ...redis, port: proxy.port } as RedisServer);
  const stand = await (wishes.ownRunner ? openStand(reached, {}, false) : openApart(reached));

  const fixture: Fixture = {
    redis,
    client,
    proxy,
    stand,
    folder: data.dir,
    keys,
    key: keys[0] as FixtureKey,
    expireAt,
    plan: (options = {}) =>
      stand.plan(
        keys.map(({ name, kind: { type, length, bytes } }) => ({ name, type, length, bytes, expireAt })),
        options,
      ),
    async item(id, seq = 0) {
      const found = (await stand.items(id))[seq];
      if (!found) throw new Error(`The deletion has no item ${seq}.`);
      return found;
    },
    strike: (fault, start) => strikeAt(proxy, fault, start),
    async holdMidway(id, start, seq = 0) {
      const { kind } = keys[seq] as FixtureKey;
      if (kind.longer === null) return fixture.strike({ ...kind.middle, act: 'hold' }, start);
      const by = kind.remove === null ? 'archived' : 'removed';
      return holdMidway({ proxy, word: kind.remove ?? kind.read, by, item: () => fixture.item(id, seq) }, start);
    },
    finish: (job, mayAsk) => finishJob(stand, job, { mayAsk }),
    undo: async (id, more) => fixture.finish(await stand.start(id, 'undo', more)),
    undoRefused: async (id) => fixture.finishRefused(await stand.start(id, 'undo')),
    async finishRefused(job) {
      const ended = await stand.until(job, ['failed']);
      expect(ended?.job.error).toMatchObject({ code: 'nothing_undone' });
    },
    async expectKeyspace(names) {
      expect((await client.keys('*')).sort()).toEqual([...NEIGHBOURS, ...names].sort());
      expect(await around()).toEqual(before);
    },
    async expectGone(id, { made = [], reason } = {}) {
      for (const item of await stand.items(id))
        expect(item).toMatchObject({ state: 'done', reason: reason ? { code: reason } : null });
      await fixture.expectKeyspace(made);
      expect(await leftoversOf(stand.instanceId)).toEqual([]);
    },
    async expectBack(id) {
      for (const item of await stand.items(id)) expect(item).toMatchObject({ state: 'undone', reason: null });
      const now = ({ name }: FixtureKey) => Promise.all([name, digestOf(client, name), client.pexpiretime(name)]);
      expect(await Promise.all(keys.map(now))).toEqual(keys.map(({ name, digest }) => [name, digest, expireAt]));
      await fixture.expectKeyspace(keys.map(({ name }) => name));
      expect(await leftoversOf(stand.instanceId)).toEqual([]);
    },
    async thereAndBack(id, job, mayAsk) {
      await fixture.finish(job, mayAsk);
      await fixture.expectGone(id);
      await fixture.undo(id);
      await fixture.expectBack(id);
    },
    async close() {
      await stand.close();
      await proxy.stop();
      await redis.stop();
      await data.remove();
    },
  };
  return fixture;
}

/**
 * Which of these a fault meets. What differs between the control databases is the journal, whatever kind a key is: on
 * PostgreSQL, with jobs in a process apart, each fault meets the first, or those named. LONG=1: every kind.
 */
export function kindsMet(
  kinds: readonly KindName[],
  all: readonly KindName[] = KIND_NAMES,
  onPostgres: readonly KindName[] = kinds.slice(0, 1),
): readonly KindName[] {
  if (LONG) return all;
  return process.env.COLONNADE_TEST_POSTGRES === undefined ? kinds : onPostgres;
}

/** One test for each of these kinds, each on a fixture of its own. */
export function forKinds(kinds: readonly KindName[], run: (fixture: Fixture) => Promise<void>, wishes: Options = {}) {
  it.each(kindsMet(kinds, wishes.long))('%s', async (kind) => {
    const fixture = await openFixture([kind], wishes);
    onTestFinished(() => fixture.close());
    await run(fixture);
  });
}
