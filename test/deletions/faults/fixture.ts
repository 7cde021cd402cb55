import type { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { StoredItem } from '../../../lib/store/deletions/deletion-items';
import { LONG } from '../../long-form.mjs';
import { type RedisServer, startRedis } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { computeDigest, WITH_DIGEST } from '../digest';
import { findLeftovers } from '../find-leftovers';
import { openStand, type Stand, type StandKey } from '../stand';
import { type Fault, type FaultProxy, type Held, startFaultProxy } from './fault-proxy';
import { finishJob } from './finish-job';
import { holdMidway, strikeAt } from './hold-midway';
import { KIND_NAMES, KINDS, type Kind, type KindName } from './kinds';
import { openApart } from './open-apart';

/** Every write is on the disk before it is answered, so a killed server loses none. */
export const APPEND_ONLY = [
  ...['--appendonly', 'yes', '--appendfsync', 'always'],
  // A rewrite of the file counts as a save, for which the deletion would wait.
  ...(LONG ? [] : ['--auto-aof-rewrite-percentage', '0']),
];
const NEIGHBOURS = ['app:key', 'app:key:2', 'app:', 'colonnade:trashy', 'zz'];

export interface FixtureKey {
  name: string;
  kind: Kind;
  /** Digest of the key before the deletion. */
  digest: string;
  /** Digest of the same key without an expiry, which has another value. */
  bare: string;
}

/**
 * A server with keys to delete and neighbours that must not change, and a stand that reaches it through a proxy that
 * can fail.
 */
export interface Fixture {
  redis: RedisServer;
  /** A client with a user of its own: rights that are denied to the product are not denied to the test. */
  client: Redis;
  proxy: FaultProxy;
  stand: Stand;
  folder: string;
  keys: FixtureKey[];
  /** The first key, for tests with only one. */
  key: FixtureKey;
  expireAt: number;
  /** `more`: further facts of each key in the plan. */
  plan(options?: Record<string, unknown>, more?: Partial<StandKey>): Promise<string>;
  item(id: string, seq?: number): Promise<StoredItem>;
  /** Starts something with a fault; resolves when the fault has occurred. */
  strike<T>(fault: Fault, start: () => Promise<T>): Promise<{ held: Held; started: T }>;
  /**
   * Holds a command back when the journal says that one round is complete and others follow; requires `longer` keys.
   */
  holdMidway<T>(id: string, start: () => Promise<T>, seq?: number): Promise<{ held: Held; started: T }>;
  /** Waits until the job has succeeded, without a confirmation, or with confirmations for this reason. */
  finish(job: string, mayAsk?: string): Promise<void>;
  /** Starts the undo and waits until it has succeeded. */
  undo(id: string, more?: Record<string, unknown>): Promise<void>;
  /** An undo that restores no key reports that, whatever it says about each key. */
  undoRefused(id: string): Promise<void>;
  finishRefused(job: string): Promise<void>;
  /** Checks that these keys exist, that the neighbours are unchanged, and that there is nothing else. */
  expectKeyspace(names: string[]): Promise<void>;
  /** Checks that the keys are deleted, that no internal key is left, and that no neighbour was changed. */
  expectGone(id: string, but?: { made?: string[]; reason?: string }): Promise<void>;
  /** Checks that everything is as before: values, expiries, neighbours. */
  expectBack(id: string): Promise<void>;
  /** Finishes the deletion and checks it, then undoes it and checks that. */
  thereAndBack(id: string, job: string, mayAsk?: string): Promise<void>;
  close(): Promise<void>;
}

export interface Options {
  args?: string[];
  /** Uses keys whose deletion takes three rounds of copying and journalling, for kinds that have such a form. */
  longer?: boolean;
  /** The kinds to test with LONG=1, if not every kind. */
  long?: readonly KindName[];
  /** Connects without the proxy: an unavailable server then refuses connections. */
  direct?: boolean;
  /** The test starts processes that run the jobs. */
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
    const bare = await computeDigest(client, name);
    await client.pexpireat(name, expireAt);
    return { name, kind, bare, digest: await computeDigest(client, name) };
  };
  const keys = await Promise.all(
    kinds.map((request) =>
      typeof request === 'string' ? seed(`app:the ${request}`, KINDS[request]) : seed(...request),
    ),
  );
  const around = () => Promise.all(NEIGHBOURS.map((name) => computeDigest(client, name)));
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
    plan: (options = {}, more = {}) =>
      stand.plan(
        keys.map(({ name, kind: { type, length, bytes } }) => ({ name, type, length, bytes, expireAt, ...more })),
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
      expect(await findLeftovers(stand.instanceId)).toEqual([]);
    },
    async expectBack(id) {
      for (const item of await stand.items(id)) expect(item).toMatchObject({ state: 'undone', reason: null });
      const now = ({ name }: FixtureKey) => Promise.all([name, computeDigest(client, name), client.pexpiretime(name)]);
      expect(await Promise.all(keys.map(now))).toEqual(keys.map(({ name, digest }) => [name, digest, expireAt]));
      await fixture.expectKeyspace(keys.map(({ name }) => name));
      expect(await findLeftovers(stand.instanceId)).toEqual([]);
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
 * Returns which of these kinds a fault is tested with. The control databases differ in the journal, whatever kind a key
 * is; so on PostgreSQL, where jobs run in a separate process, each fault is tested with the first kind or the given
 * ones. LONG=1: every kind.
 */
export function kindsMet(
  kinds: readonly KindName[],
  all: readonly KindName[] = KIND_NAMES,
  onPostgres: readonly KindName[] = kinds.slice(0, 1),
): readonly KindName[] {
  if (LONG) return all;
  return process.env.COLONNADE_TEST_POSTGRES === undefined ? kinds : onPostgres;
}

/** Declares one test for each of these kinds, each with a separate fixture. */
export function forKinds(kinds: readonly KindName[], run: (fixture: Fixture) => Promise<void>, wishes: Options = {}) {
  it.each(kindsMet(kinds, wishes.long))('%s', async (kind) => {
    const fixture = await openFixture([kind], wishes);
    onTestFinished(() => fixture.close());
    await run(fixture);
  });
}
