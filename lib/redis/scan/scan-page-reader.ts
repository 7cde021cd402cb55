import type { LengthThresholds } from '@/lib/redis/keys/length-commands';
import { toReplyError } from '@/lib/redis/protocol/channel';
import type { CommandBatch } from '@/lib/redis/protocol/encode-page';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RespColumns } from '@/lib/redis/protocol/resp-columns';
import type { RespExpectation } from '@/lib/redis/protocol/resp-reader';
import type { ScanGuard } from '@/lib/redis/protocol/scan-guard';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import type { FactsPlan } from './plan-facts';
import type { ScanBatch } from './scan-batch';
import { ScanPage } from './scan-page';
import { RespScanReply } from './scan-reply';

export interface PageReading {
  channel: RespChannel;
  plan: FactsPlan;
  thresholds: LengthThresholds;
  guard: ScanGuard;
  throttle: NodeThrottle;
  signal: AbortSignal;
  /** The pattern of SCAN's MATCH; null = no MATCH. */
  match: Buffer | null;
  address: string;
  node: number;
  db: number;
  /** The run id of the process that answers; null = the server does not report it. */
  runId: string | null;
  /** COUNT is chosen so that the server does not have to hold replies above this many bytes. */
  replyTargetBytes: number;
  /** The largest COUNT allowed at present; it grows again by itself. */
  countCap: number;
  /**
   * Set after a reply that was too large: each page is delivered before the next SCAN, so that every attempt gets
   * further.
   */
  careful: boolean;
  /** The last SCAN that was sent: the position of the scan when a reply was too large. */
  lastScan: { cursor: string; count: number; reply: RespScanReply } | null;
}

/** The most bytes of one write: names may be large, and each command repeats the name. */
const WRITE_BYTES = 2 * 1024 * 1024;

/** A page of this COUNT that was not too large ends the careful mode. */
const CAREFUL_UNTIL_COUNT = 1024;

/** A page and what was last requested for it. */
type Stage = {
  page: ScanPage;
  at: 'facts' | 'lengths' | 'retry' | 'late-lengths' | 'done';
  /** The replies that the page waits for; null = nothing was requested in this stage. */
  pending: RespExpectation | null;
};

/**
 * The hot loop. One write holds the next SCAN, the facts of this page and the lengths of the previous page. SCAN goes
 * first, so that the next names arrive while the server still answers the facts: with two writes outstanding the server
 * is never idle. With one (gentle, balanced) every reply is awaited, and the throttle is called after each write.
 *
 * The file is long because what one write sends, awaits and completes can only be checked together.
 */
export async function readPages(
  reading: PageReading,
  start: string,
  deliver: (batch: ScanBatch) => Promise<void>,
): Promise<void> {
  const { channel, throttle, guard } = reading;
  const stages: Stage[] = [];
  let scan = sendScan(reading, start);
  let sentAt = performance.now();
  channel.flush();
  await channel.wait(scan.reply);
  for (;;) {
    const { reply } = scan;
    if (reply.error) throw toReplyError(reply.error, { command: 'SCAN', address: reading.address });
    guard.addPage(reply.cursor, reply.names.length, scan.count);
    adaptCap(reading, reply, scan.count);
    const stage: Stage = {
      page: new ScanPage(reply.names, reply.cursor, reading.plan, reading.thresholds, reply.skimmed),
      at: 'facts',
      pending: null,
    };
    const { page } = stage;
    stages.push(stage);
    const more = reply.cursor !== '0';
    if (reading.countCap > CAREFUL_UNTIL_COUNT) reading.careful = false;
    let next: { reply: RespScanReply; count: number } | null = null;
    let rttMs = reply.endedAt - sentAt;
    let from = 0;
    do {
      const { keys, writes } = throttle.burst;
      const to = findSliceEnd(page, reading.plan, from, keys);
      const last = to === page.rows.length;
      const before = performance.now();
      let awaited: RespExpectation | null = null;
      if (last && more && !reading.careful) {
        next = sendScan(reading, reply.cursor);
        awaited = next.reply;
      }
      const facts = sendRows(reading, page, reading.plan.group, page.factColumns, page.rows, from, to);
      if (facts) stage.pending = facts;
      const late = sendWaiting(reading, stages, keys);
      const final = late ?? facts ?? awaited;
      const overlap = writes > 1 && last && next !== null;
      sentAt = performance.now();
      addTotals(reading);
      channel.flush();
      if (overlap) await channel.wait(next!.reply);
      else if (final) await channel.wait(final);
      const now = performance.now();
      if (next && !overlap) rttMs = next.reply.endedAt - sentAt;
      addTotals(reading);
      advance(stages, last ? null : stage);
      await throttle.pace({ busyMs: now - before, rttMs: overlap ? 0 : rttMs }, reading.signal);
      from = to;
    } while (from < page.rows.length);
    await deliverDone(reading, stages, deliver);
    if (next === null && more) {
      await finishWaiting(reading, stages, deliver);
      next = sendScan(reading, reply.cursor);
      sentAt = performance.now();
      channel.flush();
      await channel.wait(next.reply);
    }
    if (next === null) break;
    scan = next;
  }
  await finishWaiting(reading, stages, deliver);
}

