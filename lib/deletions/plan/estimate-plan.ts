import { isDumped } from '@/lib/model/deletions/archive';
import type { EstimateRange, PlanEstimate } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import type { Speed } from '@/lib/model/job';
import { estimateUnlinkMs } from '@/lib/redis/drain/unlink-cost';
import type { Candidate } from './candidate';
import type { MeasuredSpeed } from './measured-speed';

/**
 * The cost of a deletion, measured on Redis 7.0.15 with 500,000 elements in chunks of 500, as CPU time, which does not
 * depend on other work of the machine. Microseconds per element for reading, archiving and deleting (`archive`), and
 * for deleting alone (`drain`): of the server, and of this process.
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
/** Strings are read in pieces and freed in one step. */
const PER_STRING_BYTE = { serverUs: 0.0004, ownUs: 0.01 };
const STRING_PIECE_BYTES = 256 * 1024;
/** Vector sets are copied by DUMP, measured in lib/model/deletions/archive.ts. */
const DUMP_US_PER_BYTE = 0.01;
/** The fixed cost of a key: reading its facts, rename, journal, UNLINK. */
const PER_KEY = { serverUs: 60, ownUs: 190 };
/** How many answers are waited for one after the other: small keys share theirs with a batch of a hundred. */
const ANSWERS_PER_KEY = 10;
const ANSWERS_PER_SMALL_KEY = 0.1;
const ANSWERS_PER_CHUNK = 2;
/**
 * Bytes of each name that HDEL and SREM replicate, with its length header. Ranks and trims are one short command per
 * chunk.
 */
const REPLICATED_NAME_BYTES = 24;
const PER_CHUNK_BYTES = 90;
const CHUNK_ELEMENTS = 500;
const SMALL_KEY_BYTES = 16 * 1024;
/**
 * Bytes in the archive per key besides its elements: its facts, its name in base64 and its end record. For small keys
 * this is most of the archive.
 */
const ARCHIVED_KEY_BYTES = 190;
const BASE64_FACTOR = 4 / 3;
/** By which factors the real bytes differ from ARCHIVED_KEY_BYTES. */
const KEY_BYTES_RANGE: EstimateRange = { from: 0.9, to: 1.1 };
/**
 * The archive size as a share of the memory of a large key: hashes, sets and sorted sets lose their pointers; lists and
 * streams are compact in memory already.
 */
const ARCHIVED_SHARE: Record<string, EstimateRange> = {
  hash: { from: 0.25, to: 1 },
  set: { from: 0.2, to: 1 },
  zset: { from: 0.15, to: 1 },
  list: { from: 0.9, to: 1.5 },
  // Pending entries take much memory, but only a short line in the archive.
  stream: { from: 0.05, to: 2.2 },
  string: { from: 0.95, to: 1.05 },
  vectorset: { from: 0.05, to: 1 },
  array: { from: 0.05, to: 1 },
};
const SMALL_SHARE: EstimateRange = { from: 0.85, to: 1.3 };
/** The share of the time in which the server works for the deletion, as the throttle keeps it. */
const SERVER_SHARE: Record<Speed, number> = { gentle: 0.25, balanced: 0.5, fast: 1 };
/** Waiting for an answer takes longer than the server works on it: it is also written, sent and read. */
const WAITED_PER_WORKED = 1.3;
/** How far other servers and machines differ from the measured ones, if this server has not been measured yet. */
const UNMEASURED_RANGE: EstimateRange = { from: 0.6, to: 5 };
/** Names may be shorter or longer than assumed. */
const REPLICATED_RANGE: EstimateRange = { from: 0.7, to: 2.5 };

/**
 * Adds up the cost of many keys. If the length of one large key is unknown, the sum is a lower bound and is reported as
 * unknown.
 */
export class Estimator {
  private serverUs = 0;
  private ownUs = 0;
  private answers = 0;
  private replicatedBytes = 0;
  private readonly archivedBytes: EstimateRange = { from: 0, to: 0 };
  private isUnknown = false;

  constructor(
    private readonly speed: Speed,
    private readonly server: { roundTripMs: number | null; measured: MeasuredSpeed | null },
  ) {}

