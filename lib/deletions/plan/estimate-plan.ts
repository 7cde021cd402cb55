import type { PlanEstimate } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import type { Speed } from '@/lib/model/job';
import { unlinkMs } from '@/lib/redis/drain/unlink-cost';
import type { Candidate } from './candidate';

/**
 * What a deletion costs, from measurements on redis 7.0.15 with 2M elements in chunks of 500, one client beside it:
 * microseconds of the server per element for reading and removing, of our time at full speed, and of that the reading
 * and archiving.
 */
const PER_ELEMENT: Record<string, { serverUs: number; wallUs: number; readUs: number }> = {
  hash: { serverUs: 1.5, wallUs: 4.4, readUs: 0.9 },
  set: { serverUs: 1.2, wallUs: 2.7, readUs: 0.4 },
  zset: { serverUs: 0.65, wallUs: 3.2, readUs: 2.5 },
  list: { serverUs: 0.25, wallUs: 1.6, readUs: 1.2 },
  stream: { serverUs: 1.2, wallUs: 8.4, readUs: 8.0 },
};
/** Strings: per MiB, read in pieces and freed in one. */
const STRING_US_PER_BYTE = 0.0008;
/** A key of its own: looks, rename, journal, UNLINK. */
const PER_KEY = { serverUs: 60, wallUs: 250 };
/** Names that HDEL and SREM send on, with their length headers; ranks and trims are one short command per chunk. */
const REPLICATED_NAME_BYTES = 24;
const PER_CHUNK_BYTES = 90;
const CHUNK = 500;
/**
 * In the archive, of each key beside its elements: what was known of it, its name in base64, where it ends. Of small
 * keys that is most of it.
 */
const ARCHIVED_KEY_BYTES = 190;
const BASE64 = 4 / 3;
/** Share of the time the server works for us; see the throttle. */
const DUTY: Record<Speed, number> = { gentle: 0.25, balanced: 0.5, fast: 1 };

/** Of our time at full speed, the share spent waiting for answers; measured too. */
const WAITING = 0.8;

/** Adds up over many keys; a key whose length is not known makes the sum a lower bound, shown as unknown. */
export class Estimator {
  private serverUs = 0;
  private wallUs = 0;
  private replicated = 0;
  private archived = 0;
  private unknown = false;

  constructor(private readonly speed: Speed) {}

  add(key: Candidate, mode: DeletionMode): void {
    this.serverUs += PER_KEY.serverUs;
    this.wallUs += PER_KEY.wallUs;
    this.replicated += 2 * (key.nameBytes + 60);
    if (mode === 'archive' || mode === 'in_place')
      this.archived += ARCHIVED_KEY_BYTES + BASE64 * key.nameBytes + (key.bytes ?? 0);
    if (mode === 'unlink') this.serverUs += (unlinkMs(key) ?? 0) * 1000;
    if (mode === 'quarantine' || mode === 'unlink') return;
    const small = (key.bytes ?? Number.POSITIVE_INFINITY) <= 16 * 1024;
    if (key.type === 'string') {
      const bytes = key.length ?? key.bytes ?? 0;
      this.serverUs += bytes * STRING_US_PER_BYTE;
      this.wallUs += bytes * STRING_US_PER_BYTE * 2;
      return;
    }
    const each = key.type === null ? undefined : PER_ELEMENT[key.type];
    if (!each || key.length === null) {
      if (!small) this.unknown = true;
      return;
    }
    this.serverUs += key.length * each.serverUs;
    this.wallUs += key.length * (mode === 'drain' ? each.wallUs - each.readUs : each.wallUs);
    const byName = key.type === 'hash' || key.type === 'set';
    this.replicated += byName ? key.length * REPLICATED_NAME_BYTES : (key.length / CHUNK) * PER_CHUNK_BYTES;
  }

  result(): PlanEstimate {
    if (this.unknown) return { seconds: null, serverMs: null, replicationBytes: null, archiveBytes: null };
    return {
      // After each answer the work rests as the speed requires, for the time it waited for that answer.
      seconds: (this.wallUs * (1 + WAITING * (1 / DUTY[this.speed] - 1))) / 1e6,
      serverMs: this.serverUs / 1000,
      replicationBytes: Math.round(this.replicated),
      archiveBytes: Math.round(this.archived),
    };
  }
}
