import { JobBlocked } from '@/lib/jobs/loop/job-kind';
import { waitForNodes } from '@/lib/jobs/node-claims';
import { RetryBackoff } from '@/lib/jobs/retry/retry-backoff';
import { TRANSIENT_CODES, toWaitReason } from '@/lib/jobs/retry/transient-codes';
import { AppError } from '@/lib/model/errors';
import type { WaitReason } from '@/lib/model/job';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy, RedisSession } from '@/lib/redis/connection/session';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { readServerAudit } from '@/lib/redis/server/config-audit';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { log } from '@/lib/runtime/log';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeServerFile } from '@/lib/snapshots/folder/server-file';
import { deleteUnknownParts } from './delete-parts';
import { finishScan } from './finish-scan';
import { planScan } from './plan-scan';
import { sampleValues } from './sample-values';
import { scanAllNodes } from './scan-all-nodes';
import { createCheckpoint, resetCheckpoint, type ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import { createManifest } from './scan-manifest';
import { ScanMeter } from './scan-meter';
import { countKeysAtEnd, noteServerChange, skipNode, updateScanPlan } from './update-scan-plan';

interface ScanRun {
  target: ConnectionTarget;
  policy: DestinationPolicy;
  dir: string;
  snapshotId: string;
  instance: { id: string | null; name: string; jobId: string | null };
  options: ScanOptions;
  /** Thresholds of bigkeys in the profile. Bigkeys are counted when the snapshot is sealed. */
  bigkeyThresholds: BigkeyThresholds;
  /**
   * The lowest thresholds of all profiles of the policy. Above them element counts are read even if that resets idle
   * times.
   */
  lengthThresholds: BigkeyThresholds;
  /** Delimiter of names in the profile; sampled strings are spread over the prefixes. */
  delimiter: string;
  /** Commands for which the rules check which users may call them. */
  commands: readonly string[];
  checkpoint: ScanCheckpoint | null;
  /** If true, a shard with an unconfirmed address fails the scan before it begins, instead of being excluded. */
  requiresAllConfirmed?: boolean;
  hooks: ScanHooks;
}

/**
 * A dead shard delays the scan of a cluster at most this long, in ms; then it is excluded and the snapshot records
 * that.
 */
const MAX_SHARD_WAIT_MS = 60_000;
/** How long the audit of the servers may take, in ms. */
const MAX_AUDIT_MS = 15_000;

/**
 * Runs one scan from the connection to the sealed snapshot. It may be ended at any moment, by a request or by `kill
 * -9`, and called again with the last saved checkpoint: it first reads the topology, reads again only what is
 * necessary, and seals.
 */
export async function runScan(run: ScanRun): Promise<'done' | 'stopped'> {
  const { hooks, dir } = run;
  const checkpoint = run.checkpoint ?? createCheckpoint(run.snapshotId, run.options);
  const meter = new ScanMeter(checkpoint);
  const report = () =>
    hooks.report({ progress: meter.getProgress(), cost: meter.getCost(), reason: waitReason ?? meter.getReason() });
  /** Why the scan waits for a server or another scan; null: it does not. */
  let waitReason: WaitReason | null = null;
  const enterPhase = (phase: typeof meter.phase) => {
    meter.phase = phase;
    report();
  };
  /** Whether the nodes are claimed for this run. */
  let hasClaimedNodes = false;
  /** Whether parts of another server are still in the folder. */
  let hasLeftovers = false;
  const backoff = new RetryBackoff({
    whenStopRequested: hooks.whenStopRequested,
    retryForMs: hooks.retryForMs,
    createGiveUpError: (reason) => new JobBlocked(reason),
    report: (reason) => {
      waitReason = reason;
      report();
    },
  });
  const ticker = setInterval(report, 500);
  try {
    let manifest = run.checkpoint && checkpoint.nodes.length > 0 ? await readManifest(dir) : null;
    if (run.checkpoint) {
      await hooks.assertNotTakenOver();
      await deleteUnknownParts(dir, checkpoint);
    }
    while (!checkpoint.readingDone) {
      if (hooks.getStopRequest() !== null) return 'stopped';
      let session: RedisSession | null = null;
      try {
        session = await openSession(run.target, run.policy);
        await hooks.assertNotTakenOver();
        if (noteServerChange(session, checkpoint)) {
          resetCheckpoint(checkpoint);
          manifest = null;
          hasClaimedNodes = false;
          hasLeftovers = true;
        }
        if (checkpoint.nodes.length === 0) await planScan(session, checkpoint, run);
        else await updateScanPlan(session, checkpoint, dir);
        if (!hasClaimedNodes) {
          const claim = async () => (await hooks.claimNodes?.(checkpoint)) ?? null;
          const outcome = await waitForNodes(claim, hooks, async (reason) => {
            waitReason = reason;
            report();
            await session?.close();
            session = null;
          });
          if (outcome === 'stopped') return 'stopped';
          hasClaimedNodes = true;
          // The topology may have changed during the wait, so it is read again.
          if (outcome === 'waited') continue;
        }
        if (manifest === null) {
          manifest = createManifest(checkpoint, run.instance, await readConnectionReport(session));
          await writeManifest(dir, manifest);
        }
        await hooks.saveCheckpoint(checkpoint);
        // Delete leftovers only after the new checkpoint is saved; after an earlier crash the old checkpoint still
        // finds its parts.
        if (hasLeftovers) await deleteUnknownParts(dir, checkpoint);
        hasLeftovers = false;
        await hooks.onSnapshot(manifest, null);
        await hooks.regainPlace();
        waitReason = null;
        enterPhase('scanning');
        const keysBefore = meter.getProgress().done;
        const outcome = await scanAllNodes({
          session,
          dir,
          checkpoint,
          manifest,
          lengthThresholds: run.lengthThresholds,
          meter,
          hooks,
        });
        if (outcome.kind === 'stopped') return 'stopped';
        if (meter.getProgress().done > keysBefore) backoff.reset();
        if (outcome.kind === 'lost') {
          if (backoff.hasFailedFor(MAX_SHARD_WAIT_MS) && outcome.nodes.length < checkpoint.nodes.length) {
            for (const node of outcome.nodes) skipNode(checkpoint, node, 'redis_unreachable');
            continue;
          }
          throw outcome.error;
        }
        await endReading(session, run, checkpoint, manifest, backoff);
        if (checkpoint.readingDone && checkpoint.options.values > 0) {
          enterPhase('sampling');
          // If sampling is stopped, the end of reading is repeated, because only that step has a connection.
          checkpoint.readingDone = await sampleValues({
            session,
            dir,
            manifest,
            checkpoint,
            delimiter: run.delimiter,
            hooks,
            meter,
          });
        }
      } catch (error) {
        // A scan that has not begun fails at once with an instruction; one that has begun waits for the server to
        // return.
        if (!(error instanceof AppError) || !TRANSIENT_CODES.has(error.code) || checkpoint.nodes.length === 0)
          throw error;
        await backoff.wait(toWaitReason(error));
      } finally {
        await session?.close();
      }
    }
    meter.noteSealing({ stage: 'sorting', done: 0, total: meter.getProgress().done });
    report();
    checkpoint.cost = meter.getCost();
    await hooks.saveCheckpoint(checkpoint);
    manifest ??= await readManifest(dir);
    const outcome = await finishScan(dir, checkpoint, manifest, run.bigkeyThresholds, meter, hooks);
    if (outcome === 'done') meter.phase = 'done';
    return outcome;
  } finally {
    clearInterval(ticker);
    report();
  }
}

/** Ends the reading if the topology requires nothing more to be read. Slots may have moved while others were read. */
async function endReading(
  session: RedisSession,
  { dir, commands, hooks }: ScanRun,
  checkpoint: ScanCheckpoint,
  manifest: SnapshotManifest,
  backoff: RetryBackoff,
): Promise<void> {
  checkpoint.readingEndedAt = Date.now();
  await session.refresh();
  await hooks.assertNotTakenOver();
  const { changed, unreachable } = await updateScanPlan(session, checkpoint, dir);
  if (changed) return;
  if (unreachable.length > 0 && !backoff.hasFailedFor(MAX_SHARD_WAIT_MS)) {
    throw new AppError('redis_unreachable', `${unreachable[0]} does not answer.`, { host: unreachable[0] ?? '' });
  }
  await countKeysAtEnd(session, checkpoint);
  await writeServerFacts(session, dir, manifest, commands);
  checkpoint.readingDone = true;
}

/**
 * Stores the audit of the servers for the server rules. If it fails, the scan is complete nevertheless, because its
 * purpose is the keys.
 */
async function writeServerFacts(
  session: RedisSession,
  dir: string,
  manifest: SnapshotManifest,
  commands: readonly string[],
): Promise<void> {
  try {
    const audit = await withTimeout(readServerAudit(session, commands), MAX_AUDIT_MS, () => new Error('too slow'));
    await writeServerFile(dir, audit);
    manifest.moreCommands = [...new Set(audit.nodes.flatMap((node) => node.moreCommands ?? []))].sort();
    await writeManifest(dir, manifest);
  } catch (error) {
    if (error instanceof AppError && error.code === 'disk_full') throw error;
    log().warn({ err: error }, 'scan.server_facts_failed');
  }
}