  add(key: Candidate, mode: DeletionMode): void {
    const isSmall = (key.bytes ?? Number.POSITIVE_INFINITY) <= SMALL_KEY_BYTES;
    this.serverUs += PER_KEY.serverUs;
    this.ownUs += PER_KEY.ownUs;
    this.answers += isSmall ? ANSWERS_PER_SMALL_KEY : ANSWERS_PER_KEY;
    this.replicatedBytes += 2 * (key.nameBytes + 60);
    const makesArchive = mode === 'archive' || mode === 'in_place';
    if (makesArchive) this.addArchive(key, isSmall);
    if (mode === 'unlink') this.serverUs += (estimateUnlinkMs(key) ?? 0) * 1000;
    if (mode === 'quarantine' || mode === 'unlink') return;
    if (key.type === 'string') {
      const bytes = makesArchive ? (key.length ?? key.bytes ?? 0) : 0;
      this.serverUs += bytes * PER_STRING_BYTE.serverUs;
      this.ownUs += bytes * PER_STRING_BYTE.ownUs;
      this.answers += isSmall ? 0 : (2 * bytes) / STRING_PIECE_BYTES;
      return;
    }
    if (isDumped(key.type) && key.bytes !== null) {
      this.serverUs += makesArchive ? key.bytes * DUMP_US_PER_BYTE : 0;
      return;
    }
    const perElement = key.type === null ? undefined : PER_ELEMENT[key.type]?.[makesArchive ? 'archive' : 'drain'];
    if (!perElement || key.length === null) {
      if (!isSmall) this.isUnknown = true;
      return;
    }
    this.serverUs += key.length * perElement.serverUs;
    this.ownUs += key.length * perElement.ownUs;
    this.answers += isSmall ? 0 : (ANSWERS_PER_CHUNK * key.length) / CHUNK_ELEMENTS;
    const deletesByName = key.type === 'hash' || key.type === 'set';
    this.replicatedBytes += deletesByName
      ? key.length * REPLICATED_NAME_BYTES
      : (key.length / CHUNK_ELEMENTS) * PER_CHUNK_BYTES;
  }

  private addArchive(key: Candidate, isSmall: boolean): void {
    const keyBytes = ARCHIVED_KEY_BYTES + BASE64_FACTOR * key.nameBytes;
    const { from, to } = isSmall ? SMALL_SHARE : (ARCHIVED_SHARE[key.type ?? ''] ?? SMALL_SHARE);
    this.archivedBytes.from += KEY_BYTES_RANGE.from * keyBytes + from * (key.bytes ?? 0);
    this.archivedBytes.to += KEY_BYTES_RANGE.to * keyBytes + to * (key.bytes ?? 0);
  }

  buildEstimate(): PlanEstimate {
    if (this.isUnknown) return UNKNOWN_ESTIMATE;
    // After each answer the work rests as the speed requires, for the time the server worked on it.
    const seconds = ((this.serverUs * WAITED_PER_WORKED) / SERVER_SHARE[this.speed] + this.ownUs) / 1e6;
    return toEstimateRanges({ seconds, serverMs: this.serverUs / 1000 }, this.server, {
      answers: this.answers,
      replicationBytes: this.replicatedBytes,
      archiveBytes: { from: roundToTwoDigits(this.archivedBytes.from), to: roundToTwoDigits(this.archivedBytes.to) },
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

/** More digits would suggest more accuracy than there is. */
const roundToTwoDigits = (value: number): number => Number(value.toPrecision(2));

/**
 * Adds the network round trips of all answers, and turns the estimate into ranges. Distance delays the work, but adds
 * no load to the server.
 */
export function toEstimateRanges(
  local: { seconds: number; serverMs: number },
  { roundTripMs, measured }: { roundTripMs: number | null; measured: MeasuredSpeed | null },
  {
    answers,
    replicationBytes,
    archiveBytes,
  }: { answers: number; replicationBytes: number; archiveBytes: EstimateRange },
): PlanEstimate {
  const travelSeconds = (answers * (roundTripMs ?? 0)) / 1000;
  const reference = { seconds: local.seconds + travelSeconds, serverMs: local.serverMs };
  const toRange = (value: number, { from, to }: EstimateRange) => ({
    from: roundToTwoDigits(value * from),
    to: roundToTwoDigits(value * to),
  });
  return {
    seconds: toRange(reference.seconds, measured?.seconds ?? UNMEASURED_RANGE),
    serverMs: toRange(reference.serverMs, measured?.serverMs ?? UNMEASURED_RANGE),
    replicationBytes: toRange(Math.round(replicationBytes), REPLICATED_RANGE),
    archiveBytes,
    reference,
    measuredOn: measured?.deletions ?? 0,
  };
}
