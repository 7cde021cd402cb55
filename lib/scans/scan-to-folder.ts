import { readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { JobBlocked } from '@/lib/jobs/loop/job-kind';
import { AppError } from '@/lib/model/errors';
import type { Cost, Progress, WaitReason } from '@/lib/model/job';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { listEnteredEndpoints } from '@/lib/model/servers/address-map';
import { type InstanceInput, InstanceSettings } from '@/lib/model/servers/instance';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatAddress } from '@/lib/redis/connection/address';
import { toDestinationEntry } from '@/lib/redis/connection/destinations/destination-entries';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { listAuditedCommands } from '@/lib/rules/policy/audited-commands';
import { getEffectivePolicy, toPolicy } from '@/lib/rules/policy/effective-policy';
import { findLowestThresholds, getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { config } from '@/lib/runtime/config';
import { makeFolder } from '@/lib/runtime/files/make-folder';
import { runScan } from '@/lib/scans/run/run-scan';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { type FolderLock, lockFolder } from '@/lib/snapshots/folder/folder-lock';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { removeSpill } from '@/lib/snapshots/query/spill-folder';

interface FolderScan {
  input: InstanceInput;
  options: ScanOptions;
  /** Decides which keys are bigkeys. null or absent: the default profile. */
  profile?: ProfileBody | null;
  dir: string;
  /** Entries in the form of COLONNADE_ALLOW; empty: the default. */
  allowedDestinations: string[];
  /** Announced addresses that belong to the servers, `host:port` or ranges. */
  confirmedAddresses?: string[];
  signal: AbortSignal;
  /** Called at safe points; true = save and stop, so that the scan can be resumed. */
  shouldStop(): boolean;
  /** How long the scan waits for an unreachable server before it fails, in ms. */
  retryForMs: number;
  /** Receives what has changed; a reason says why the scan waits, null: it does not. */
  onReport(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
}

const CHECKPOINT_FILE = 'checkpoint.json';

/**
 * Runs a scan from the command line: the same engine, with a folder in place of the store. The checkpoint is saved next
 * to the parts, so that the same command with the same folder continues after an interrupt or a crash. Returns the
 * manifest; null: it was stopped. Errors: `bad_request` when the folder cannot be created or lies among the snapshots
 * of a server, whose folders have the ids that its database knows; `conflict` when the folder holds another scan, or
 * another process scans into it.
 */
export async function scanToFolder(scan: FolderScan): Promise<SnapshotManifest | null> {
  if (dirname(resolve(scan.dir)) === resolve(config.snapshotsDir))
    throw new AppError(
      'bad_request',
      `${scan.dir} lies in the folder of the server's own snapshots. Choose another folder with --out.`,
    );
  try {
    makeFolder(scan.dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const cause = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file stands there' : code;
    throw new AppError('bad_request', `The folder ${scan.dir} cannot be made (${cause}). Name another.`);
  }
  // Two processes in one folder would read each other's checkpoint and delete each other's parts.
  const lock = await lockFolder(scan.dir);
  try {
    await removeSpill(scan.dir);
    return await runLockedScan(scan, lock);
  } finally {
    await lock.release();
  }
}

async function runLockedScan(scan: FolderScan, lock: FolderLock): Promise<SnapshotManifest | null> {
  const { input, dir, options } = scan;
  const checkpoint = await readCheckpoint(dir);
  const identity = JSON.stringify([
    input.topology,
    input.endpoints,
    input.sentinelName ?? null,
    input.addressMap,
    options,
  ]);
  if (checkpoint === null && (await readManifest(dir).catch(() => null)) !== null) {
    throw new AppError('conflict', `${dir} already holds a finished snapshot. Choose another folder with --out.`, {
      dir,
    });
  }
  if (checkpoint !== null && checkpoint.identity !== identity) {
    throw new AppError(
      'conflict',
      `${dir} holds an unfinished scan of another target or with other options. Repeat that command, or choose another folder.`,
      { dir },
    );
  }
  const policy = scan.profile ? toPolicy(scan.profile) : await getEffectivePolicy(null);
  const whenStopRequested = new Promise<void>((resolve) => {
    scan.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const outcome = await explainBlocked(
    runScan({
      target: {
        ...InstanceSettings.parse(input),
        id: 'cli',
        password: input.secrets.password ?? null,
        sentinelPassword: input.secrets.sentinelPassword ?? null,
        writePassword: null,
        tlsKey: input.secrets.tlsKey ?? null,
      },
      policy: createDestinationPolicy({
        allow: scan.allowedDestinations.join(','),
        registered: listEnteredEndpoints(input),
        named: [
          ...listEnteredEndpoints(input).map(({ host, port }) => formatAddress(host, port)),
          ...(scan.confirmedAddresses ?? []),
        ].map(toDestinationEntry),
      }),
      dir,
      snapshotId: 'cli',
      instance: { id: null, name: input.name, jobId: null },
      options,
      bigkeyThresholds: getPolicyThresholds(policy),
      lengthThresholds: findLowestThresholds(policy),
      delimiter: policy.profiles[policy.base]!.body.delimiter,
      commands: listAuditedCommands(policy),
      requiresAllConfirmed: true,
      checkpoint: checkpoint?.state ?? null,
      hooks: {
        signal: new AbortController().signal,
        whenStopRequested,
        regainPlace: () => null,
        retryForMs: scan.retryForMs,
        getStopRequest: () => (scan.signal.aborted || scan.shouldStop() ? 'shutdown' : null),
        getSpeed: () => options.speed,
        // Always allowed: the caller has the password of the server, and the server is not registered, so no settings
        // forbid it.
        mayReadValues: async () => true,
        report: scan.onReport,
        assertNotTakenOver: () => lock.check(),
        async saveCheckpoint(state) {
          await lock.check();
          await writeFileDurably(join(dir, CHECKPOINT_FILE), JSON.stringify({ identity, state }));
        },
        onSnapshot: async () => {},
      },
    }),
  );
  if (outcome === 'stopped') return null;
  await rm(join(dir, CHECKPOINT_FILE), { force: true });
  return readManifest(dir);
}

/** The command line has no resume button, so a blocked job becomes an error with a sentence. */
async function explainBlocked<T>(scanRun: Promise<T>): Promise<T> {
  try {
    return await scanRun;
  } catch (error) {
    if (error instanceof AppError && error.code === 'destination_unconfirmed')
      throw createUnnamedAddressError(Array.isArray(error.details.addresses) ? error.details.addresses : []);
    if (!(error instanceof JobBlocked)) throw error;
    const { code, params } = error.reason;
    if (code === 'destination_unconfirmed') throw createUnnamedAddressError([String(params.address)]);
    const explanation = typeof params.message === 'string' ? params.message : `${code.replaceAll('_', ' ')}.`;
    throw new AppError(
      'redis_unreachable',
      `${explanation} The scan gave up; the same command with the same --out continues.`,
      {},
      { cause: error },
    );
  }
}

/** On the command line a person confirms announced addresses with --allow. */
const createUnnamedAddressError = (addresses: string[]): AppError =>
  new AppError(
    'destination_unconfirmed',
    `The servers announce addresses that you have not named, so nothing was sent there. If they belong to them, add: --allow ${addresses.join(',')}`,
    { address: addresses[0] ?? '', addresses },
  );

async function readCheckpoint(dir: string): Promise<{ identity: string; state: ScanCheckpoint } | null> {
  try {
    return JSON.parse(await readFile(join(dir, CHECKPOINT_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new AppError(
      'snapshot_unreadable',
      `${join(dir, CHECKPOINT_FILE)} cannot be read. Remove the folder to start over.`,
      { dir },
      { cause: error },
    );
  }
}
