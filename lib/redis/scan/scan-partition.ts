import { AppError } from '@/lib/model/errors';
import { openNodeChannel } from '@/lib/redis/connection/open-node-channel';
import { computeSkew, parseInfoTime } from '@/lib/redis/info/clock-skew';
import { LENGTH_THRESHOLDS } from '@/lib/redis/keys/length-commands';
import { buildPrefixPattern } from '@/lib/redis/protocol/encode-command';
import type { ChannelTimeouts, RespChannel } from '@/lib/redis/protocol/resp-channel';
import { ReplyTooLarge, type RespLimits } from '@/lib/redis/protocol/resp-reader';
import { computeScanBounds, type ScanBounds, ScanGuard } from '@/lib/redis/protocol/scan-guard';
import { planFacts } from './plan-facts';
import type { PartitionInput, ScanBatch } from './scan-batch';
import { ScanBatchQueue } from './scan-batch-queue';
import { ScanPage } from './scan-page';
import { type PageReading, readPages } from './scan-page-reader';

/** A smaller clock difference, in ms, makes no difference to a report. */
const SMALL_SKEW_MS = 1000;

/** The process at the other end of a connection. With a load balancer each connection may lead to another one. */
export interface ServerProcess {
  /** null if the server does not report it, or INFO is denied. */
  runId: string | null;
  /**
   * Whether its clock differs from this process's clock by more than `SMALL_SKEW_MS`. PEXPIRETIME returns a time of the
   * server's clock, while reports count from this process's clock: with a difference of five minutes, keys that live
   * five minutes would look expired, or keys that expire now would look new. PTTL needs no clock. false if the server
   * does not report its time.
   */
  clockDiffers: boolean;
}

export async function readServerProcess(channel: Pick<RespChannel, 'call'>): Promise<ServerProcess> {
  const before = Date.now();
  const info = String(await channel.call(['INFO', 'server']));
  const after = Date.now();
  const theirs = parseInfoTime(info);
  return {
    runId: /^run_id:(\w+)/m.exec(info)?.[1] ?? null,
    clockDiffers: theirs !== null && Math.abs(computeSkew(theirs, before, after)) > SMALL_SKEW_MS,
  };
}

export interface ScanTuning {
  timeouts?: ChannelTimeouts;
  limits?: RespLimits;
  /** How far the scan may go before it counts as endless; the default is derived from DBSIZE. */
  bounds?: ScanBounds;
  /** How many complete pages may be ready while the consumer is busy. */
  pagesAhead?: number;
}

/** The position of the scan, kept when a connection is replaced. */
interface Place {
  cursor: string;
  /** The run id of the process that returned the cursor; null = unknown. */
  runId: string | null;
  countCap: number;
  guard: ScanGuard | null;
}

/** The largest reply to SCAN that is aimed at. */
const REPLY_TARGET_BYTES = 1024 * 1024;
/** The longest prefix of names that a scan can be limited to. */
const PREFIX_BYTES = 256;
/** The reason in the details of the error that `isCursorLost` recognises. */
const CURSOR_LOST = 'cursor_lost';

/**
 * Reads one database of one node, page by page, from `cursor` to the end, on its own connection. It sends only reads
 * that do not reset idle times, unless the input allows it. Every key that exists throughout is in at least one page;
 * SCAN may repeat a key. Continuing from any page's `cursorAfter` loses nothing in the process that returned it, so a
 * connection is asked for its process before it continues from a cursor.
 *
 * Throws AppError (or the signal's reason), one with `isCursorLost` if the process is another one; pages delivered
 * before stay valid. Ending the loop early closes the connection.
 */
export async function* scanPartition(input: PartitionInput, tuning: ScanTuning = {}): AsyncGenerator<ScanBatch> {
  if (!/^\d{1,20}$/.test(input.cursor)) throw new AppError('bad_request', 'The cursor is not a SCAN cursor.');
  if ((input.matchPrefix?.length ?? 0) > PREFIX_BYTES) {
    throw new AppError('bad_request', `A prefix may have at most ${PREFIX_BYTES} bytes.`);
  }
  const place: Place = {
    cursor: input.cursor,
    runId: input.runId ?? null,
    countCap: Number.MAX_SAFE_INTEGER,
    guard: null,
  };
  for (;;) {
    const connection = new ScanConnection(input, tuning);
    try {
      const reading = await connection.open(place);
      place.guard = reading.guard;
      const queue = new ScanBatchQueue(tuning.pagesAhead ?? 8);
      connection.queue = queue;
      const reader = readPages(reading, place.cursor, (batch) => queue.put(batch)).then(
        () => queue.end(),
        (error) => queue.end({ error }),
      );
      for (;;) {
        const batch = await queue.take();
        if (batch === null) break;
        place.cursor = batch.cursorAfter;
        place.runId = batch.runId;
        yield batch;
        input.signal.throwIfAborted();
      }
      await reader;
      return;
    } catch (error) {
      if (input.signal.aborted) throw input.signal.reason;
      if (!(error instanceof ReplyTooLarge)) throw error;
      const skipped = handleTooLargeReply(connection.reading, place, error);
      if (skipped) {
        place.cursor = skipped.cursorAfter;
        yield skipped;
        if (skipped.done) return;
      }
    } finally {
      connection.close();
    }
  }
}