/** Completes and delivers all started pages before anything new is requested. */
async function finishWaiting(
  reading: PageReading,
  stages: Stage[],
  deliver: (batch: ScanBatch) => Promise<void>,
): Promise<void> {
  const { channel, throttle } = reading;
  while (stages.length > 0) {
    const before = performance.now();
    const final = sendWaiting(reading, stages, throttle.burst.keys);
    channel.flush();
    // Waiting for the last page is not enough: its facts may have arrived while lengths of an earlier page, requested
    // later, have not. An iteration that waits for nothing would prevent the replies from being read at all.
    const pending = final ?? stages.findLast((stage) => stage.pending && !stage.pending.done)?.pending;
    if (pending) await channel.wait(pending);
    addTotals(reading);
    advance(stages, null);
    await deliverDone(reading, stages, deliver);
    if (stages.length > 0) {
      await throttle.pace({ busyMs: performance.now() - before, rttMs: 0 }, reading.signal);
    }
  }
}

function sendScan(reading: PageReading, cursor: string): { reply: RespScanReply; count: number } {
  const count = Math.max(1, Math.min(reading.throttle.count(), reading.countCap));
  const match = reading.match === null ? [] : ['MATCH', reading.match];
  const reply = reading.channel.queue(['SCAN', cursor, ...match, 'COUNT', String(count)], new RespScanReply());
  reading.lastScan = { cursor, count, reply };
  return { reply, count };
}

/**
 * Returns the index of `page.rows` at which the next write ends: after `keys` keys, or earlier when it would exceed
 * `WRITE_BYTES`.
 */
function findSliceEnd(page: ScanPage, plan: FactsPlan, from: number, keys: number): number {
  const { rows } = page;
  let bytes = 0;
  let to = from;
  while (to < rows.length && to - from < keys) {
    bytes += plan.group.measureFor(page.names[rows[to]!]!.length);
    if (bytes > WRITE_BYTES && to > from) break;
    to++;
  }
  return to;
}

/** Queues a group of commands for each of the rows. `group` may differ by row. null = there was nothing to queue. */
function sendRows(
  { channel }: PageReading,
  page: ScanPage,
  group: CommandBatch | ((row: number) => CommandBatch),
  columns: ScanPage['factColumns'],
  rows: ArrayLike<number>,
  from: number,
  to: number,
): RespExpectation | null {
  const getGroup = typeof group === 'function' ? group : () => group;
  if (from === to || columns.length === 0) return null;
  let bytes = 0;
  for (let r = from; r < to; r++) {
    const row = rows[r]!;
    bytes += getGroup(row).measureFor(page.names[row]!.length);
  }
  const space = channel.reserve(bytes);
  let { at } = space;
  for (let r = from; r < to; r++) {
    const row = rows[r]!;
    at = getGroup(row).write(space.buffer, at, page.names[row]!);
  }
  channel.commitWrite(at, (to - from) * columns.length);
  return channel.expect(new RespColumns(columns, from, to, rows, page.onFactError));
}

