import { isDumped } from '@/lib/model/deletions/archive';
import type { EstimateRange, PlanEstimate } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import type { Speed } from '@/lib/model/job';
import { unlinkMs } from '@/lib/redis/drain/unlink-cost';
import type { Candidate } from './candidate';
import type { MeasuredSpeed } from './measured-speed';

/**
 * What a deletion costs, measured on Redis 7.0.15 with 500,000 elements in chunks of 500, as CPU time, which does not
 * depend on what else the machine does. Microseconds per element: of the server for reading, archiving and removing,
 * and for removing alone; of our own process for the same two.
 */
const PER_ELEMENT: Record<
  string,
  { archive: { serverUs: number; ownUs: number }; drain: { serverUs: number; ownUs: number } }
> = {
  hash: { archive: { serverUs: 3.2, ownUs: 3.6 }, drain: { serverUs: 1.5, ownUs: 2 } },
  set: { archive: { serverUs: 2.8, ownUs: 3 }, drain: { serverUs: 1.2, ownUs: 1.1 } },
  zset: { archive: { serverUs: 2.6, ownUs: 2.4 }, drain: { serverUs: 0.65, ownUs: 0.1 } },
  list: { archive: { serverUs: 1.9, ownUs: 1.9 }, drain: { serverUs: 0.25, ownUs: 0.2 } },
  stream: { archive: { serverUs: 6.9, ownUs: 7 }, drain: { serverUs: 1.2, ownUs: 0.3 } },
};
/** Strings are read in pieces and freed in one. */
const PER_STRING_BYTE = { serverUs: 0.0004, ownUs: 0.01 };
const STRING_PIECE_BYTES = 256 * 1024;
/** Vector sets by DUMP, as lib/model/deletions/archive.ts measured it. */
const DUMP_US_PER_BYTE = 0.01;
/** A key of its own: looks, rename, journal, UNLINK. */
const PER_KEY = { serverUs: 60, ownUs: 190 };
/** Answers that are waited for one after the other: small keys share theirs with a batch of a hundred. */
const ANSWERS_PER_KEY = 10;
const ANSWERS_PER_SMALL_KEY = 0.1;
const ANSWERS_PER_CHUNK = 2;
/** Names that HDEL and SREM send on, with their length headers; ranks and trims are one short command per chunk. */
const REPLICATED_NAME_BYTES = 24;
const PER_CHUNK_BYTES = 90;
const CHUNK = 500;
const SMALL_BYTES = 16 * 1024;
/**
 * In the archive, of each key beside its elements: what was known of it, its name in base64, where it ends. Of small
 * keys that is most of it.
 */
const ARCHIVED_KEY_BYTES = 190;
const BASE64 = 4 / 3;
const BESIDE: EstimateRange = { from: 0.9, to: 1.1 };
/**
 * What of the memory of a large key stands in its archive: of hashes, sets and sorted sets the pointers go, lists and
 * streams are packed in memory already.
 */
const ARCHIVED_SHARE: Record<string, EstimateRange> = {
  hash: { from: 0.25, to: 1 },
  set: { from: 0.2, to: 1 },
  zset: { from: 0.15, to: 1 },
  list: { from: 0.9, to: 1.5 },
  // What is pending takes much memory, and a short line in the archive.
  stream: { from: 0.05, to: 2.2 },
  string: { from: 0.95, to: 1.05 },
  vectorset: { from: 0.05, to: 1 },
  array: { from: 0.05, to: 1 },
};
const SMALL_SHARE: EstimateRange = { from: 0.85, to: 1.3 };
/** Share of the time the server works for us; see the throttle. */
const DUTY: Record<Speed, number> = { gentle: 0.25, balanced: 0.5, fast: 1 };
/** We wait longer for an answer than the server works on it: it is written, sent and read. */
const WAITED_PER_WORKED = 1.3;
/** How far other servers and machines are from those that were measured, where this one has told nothing yet. */
const UNMEASURED: EstimateRange = { from: 0.6, to: 5 };
/** Names that are shorter or longer than assumed. */
const REPLICATED: EstimateRange = { from: 0.7, to: 2.5 };

/** Adds up over many keys; a key whose length is not known makes the sum a lower bound, shown as unknown. */
export class Estimator {
  private serverUs = 0;
  private ownUs = 0;
  private answers = 0;
  private replicated = 0;
  private readonly archived: EstimateRange = { from: 0, to: 0 };
  private unknown = false;