/**
 * Handles a reply that was too large. The scan reads again from the last complete page with COUNT 1 (the result is
 * null). If even that is too large, a name in that bucket is: the page is skipped and counted. The scan can continue,
 * because the reply holds the cursor before the names.
 */
function handleTooLargeReply(reading: PageReading | null, place: Place, error: ReplyTooLarge): ScanBatch | null {
  const last = reading?.lastScan;
  if (!reading || !last) throw error;
  place.countCap = 1;
  if (last.cursor !== place.cursor || last.count > 1) return null;
  if (last.reply.done || last.reply.cursor === '') throw error;
  const page = new ScanPage([], last.reply.cursor, reading.plan, LENGTH_THRESHOLDS);
  return {
    page: page.finish(reading.node, reading.db),
    cursorAfter: last.reply.cursor,
    runId: reading.runId,
    done: last.reply.cursor === '0',
    vanished: 0,
    oversize: last.reply.announced,
    lengthNotAsked: 0,
    moved: 0,
    lostPages: 1,
  };
}

/** One connection of the scan and its state. */
class ScanConnection {
  reading: PageReading | null = null;
  queue: ScanBatchQueue | null = null;
  private channel: RespChannel | null = null;
  private readonly onAbort = () => this.channel?.fail(this.input.signal.reason);
  /** Wakes a sleeping throttle when the consumer leaves the loop. */
  private readonly closing = new AbortController();

  constructor(
    private readonly input: PartitionInput,
    private readonly tuning: ScanTuning,
  ) {}

  async open({ guard, cursor, runId, countCap }: Place): Promise<PageReading> {
    const { input, tuning } = this;
    const { session, capabilities } = input;
    input.signal.throwIfAborted();
    const isReplica = input.role === 'replica';
    const channel = await openNodeChannel(session, input.address, {
      db: input.db,
      readonly: input.clustered && isReplica,
      noTouch: capabilities.noTouch,
      timeouts: tuning.timeouts,
      limits: tuning.limits,
      signal: input.signal,
    });
    this.channel = channel;
    input.signal.addEventListener('abort', this.onAbort, { once: true });
    input.signal.throwIfAborted();

    await measureBaseline(channel, input);
    const process = await readServerProcess(channel);
    if (cursor !== '0' && runId !== null && process.runId !== runId) throw createCursorLostError(input.address);
    const size = await channel.call(['DBSIZE']);
    const relative = capabilities.pexpiretime && capabilities.pttl && process.clockDiffers;
    const can = relative ? { ...capabilities, pexpiretime: false } : capabilities;
    const bounds = tuning.bounds ?? computeScanBounds(typeof size === 'number' ? size : null);
    guard?.restart(cursor);
    this.reading = {
      channel,
      plan: planFacts(input.facts, can, channel.noTouch || isReplica || input.counts === 'all'),
      thresholds: input.thresholds ?? LENGTH_THRESHOLDS,
      guard: guard ?? new ScanGuard(bounds, cursor),
      throttle: input.throttle,
      signal: AbortSignal.any([input.signal, this.closing.signal]),
      match: input.matchPrefix === null ? null : buildPrefixPattern(input.matchPrefix),
      address: input.address,
      node: input.node,
      db: input.db,
      runId: process.runId,
      replyTargetBytes: computeReplyTarget(input),
      countCap,
      careful: countCap === 1,
      lastScan: null,
    };
    return this.reading;
  }

  close(): void {
    this.input.signal.removeEventListener('abort', this.onAbort);
    this.queue?.end();
    this.closing.abort();
    this.channel?.close();
  }
}

/**
 * The error if the connection leads to another process than the one that returned the cursor: it would skip keys there.
 */
function createCursorLostError(address: string): AppError {
  return new AppError('redis_unreachable', 'Another server process answers at this address than before.', {
    host: address,
    reason: CURSOR_LOST,
  });
}

export const isCursorLost = (error: unknown): boolean =>
  error instanceof AppError && error.details.reason === CURSOR_LOST;

/**
 * Sends PING a few times to measure the round trip time without any work of the server. The pressure watch measures it
 * again all the time.
 */
async function measureBaseline(channel: RespChannel, input: PartitionInput): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const before = performance.now();
    await channel.call(['PING']);
    input.throttle.observeRoundTrip(performance.now() - before);
  }
}

/**
 * Returns the target size of a reply in bytes. Unread replies count as used memory: near maxmemory they would evict
 * other keys.
 */
function computeReplyTarget(input: PartitionInput): number {
  const facts = input.session.nodes.find((node) => node.address === input.address);
  const { maxmemoryBytes = null, usedMemoryBytes = null } = facts ?? {};
  if (!maxmemoryBytes || usedMemoryBytes === null) return REPLY_TARGET_BYTES;
  const headroom = Math.max(0, maxmemoryBytes - usedMemoryBytes);
  return Math.max(4096, Math.min(REPLY_TARGET_BYTES, Math.floor(headroom / 8)));
}
