import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Initiator, isStillPermitted } from '@/lib/access/auth/is-still-permitted';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { blockOnDiskError } from '@/lib/jobs/block-on-disk-error';
import type { JobContext, JobKind } from '@/lib/jobs/loop/job-kind';
import { type BusyNode, claimNodes, isSameNode } from '@/lib/jobs/node-claims';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { findValueRefusal } from '@/lib/model/value-reason';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { listAuditedCommands } from '@/lib/rules/policy/audited-commands';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { findLowestThresholds, getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { config } from '@/lib/runtime/config';
import { runScan } from '@/lib/scans/run/run-scan';
import { createCheckpoint, type ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { toDiskError } from '@/lib/snapshots/folder/durable';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { lockFolder } from '@/lib/snapshots/folder/folder-lock';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { uploadSoon } from '@/lib/snapshots/remote/upload-soon';
import type { SealStats } from '@/lib/snapshots/seal/sealed-stats';
import { generateId } from '@/lib/store/generate-id';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';
import { deleteSnapshotRow, getSnapshotRow, insertSnapshot, updateSnapshot } from '@/lib/store/snapshots';
import { applyRetention } from './apply-retention';

/**
 * Claims the nodes of a scan, because only one scan may read a node at a time. Returns a node that another scan reads,
 * with its job; null: all nodes are claimed.
 */
export const claimScanNodes = (
  context: Pick<JobContext<unknown, ScanCheckpoint>, 'job' | 'writeFencedLocked'>,
  checkpoint: ScanCheckpoint,
): Promise<BusyNode | null> =>
  claimNodes(context, checkpoint, { stillNeedsNodes: (other) => !other.readingDone, isSame: isSameNode });

/** A scan waits this long, in ms, for a server that is away before it is blocked until a person acts. */
const RETRY_SERVER_MS = 30 * 60_000;

/** `begunBy`: the person who started the scan, set only if values are sampled. */
export type ScanParams = ScanOptions & { begunBy?: Initiator };

/** The scan as a job. The job loop provides lease, stop requests and checkpoint; the store records the snapshot. */
export const scanKind: JobKind<ScanParams, ScanCheckpoint> = {
  kind: 'scan',

  async run(context) {
    const { job } = context;
    const { begunBy, ...options } = context.params;
    const checkpoint = await findUsableCheckpoint(context, options);
    if (checkpoint === 'sealed') return 'done';
    const instanceId = job.instanceId ?? '';
    const target = await openTarget(instanceId);
    const policy = await getEffectivePolicy(instanceId);
    const snapshotId = checkpoint?.snapshotId ?? generateId();
    const dir = getSnapshotFolder(snapshotId);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // The job's lease says who may scan; the lock tells other servers on this data folder that the folder is in use.
    const lock = await lockFolder(dir, { force: true });
    let hasSnapshotRow = false;
    const outcome = await blockOnDiskError(
      runScan({
        target,
        policy: readDestinationPolicy(instanceId),
        dir,
        snapshotId,
        instance: { id: instanceId, name: target.name, jobId: job.id },
        options,
        bigkeyThresholds: getPolicyThresholds(policy),
        lengthThresholds: findLowestThresholds(policy),
        delimiter: policy.profiles[policy.base]!.body.delimiter,
        commands: listAuditedCommands(policy),
        checkpoint,
        hooks: {
          ...context,
          retryForMs: RETRY_SERVER_MS,
          async mayReadValues() {
            const now = await getProtectedInstance(instanceId);
            if (now === null || begunBy === undefined) return false;
            if (findValueRefusal(now.settings, options.valuesReason) !== null) return false;
            return isStillPermitted(begunBy, 'value.read', { id: instanceId, ...now.settings });
          },
          claimNodes: (state) => claimScanNodes(context, state),
          async saveCheckpoint(state) {
            await context.saveCheckpoint(state);
            // The lists of snapshots show how far the scan is. The fenced write above ensures that this run still owns
            // it.
            if (hasSnapshotRow)
              await updateSnapshot(snapshotId, {
                keys: state.partitions.reduce((sum, partition) => sum + partition.keys, 0),
              });
          },
          async onSnapshot(manifest, sealStats) {
            // Fenced, because a run that was overtaken must not record that the snapshot on its own disk is complete.
            await context.writeFenced((tx) => writeSnapshotRow(manifest, sealStats, instanceId, job.id, tx));
            if (!hasSnapshotRow) await context.setSnapshot(snapshotId);
            hasSnapshotRow = true;
          },
        },
      }),
    ).finally(() => lock.release());
    if (outcome === 'done') {
      await applyRetention(instanceId);
      // The upload and the evaluation follow the end of the scan, because the snapshot is complete and can be queried.
      uploadSoon(snapshotId, { prepared: false });
      void evaluateSoon(instanceId).then(() => uploadSoon(snapshotId, { prepared: true }));
    }
    return outcome;
  },

  /**
   * Describes the state that a run continues from; it changes only when reading advances. Sealing starts again with
   * each run, so it is not part of it. A scan that began again, because the parts are on the disk of another worker,
   * never counts as advanced. Otherwise a scan that ends its process could be read forever by workers that have a disk
   * each.
   */
  async describeProgress({ checkpoint }) {
    const { snapshotId, partitions = [], readingDone, begunAnew } = (checkpoint as ScanCheckpoint | null) ?? {};
    if (begunAnew) return 'begun anew';
    // Cost and claims are excluded, because they change with each run even if it reads nothing.
    const read = partitions.map(({ cursor, done, parts, keys }) => [cursor, done, parts.length, keys]);
    return JSON.stringify({ snapshotId, readingDone, read });
  },

  async discard(job, checkpoint) {
    if (checkpoint === null) return 'removed';
    const row = await getSnapshotRow(checkpoint.snapshotId);
    // A scan that was cancelled after sealing has left a complete snapshot, which is kept.
    if (row?.state === 'sealed') return 'removed';
    // One error must not discard hours of reading. The parts are kept: when its cause is fixed and the job is resumed,
    // the scan continues.
    if (
      job.state === 'failed' &&
      row !== null &&
      checkpoint.partitions.some((partition) => partition.parts.length > 0)
    ) {
      await updateSnapshot(row.id, {
        state: 'failed',
        keys: checkpoint.partitions.reduce((sum, partition) => sum + partition.keys, 0),
      });
      return 'kept';
    }
    await deleteSnapshotRow(checkpoint.snapshotId);
    await removeSnapshotFolder(getSnapshotFolder(checkpoint.snapshotId));
    return 'removed';
  },
};

/**
 * Returns the checkpoint that this run continues from; null: the scan begins. If the snapshot or its parts are gone,
 * the scan begins again with a new checkpoint. 'sealed': an earlier run was killed after it had sealed the snapshot and
 * recorded that, and before the end of the job was written.
 */
async function findUsableCheckpoint(
  context: Pick<JobContext<unknown, ScanCheckpoint>, 'checkpoint' | 'writeFenced'>,
  options: ScanOptions,
): Promise<ScanCheckpoint | 'sealed' | null> {
  const { checkpoint } = context;
  if (checkpoint === null) return null;
  // Retention may have deleted what a failed job had kept.
  const row = await getSnapshotRow(checkpoint.snapshotId);
  if (row !== null) {
    if (await blockOnDiskError(hasAllParts(checkpoint))) return checkpoint;
    if (row.state === 'sealed') return 'sealed';
    await deleteUnusableSnapshot(context, row.id);
  }
  const hadParts = checkpoint.partitions.some(({ parts }) => parts.length > 0);
  return hadParts ? { ...createCheckpoint(generateId(), options), begunAnew: true } : null;
}

/**
 * Whether the disk of this worker has all parts that the checkpoint lists, or the sealed snapshot. If each worker has
 * its own disk, parts that another one wrote are not here. Errors: those of the disk.
 */
async function hasAllParts({ snapshotId, partitions, readingDone }: ScanCheckpoint): Promise<boolean> {
  const dir = getSnapshotFolder(snapshotId);
  const files = await readdir(dir).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw await toDiskError(error, dir);
    return null;
  });
  if (files === null) return false;
  // Parts are kept until the manifest says that the snapshot is sealed.
  if (readingDone && (await readManifest(dir).catch(() => null))?.state === 'sealed') return true;
  const present = new Set(files);
  return partitions.every(({ parts }) => parts.every((part) => present.has(part)));
}

/**
 * Deletes the row and the folder of a scan whose parts are not on this disk; the scan starts again with a new
 * snapshot. Fenced, because a process that was suspended here must not delete what another one has sealed meanwhile.
 */
async function deleteUnusableSnapshot(
  context: Pick<JobContext<unknown, unknown>, 'writeFenced'>,
  id: string,
): Promise<void> {
  await context.writeFenced((tx) => deleteSnapshotRow(id, tx));
  await removeSnapshotFolder(getSnapshotFolder(id));
}

async function writeSnapshotRow(
  manifest: SnapshotManifest,
  sealStats: SealStats | null,
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
    bytes: sealStats?.bytes ?? null,
    bigkeys: sealStats?.bigkeys ?? null,
    noExpiryKeys: sealStats?.noExpiryKeys ?? null,
    partial: manifest.coverage.partial,
    isPart: isLimitedScan(manifest.options),
    fileBytes: manifest.fileBytes,
    ...(config.snapshotStore !== null && { heldBy: hostname() }),
  };
  if (!(await updateSnapshot(manifest.id, row, tx))) await insertSnapshot({ id: manifest.id, ...row }, tx);
}
