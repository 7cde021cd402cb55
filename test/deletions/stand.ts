import { computeSlot } from '@/lib/redis/keys/slot';
import { readServerIdentity } from '../../lib/deletions/compare-servers';
import { deletionKind } from '../../lib/deletions/deletion-kind';
import { createJob } from '../../lib/jobs/create-job';
import { createRunner, type Runner } from '../../lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import type { Hazard } from '../../lib/model/deletions/deletion-item';
import type { DeletionPlan } from '../../lib/model/deletions/deletion-plan';
import { DeletionOptions, type DeletionTask, ExpireOptions } from '../../lib/model/deletions/plan-request';
import { toDisplayName } from '../../lib/model/keys/display-name';
import { encodeKey } from '../../lib/model/keys/key-id';
import { insertItems, listItems, type NewItem, type StoredItem } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, insertDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { generateId } from '../../lib/store/generate-id';
import { insertInstanceRow } from '../../lib/store/instances';
import { getStoredJob } from '../../lib/store/jobs';
import { insertDestinations } from '../../lib/store/nodes/destinations';
import { runTransaction } from '../../lib/store/open-store';
import { LONG } from '../long-form.mjs';
import type { RedisServer } from '../servers/redis';
import { toTarget } from '../servers/target';

/** A deletion without pages: an instance in the store, a plan with given keys, and the real runner and job kind. */
export interface Stand {
  instanceId: string;
  runner: Runner;
  plan(keys: StandKey[], options?: Record<string, unknown>, task?: DeletionTask): Promise<string>;
  start(deletionId: string, action?: 'run' | 'undo' | 'purge', more?: Record<string, unknown>): Promise<string>;
  /** Waits until the job is in one of these states; after `ms` it throws an error that describes the job. */
  until(jobId: string, states: string[], ms?: number): Promise<Awaited<ReturnType<typeof getStoredJob>>>;
  items(deletionId: string): Promise<StoredItem[]>;
  close(): Promise<void>;
}
export interface StandKey {
  name: string | Buffer;
  type: string;
  length?: number | null;
  bytes?: number | null;
  db?: number;
  hazards?: Hazard[];
  expireAt?: number | null;
  newExpireAt?: number | null;
  mode?: NewItem['mode'];
  modeReason?: string;
}

type Servers = RedisServer | RedisServer[];

export async function openStand(
  servers: Servers,
  overrides: Parameters<typeof toTarget>[1] = {},
  /** false: a process that the test starts runs the jobs. */
  runs = true,
  confirmed = true,
): Promise<Stand> {
  const instanceId = generateId();
  const {
    id: _i,
    password,
    sentinelPassword: _s,
    writePassword: _w,
    tlsKey: _t,
    ...settings
  } = toTarget(servers, {
    name: 'stand',
    readOnly: false,
    ...overrides,
  });
  if (password) throw new Error('The stand keeps no passwords.');
  await insertInstanceRow({
    id: instanceId,
    settings,
    sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
    createdAt: Date.now(),
    updatedAt: Date.now(),
  });
  // The servers of the tests are confirmed; test/hostile/unconfirmed.itest.ts tests others.
  const loopback = { address: '127.0.0.0/16', confirmedBy: 'test', confirmedAt: Date.now() };
  if (confirmed) await runTransaction((tx) => insertDestinations(instanceId, [loopback], tx));
  const runner = createRunner({ kinds: [deletionKind as never], concurrency: 2, tickMs: 100, pollMs: 50 });
  if (runs) await runner.start();

  return {
    instanceId,
    runner,
    async plan(keys, options = {}, task = 'delete') {
      const id = generateId();
      const parsed =
        task === 'delete' ? DeletionOptions.parse({ speed: 'fast', ...options }) : ExpireOptions.parse(options);
      const lengths = keys.map((key) => key.length ?? 0);
      const plan: DeletionPlan = {
        id,
        task,
        instanceId,
        instanceName: 'stand',
        production: false,
        selection: {
          by: 'keys',
          keys: keys.slice(0, 1).map(({ name, db = 0 }) => ({ k: encodeKey(Buffer.from(name)), db })),
        },
        options: parsed,
        createdAt: Date.now(),
        createdBy: 'test',
        createdById: 'test',
        values: { production: false, valuesForbidden: false },
        server: await readServerIdentity(instanceId),
        snapshotAt: null,
        prices: [],
        lookedAt: Date.now(),
        totals: {
          keys: keys.length,
          elements: lengths.reduce((sum, length) => sum + length, 0),
          bytes: null,
          instanceKeys: null,
          byMode: [],
          byType: [],
        },
        estimate: {
          seconds: null,
          serverMs: null,
          replicationBytes: null,
          archiveBytes: null,
          reference: null,
          measuredOn: 0,
        },
        commands: [],
        notices: [],
        hazards: [],
        excluded: [],
        consents: [],
        phrase: 'stand',
        expiries: null,
      };
      const mode = 'mode' in parsed ? parsed.mode : null;
      await runTransaction(async (tx) => {
        await insertDeletion(plan, tx);
        await insertItems(
          id,
          keys.map((key, seq): NewItem => {
            const name = Buffer.from(key.name);
            return {
              seq,
              name,
              db: key.db ?? 0,
              slot: computeSlot(name),
              mode: key.mode ?? mode,
              type: key.type,
              facts: {
                name: toDisplayName(name).name,
                nameBytes: name.length,
                address: '',
                encoding: null,
                length: key.length ?? null,
                bytes: key.bytes ?? null,
                expireAt: key.expireAt ?? null,
                expiryKnown: true,
                idleSeconds: null,
                modeReason: key.modeReason ? { code: key.modeReason, params: {} } : null,
                hazards: key.hazards ?? [],
                newExpireAt: key.newExpireAt ?? null,
              },
            };
          }),
          tx,
        );
      });
      return id;
    },
    async start(deletionId, action = 'run', more = {}) {
      const deletion = await getStoredDeletion(deletionId);
      const job = await createJob(LOCAL_ADMIN, {
        kind: 'deletion',
        instanceId,
        instanceName: 'stand',
        speed: deletion?.plan.options.speed ?? 'fast',
        params: { deletionId, action, ...more },
      });
      await updateDeletion(deletionId, { state: 'started', jobId: job.id, action, startedAt: Date.now() });
      return job.id;
    },
    async until(jobId, states, ms = LONG ? 240_000 : 120_000) {
      for (const end = Date.now() + ms; ; ) {
        const stored = await getStoredJob(jobId);
        if (stored && states.includes(stored.job.state)) return stored;
        const over = stored && ['failed', 'cancelled', 'succeeded', 'paused'].includes(stored.job.state);
        if (Date.now() > end || (over && !states.includes(stored.job.state)))
          throw new Error(
            `The job is ${stored?.job.state}: ${JSON.stringify(stored?.job.error ?? stored?.job.reason)}`,
          );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    items: (deletionId) => listItems({ deletionId, limit: 100_000 }),
    async close() {
      await runner.stop();
    },
  };
}