/**
 * Queues the requests that started pages are still missing, for about `keys` keys at most. Returns the last expectation
 * queued; null = nothing was queued.
 */
function sendWaiting(reading: PageReading, stages: Stage[], keys: number): RespExpectation | null {
  const { plan } = reading;
  let last: RespExpectation | null = null;
  let left = keys;
  for (const stage of stages) {
    if (left <= 0) break;
    if (stage.pending) continue;
    const { page } = stage;
    if ((stage.at === 'lengths' || stage.at === 'late-lengths') && page.lengthRows.length > 0) {
      left -= page.lengthRows.length;
      const group = (row: number) => page.getLengthGroup(row);
      last = sendRows(reading, page, group, page.lengthColumns, page.lengthRows, 0, page.lengthRows.length);
      stage.pending = last;
    } else if (stage.at === 'retry' && page.retryRows.length > 0) {
      left -= page.retryRows.length;
      page.beginRetry();
      const asking = page.needsAsking;
      const columns = asking ? page.askingColumns : page.factColumns;
      const rows = page.retryRows;
      last = sendRows(reading, page, asking ? plan.asking : plan.group, columns, rows, 0, rows.length);
      stage.pending = last;
    }
  }
  return last;
}

/**
 * Moves each page to the stage that its replies allow. `unfinished` is a page whose facts have not all been requested.
 */
function advance(stages: Stage[], unfinished: Stage | null): void {
  for (const stage of stages) {
    const { page } = stage;
    for (;;) {
      if (stage === unfinished) break;
      if (stage.pending && !stage.pending.done) break;
      const isRead = stage.pending !== null;
      if (page.fatal) throw toReplyError(page.fatal);
      if (stage.at === 'facts') {
        page.onFactsRead();
        stage.at = 'lengths';
      } else if (stage.at === 'lengths') {
        if (page.lengthRows.length > 0 && !isRead) break;
        page.onLengthsRead();
        stage.at = 'retry';
      } else if (stage.at === 'retry') {
        if (page.retryRows.length > 0 && !isRead) break;
        page.onRetryRead();
        stage.at = 'late-lengths';
      } else if (stage.at === 'late-lengths') {
        if (page.lengthRows.length > 0 && !isRead) break;
        page.endRetry();
        stage.at = 'done';
      } else break;
      stage.pending = null;
    }
  }
}

/** Delivers complete pages in the order of the cursors. */
async function deliverDone(
  reading: PageReading,
  stages: Stage[],
  deliver: (batch: ScanBatch) => Promise<void>,
): Promise<void> {
  while (stages[0]?.at === 'done') {
    const { page } = stages.shift()!;
    const facts = page.finish(reading.node, reading.db);
    await deliver({
      page: facts,
      cursorAfter: page.cursorAfter,
      runId: reading.runId,
      done: page.cursorAfter === '0',
      vanished: page.vanished,
      oversize: page.oversize,
      lengthNotAsked: page.lengthNotAsked,
      moved: page.moved,
    });
  }
}

/** Lowers the COUNT limit after a page that was too large; smaller pages double it again. */
function adaptCap(reading: PageReading, reply: RespScanReply, count: number): void {
  if (reply.nameBytes > reading.replyTargetBytes) {
    reading.countCap = Math.max(1, Math.floor((count * reading.replyTargetBytes) / reply.nameBytes));
  } else if (reading.countCap < Number.MAX_SAFE_INTEGER / 2) reading.countCap *= 2;
}

/** Moves the counters of the channel to the totals of the throttle. */
function addTotals({ channel, throttle }: PageReading): void {
  const { counters } = channel;
  const { stats } = throttle;
  stats.commands += counters.commands;
  stats.bytesSent += counters.bytesSent;
  stats.bytesReceived += counters.bytesReceived;
  counters.commands = 0;
  counters.bytesSent = 0;
  counters.bytesReceived = 0;
}
