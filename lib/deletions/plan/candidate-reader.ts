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
import { hasAccessedOfLate, IN_USE_SECONDS } from './own-accesses';

/**
 * Sizes of batches: seven commands per key to read all facts, two to count. Both take about half a millisecond of
 * server time.
 */
const LOOKED_AT_ONCE = 75;
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
  private readonly debts = new Map<string, number>();

  constructor(
    private readonly session: RedisSession,
    private readonly speed: Speed,
    private readonly instanceId: string,
  ) {}

  /** Reads every fact that a plan uses. */
  async readFactsInto(keys: readonly Candidate[]): Promise<void> {
    await this.actInBatches(keys, LOOKED_AT_ONCE, async (channel, some) => {
      const looks = await readFactsOfEach(
        channel,
        some.map(({ raw }) => raw),
        channel.noTouch ? 'always' : 'where_it_matters',
      );
      some.forEach((key, index) => {
        const look = looks[index];
        if (!look) return;
        key.live = true;
        key.denied = look instanceof WriteFailure;
        if (look instanceof WriteFailure) return;
        key.gone = look.type === null;
        if (key.gone) return;
        const { at: _, ...facts } = look;
        Object.assign(key, facts, { length: facts.length ?? keepKnownLength(key, facts) });
        // Counting resets the idle time: the last access may have been an earlier plan.
        if (!channel.noTouch && facts.length !== null) key.idleSeconds = null;
      });
      if (!channel.noTouch) await this.forgetOwnAccesses(some);
    });
  }

  /**
   * Counts the keys whose length a scan has not read, which are many small ones: without a length one key could be
   * taken for another. Memory, which can be read without resetting anything, distinguishes them too.
   */
  async count(keys: readonly Candidate[]): Promise<void> {
    const sized = keys.filter(({ type }) => isSizedType(type));
    const again = keys.filter(({ type }) => type === null);
    await this.actInBatches(sized, COUNTED_AT_ONCE, async (channel, some) => {
      const counts = await countKeys(
        channel,
        some.flatMap(({ raw, type, bytes }) => (isSizedType(type) ? [{ name: raw, type, bytes }] : [])),
      );
      some.forEach((key, index) => {
        const count = counts[index];
        if (!count) again.push(key);
        else {
          key.length = count.length;
          key.bytes = count.bytes ?? key.bytes;
        }
      });
    });
    await this.readFactsInto(again);
  }

  /** Forgets idle times that an access of Colonnade itself may explain: its look at a key is not use. */
  private async forgetOwnAccesses(keys: readonly Candidate[]): Promise<void> {
    const recent = keys.filter(({ idleSeconds }) => idleSeconds !== null && idleSeconds < IN_USE_SECONDS);
    if (recent.length > 0 && (await hasAccessedOfLate(this.instanceId)))
      for (const key of recent) key.idleSeconds = null;
  }

  async close(): Promise<void> {
    for (const open of await Promise.allSettled(this.channels.values()))
      if (open.status === 'fulfilled') open.value.close();
  }

  private async actInBatches(
    keys: readonly Candidate[],
    atOnce: number,
    act: (channel: WritingChannel, some: Candidate[]) => Promise<void>,
  ): Promise<void> {
    const places = new Map<string, { address: string; db: number; keys: Candidate[] }>();
    for (const key of keys) {
      key.address = getSlotMaster(this.session, key.slot).address;
      const id = `${key.address} ${key.db}`;
      const place = places.get(id) ?? { address: key.address, db: key.db, keys: [] };
      if (place.keys.push(key) === 1) places.set(id, place);
    }
    const actInPlace = async ([id, { address, db, keys: group }]: [
      string,
      { address: string; db: number; keys: Candidate[] },
    ]) => {
      const channel = await this.channel(id, address, db);
      for (let from = 0; from < group.length; from += atOnce) {
        await act(channel, group.slice(from, from + atOnce));
        await this.rest(address, channel.stats.lastMs);
      }
    };
    // All of them end before the failure of one is thrown, because their channels are closed next.
    for (const one of await Promise.allSettled([...places].map(actInPlace)))
      if (one.status === 'rejected') throw one.reason;
  }

  private channel(id: string, address: string, db: number): Promise<WritingChannel> {
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
    const worked = lastMs > SLOW_MS ? lastMs : BATCH_SERVER_MS;
    const debt = (this.debts.get(address) ?? 0) + worked * (1 / PROFILES[this.speed].duty - 1);
    if (debt >= MIN_SLEEP_MS) await sleep(debt);
    this.debts.set(address, debt >= MIN_SLEEP_MS ? 0 : debt);
  }
}

/** Returns the length from the scan, if the key still has the same type and memory; null = unknown. */
const keepKnownLength = (before: Candidate, now: Pick<Candidate, 'type' | 'bytes'>): number | null =>
  before.type === now.type && before.bytes === now.bytes ? before.length : null;