  constructor(
    private readonly speed: Speed,
    private readonly on: { roundTripMs: number | null; measured: MeasuredSpeed | null },
  ) {}

  add(key: Candidate, mode: DeletionMode): void {
    const small = (key.bytes ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES;
    this.serverUs += PER_KEY.serverUs;
    this.ownUs += PER_KEY.ownUs;
    this.answers += small ? ANSWERS_PER_SMALL_KEY : ANSWERS_PER_KEY;
    this.replicated += 2 * (key.nameBytes + 60);
    const archives = mode === 'archive' || mode === 'in_place';
    if (archives) this.archive(key, small);
    if (mode === 'unlink') this.serverUs += (unlinkMs(key) ?? 0) * 1000;
    if (mode === 'quarantine' || mode === 'unlink') return;
    if (key.type === 'string') {
      const bytes = archives ? (key.length ?? key.bytes ?? 0) : 0;
      this.serverUs += bytes * PER_STRING_BYTE.serverUs;
      this.ownUs += bytes * PER_STRING_BYTE.ownUs;
      this.answers += small ? 0 : (2 * bytes) / STRING_PIECE_BYTES;
      return;
    }
    if (isDumped(key.type) && key.bytes !== null) {
      this.serverUs += archives ? key.bytes * DUMP_US_PER_BYTE : 0;
      return;
    }
    const each = key.type === null ? undefined : PER_ELEMENT[key.type]?.[archives ? 'archive' : 'drain'];
    if (!each || key.length === null) {
      if (!small) this.unknown = true;
      return;
    }
    this.serverUs += key.length * each.serverUs;
    this.ownUs += key.length * each.ownUs;
    this.answers += small ? 0 : (ANSWERS_PER_CHUNK * key.length) / CHUNK;
    const byName = key.type === 'hash' || key.type === 'set';
    this.replicated += byName ? key.length * REPLICATED_NAME_BYTES : (key.length / CHUNK) * PER_CHUNK_BYTES;
  }

  private archive(key: Candidate, small: boolean): void {
    const beside = ARCHIVED_KEY_BYTES + BASE64 * key.nameBytes;
    const { from, to } = small ? SMALL_SHARE : (ARCHIVED_SHARE[key.type ?? ''] ?? SMALL_SHARE);
    this.archived.from += BESIDE.from * beside + from * (key.bytes ?? 0);
    this.archived.to += BESIDE.to * beside + to * (key.bytes ?? 0);
  }

  result(): PlanEstimate {
    if (this.unknown) return UNKNOWN_ESTIMATE;
    // After each answer the work rests as the speed requires, for the time the server worked on it.
    const seconds = ((this.serverUs * WAITED_PER_WORKED) / DUTY[this.speed] + this.ownUs) / 1e6;
    return rangesAround({ seconds, serverMs: this.serverUs / 1000 }, this.on, {
      answers: this.answers,
      replicationBytes: this.replicated,
      archiveBytes: { from: twoDigits(this.archived.from), to: twoDigits(this.archived.to) },
    });
  }
}

const UNKNOWN_ESTIMATE: PlanEstimate = {
  seconds: null,
  serverMs: null,
  replicationBytes: null,
  archiveBytes: null,
  reference: null,
  measuredOn: 0,
};

/** More digits would say more than is known. */
const twoDigits = (value: number): number => Number(value.toPrecision(2));

/** The way there and back is waited for with each answer, whatever the server is; distance is not load. */
export function rangesAround(
  near: { seconds: number; serverMs: number },
  { roundTripMs, measured }: { roundTripMs: number | null; measured: MeasuredSpeed | null },
  {
    answers,
    replicationBytes,
    archiveBytes,
  }: { answers: number; replicationBytes: number; archiveBytes: EstimateRange },
): PlanEstimate {
  const way = (answers * (roundTripMs ?? 0)) / 1000;
  const reference = { seconds: near.seconds + way, serverMs: near.serverMs };
  const around = (value: number, { from, to }: EstimateRange) => ({
    from: twoDigits(value * from),
    to: twoDigits(value * to),
  });
  return {
    seconds: around(reference.seconds, measured?.seconds ?? UNMEASURED),
    serverMs: around(reference.serverMs, measured?.serverMs ?? UNMEASURED),
    replicationBytes: around(Math.round(replicationBytes), REPLICATED),
    archiveBytes,
    reference,
    measuredOn: measured?.deletions ?? 0,
  };
}
