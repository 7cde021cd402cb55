import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Beginner, stillMay } from '@/lib/access/auth/still-may';
import { destinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { blockedByDisk } from '@/lib/jobs/blocked-by-disk';
import type { JobContext, JobKind } from '@/lib/jobs/loop/kind';
import { type BusyNode, claimNodes, isSameNode } from '@/lib/jobs/node-claims';
import { isPartialScan } from '@/lib/model/snapshots/is-partial-scan';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { refusesValues } from '@/lib/model/value-reason';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { auditedCommands } from '@/lib/rules/policy/audited-commands';
import { bigkeysOf, lowestBigkeysOf } from '@/lib/rules/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/rules/policy/effective-policy';
import { config } from '@/lib/runtime/config';
import { goOnElsewhere, partsAreHere } from '@/lib/scans/run/go-on-elsewhere';
import { PartsInStore } from '@/lib/scans/run/parts-in-store';
import { runScan } from '@/lib/scans/run/run-scan';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { lockFolder } from '@/lib/snapshots/folder/folder-lock';
import { objectStore } from '@/lib/snapshots/remote/objects/object-store';
import { removedScanFiles, removedSnapshot } from '@/lib/snapshots/remote/removed-snapshot';
import { uploadSoon } from '@/lib/snapshots/remote/upload-soon';
import type { SealStats } from '@/lib/snapshots/seal/sealed-stats';
import { newId } from '@/lib/store/new-id';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';
import { deleteSnapshotRow, getSnapshotRow, insertSnapshot, updateSnapshot } from '@/lib/store/snapshots';
import { applyRetention } from './apply-retention';
import { snapshotFolder } from './snapshot-folder';

/**
 * Claims the nodes of a scan, because only one scan may read a node at a time. Returns a node that another scan reads,
 * with its job; null: all nodes are claimed.
 */
export const takeNodes = (
  context: Pick<JobContext<unknown, ScanCheckpoint>, 'job' | 'fencedAlone'>,
  checkpoint: ScanCheckpoint,
): Promise<BusyNode | null> =>
  claimNodes(context, checkpoint, { holds: (other) => !other.readingDone, isSame: isSameNode });

/** A scan waits this long, in ms, for a server that is away before it is blocked until a person acts. */
const RETRY_FOR_MS = 30 * 60_000;
/**
 * A stopped scan waits this long, in ms, for its last parts to arrive in the object store, so that another worker can
 * continue it.
 */
const PARTS_GRACE_MS = 2_000;

/** `begunBy`: the person who started the scan, set only if values are sampled. */
export type ScanParams = ScanOptions & { begunBy?: Beginner };

/** The scan as a job. The job loop provides lease, stop requests and checkpoint; the store records the snapshot. */
export const scanKind: JobKind<ScanParams, ScanCheckpoint> = {
  kind: 'scan',

  async run(context) {
    const { job } = context;
    const { begunBy, ...options } = context.params;
    // Retention may have deleted what a failed job had kept. The scan then starts again.
    const kept = context.checkpoint && (await getSnapshotRow(context.checkpoint.snapshotId));
    const store = objectStore();
    let checkpoint = kept ? context.checkpoint : null;
    // If each machine has its own disk, parts that another machine wrote are not here.
    if (kept && checkpoint && store !== null && !(await partsAreHere(checkpoint))) {
      // The earlier run was killed after it had sealed the snapshot and recorded that, and before the end of the job
      // was written.
      if (kept.state === 'sealed') {
        void removedScanFiles(kept.id);
        return 'done';
      }
      const brought = await blockedByDisk(goOnElsewhere(context, store, checkpoint, RETRY_FOR_MS));
      if (brought === 'stopped') return 'stopped';
      if (brought === null) await forget(context, kept.id);
      checkpoint = brought;
    }
    const instanceId = job.instanceId ?? '';
    const target = await openTarget(instanceId);
    const rules = await effectivePolicy(instanceId);
    const snapshotId = checkpoint?.snapshotId ?? newId();
    const dir = snapshotFolder(snapshotId);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // The job's lease says who may scan; the lock tells other servers on this data folder that the folder is in use.
    const lock = await lockFolder(dir, { force: true });
    let shown = false;
    const write = (state: ScanCheckpoint) => context.saveCheckpoint(state);
    const parts =
      store !== null && config.keepsScansApart
        ? new PartsInStore({ store, snapshotId, dir, from: checkpoint, signal: context.signal, write })
        : null;
    const outcome = await blockedByDisk(
      runScan({
        target,
        policy: destinationPolicy(instanceId),
        dir,
        snapshotId,
        instance: { id: instanceId, name: target.name, jobId: job.id },
        options,
        bigkeys: bigkeysOf(rules),
        thresholds: lowestBigkeysOf(rules),
        delimiter: rules.profiles[rules.base]!.body.delimiter,
        commands: auditedCommands(rules),
        checkpoint,
        hooks: {
          signal: context.signal,
          stopped: context.stopped,
          withoutPlace: (wait) => context.withoutPlace(wait),
          retryForMs: RETRY_FOR_MS,
          stopRequested: () => context.stopRequested(),
          speed: () => context.speed(),
          async mayReadValues() {
            const now = await getProtectedInstance(instanceId);
            if (now === null || begunBy === undefined) return false;
            if (refusesValues(now.settings, options.valuesReason) !== null) return false;
            return stillMay(begunBy, 'value.read', { id: instanceId, ...now.settings });
          },
          report: (update) => context.report(update),
          assertHeld: () => context.assertHeld(),
          takeNodes: (state) => takeNodes(context, state),
          async saveCheckpoint(state) {
            await (parts ? parts.save(state) : write(state));
            // The lists of snapshots show how far the scan is. The fenced write above ensures that this run still owns
            // it.
            if (shown) await updateSnapshot(snapshotId, { keys: state.partitions.reduce((sum, p) => sum + p.keys, 0) });
          },
          async onSnapshot(manifest, sealed) {
            // Fenced, because a run that was overtaken must not record that the snapshot on its own disk is complete.
            await context.fenced((tx) => keepRow(manifest, sealed, instanceId, job.id, tx));
            if (!shown) await context.setSnapshot(snapshotId);
            shown = true;
          },
        },
      }),
    )
      .then(async (ended) => {
        // No other worker has to continue a sealed scan, so there is no wait for its parts.
        if (ended === 'done') await parts?.stop(0);
        return ended;
      })
      .finally(async () => {
        await parts?.stop(PARTS_GRACE_MS);
        await lock.release();
      });
    if (outcome === 'done') {
      void removedScanFiles(snapshotId);
      await applyRetention(instanceId);
      // The upload and the evaluation follow the end of the scan, because the snapshot is complete and can be queried.
      uploadSoon(snapshotId, { prepared: false });
      void evaluateSoon(instanceId).then(() => uploadSoon(snapshotId, { prepared: true }));
    }
    return outcome;
  },

  /**
   * Describes the state that a run continues from; it changes only when reading advances. Sealing starts again with
   * each run, so it is not part of it.
   */
  async standing({ checkpoint }) {
    const { snapshotId, partitions = [], readingDone } = (checkpoint as ScanCheckpoint | null) ?? {};
    // Cost and claims are excluded, because they change with each run even if it reads nothing.
    const read = partitions.map(({ cursor, done, parts, keys }) => [cursor, done, parts.length, keys]);
    return JSON.stringify({ snapshotId, readingDone, read });
  },

  async discard(job, checkpoint) {
    if (checkpoint === null) return 'removed';
    const row = await getSnapshotRow(checkpoint.snapshotId);
    // A scan that was cancelled after sealing has left a complete snapshot, which is kept.
    if (row?.state === 'sealed') {
      void removedScanFiles(row.id);
      return 'removed';
    }
    // One error must not discard hours of reading. The parts are kept: when its cause is fixed and the job is resumed,
    // the scan continues.
    if (job.state === 'failed' && row !== null && checkpoint.partitions.some((p) => p.parts.length > 0)) {
      await updateSnapshot(row.id, {
        state: 'failed',
        keys: checkpoint.partitions.reduce((sum, p) => sum + p.keys, 0),
      });
      return 'kept';
    }
    await deleteSnapshotRow(checkpoint.snapshotId);
    await removeSnapshotFolder(snapshotFolder(checkpoint.snapshotId));
    void removedSnapshot(checkpoint.snapshotId);
    return 'removed';
  },
};

/**
 * Deletes the row and the folder of a scan whose parts on another disk are lost; the scan starts again with a new
 * snapshot. Fenced, because a process that was suspended here must not delete what another one has sealed meanwhile.
 */
async function forget(context: Pick<JobContext<unknown, unknown>, 'fenced'>, id: string): Promise<void> {
  await context.fenced((tx) => deleteSnapshotRow(id, tx));
  await removeSnapshotFolder(snapshotFolder(id));
  void removedSnapshot(id);
}

async function keepRow(
  manifest: SnapshotManifest,
  sealed: SealStats | null,
  instanceId: string,
  jobId: string,
  tx: Tx,
): Promise<void> {
  const row = {
    instanceId,
    jobId,
    state: manifest.state,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    keys: manifest.keys,
    bytes: sealed?.bytes ?? null,
    bigkeys: sealed?.bigkeys ?? null,
    noExpiryKeys: sealed?.noExpiryKeys ?? null,
    partial: manifest.coverage.partial,
    isPart: isPartialScan(manifest.options),
    fileBytes: manifest.fileBytes,
    ...(config.snapshotStore !== null && { heldBy: hostname() }),
  };
  if (!(await updateSnapshot(manifest.id, row, tx))) await insertSnapshot({ id: manifest.id, ...row }, tx);
}
