import { setTimeout as sleep } from 'node:timers/promises';
import type { Speed } from '@/lib/model/job';
import type { RedisSession } from '@/lib/redis/connection/session';
import { getSlotMaster } from '@/lib/redis/connection/slot-master';
import { canWriteAs } from '@/lib/redis/connection/write-user';
import { isSizedType } from '@/lib/redis/keys/length-commands';
import { PROFILES } from '@/lib/redis/throttle/throttle';
import { countKeys } from '@/lib/redis/write/count-keys';
import { readFactsOfEach } from '@/lib/redis/write/read-key-facts';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import type { Candidate } from './candidate';
import { hasAccessedRecently, IN_USE_SECONDS } from './recent-accesses';

/**
 * Sizes of batches: seven commands per key to read all facts, two to count. Both take about half a millisecond of
 * server time.
 */
const READ_AT_ONCE = 75;
const COUNTED_AT_ONCE = 250;
const BATCH_SERVER_MS = 0.5;
/** Timers are not more exact than this. */
const MIN_SLEEP_MS = 1;
/** A server that takes this long for a batch is busy with other things. */
const SLOW_MS = 20;

/**
 * Reads the current facts of keys, each node on its own connection, with rests as the speed requires. It only reads. If
 * the server does not support NO-TOUCH (before 7.2), elements are counted only of keys that may be bigkeys or whose
 * memory is unknown, because counting resets idle times.
 */
export class CandidateReader {
  private readonly channels = new Map<string, Promise<WritingChannel>>();
  private readonly restDebts = new Map<string, number>();

  constructor(
    private readonly session: RedisSession,
    private readonly speed: Speed,
    private readonly instanceId: string,
  ) {}

  /** Reads every fact that a plan uses. */
  async readFactsInto(keys: readonly Candidate[]): Promise<void> {
    await this.actInBatches(keys, READ_AT_ONCE, async (channel, batch) => {
      const results = await readFactsOfEach(
        channel,
        batch.map(({ raw }) => raw),
        channel.noTouch ? 'always' : 'where_it_matters',
      );
      batch.forEach((key, index) => {
        const result = results[index];
        if (!result) return;
        key.isRead = true;
        key.isDenied = result instanceof WriteFailure;
        if (result instanceof WriteFailure) return;
        key.isGone = result.type === null;
        if (key.isGone) return;
        const { at: _, ...facts } = result;
        Object.assign(key, facts, { length: facts.length ?? keepKnownLength(key, facts) });
        // Counting resets the idle time: the last access may have been an earlier plan.
        if (!channel.noTouch && facts.length !== null) key.idleSeconds = null;
      });
      if (!channel.noTouch) await this.forgetOwnAccesses(batch);
    });
  }

  /**
   * Counts the keys whose length a scan has not read, which are many small ones: without a length one key could be
   * taken for another. Memory, which can be read without resetting anything, distinguishes them too.
   */
  async countElements(keys: readonly Candidate[]): Promise<void> {
    const withKnownType = keys.filter(({ type }) => isSizedType(type));
    const toReadAgain = keys.filter(({ type }) => type === null);
    await this.actInBatches(withKnownType, COUNTED_AT_ONCE, async (channel, batch) => {
      const counts = await countKeys(
        channel,
        batch.flatMap(({ raw, type, bytes }) => (isSizedType(type) ? [{ name: raw, type, bytes }] : [])),
      );
      batch.forEach((key, index) => {
        const count = counts[index];
        if (!count) toReadAgain.push(key);
        else {
          key.length = count.length;
          key.bytes = count.bytes ?? key.bytes;
        }
      });
    });
    await this.readFactsInto(toReadAgain);
  }

  /** Forgets idle times that an access of Colonnade itself may explain, because reading a key for a plan is not use. */
  private async forgetOwnAccesses(keys: readonly Candidate[]): Promise<void> {
    const recent = keys.filter(({ idleSeconds }) => idleSeconds !== null && idleSeconds < IN_USE_SECONDS);
    if (recent.length > 0 && (await hasAccessedRecently(this.instanceId)))
      for (const key of recent) key.idleSeconds = null;
  }

  async close(): Promise<void> {
    for (const result of await Promise.allSettled(this.channels.values()))
      if (result.status === 'fulfilled') result.value.close();
  }

  private async actInBatches(
    keys: readonly Candidate[],
    batchSize: number,
    act: (channel: WritingChannel, batch: Candidate[]) => Promise<void>,
  ): Promise<void> {
    const partitions = new Map<string, { address: string; db: number; keys: Candidate[] }>();
    for (const key of keys) {
      key.address = getSlotMaster(this.session, key.slot).address;
      const id = `${key.address} ${key.db}`;
      const partition = partitions.get(id) ?? { address: key.address, db: key.db, keys: [] };
      if (partition.keys.push(key) === 1) partitions.set(id, partition);
    }
    const actInPartition = async ([id, { address, db, keys: partitionKeys }]: [
      string,
      { address: string; db: number; keys: Candidate[] },
    ]) => {
      const channel = await this.openChannel(id, address, db);
      for (let from = 0; from < partitionKeys.length; from += batchSize) {
        await act(channel, partitionKeys.slice(from, from + batchSize));
        await this.rest(address, channel.stats.lastMs);
      }
    };
    // All of them end before the failure of one is thrown, because their channels are closed next.
    for (const result of await Promise.allSettled([...partitions].map(actInPartition)))
      if (result.status === 'rejected') throw result.reason;
  }

  private openChannel(id: string, address: string, db: number): Promise<WritingChannel> {
    const known = this.channels.get(id);
    if (known) return known;
    // Keys that the write user may not see cannot be planned. If its password is missing, the plan reads what the read
    // user sees.
    const user = canWriteAs(this.session.target) ? 'write' : 'read';
    const opening = openWritingChannel(this.session, address, db, { user, noTouch: true });
    this.channels.set(id, opening);
    return opening;
  }

  private async rest(address: string, lastMs: number): Promise<void> {
    const workedMs = lastMs > SLOW_MS ? lastMs : BATCH_SERVER_MS;
    const debtMs = (this.restDebts.get(address) ?? 0) + workedMs * (1 / PROFILES[this.speed].duty - 1);
    if (debtMs >= MIN_SLEEP_MS) await sleep(debtMs);
    this.restDebts.set(address, debtMs >= MIN_SLEEP_MS ? 0 : debtMs);
  }
}

/** Returns the length from the scan, if the key still has the same type and memory; null = unknown. */
const keepKnownLength = (before: Candidate, now: Pick<Candidate, 'type' | 'bytes'>): number | null =>
  before.type === now.type && before.bytes === now.bytes ? before.length : null;
