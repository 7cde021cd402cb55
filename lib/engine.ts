/** Composition root: here, and nowhere else, the kinds of jobs meet the runner. */

import { setFlagsFromString } from 'node:v8';
import { keepCuttingAudit } from '@/lib/access/audit-log/cut-old-audit';
import { keepWritingAudit } from '@/lib/access/audit-log/write-audit-output';
import { formatLinkAddress } from '@/lib/access/users/format-link-address';
import { makeFirstAdminLink } from '@/lib/access/users/make-password-link';
import { listProviders } from '@/lib/access/users/providers/list-providers';
import { getArchivesFolder } from '@/lib/access/vault/archive-folder';
import { findVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import { handleAlertEvent } from '@/lib/alerts/handle-events';
import { keepAlerting } from '@/lib/alerts/keep-alerting';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { leftoversKind } from '@/lib/deletions/leftovers-kind';
import { keepSweeping } from '@/lib/deletions/sweep-deletions';
import { closeStreams } from '@/lib/http/open-streams';
import { installRequestFilter } from '@/lib/http/request-filter';
import type { RouteTable } from '@/lib/http/route-table';
import { assertSameFolder } from '@/lib/jobs/assert-same-folder';
import { type EventHandler, keepHandlingEvents } from '@/lib/jobs/events/read-events';
import { keepWorkerSign } from '@/lib/jobs/keep-worker-sign';
import { listJobs } from '@/lib/jobs/list-jobs';
import { keepPresence } from '@/lib/jobs/loop/keep-presence';
import { createProcessId } from '@/lib/jobs/loop/process-id';
import { createRunner } from '@/lib/jobs/loop/runner';
import { lowerWorkerPriority } from '@/lib/jobs/lower-worker-priority';
import { recordRestore } from '@/lib/maintenance/backup/restored-note';
import { assertKnownKey } from '@/lib/maintenance/keys/assert-known-key';
import { resealSoon } from '@/lib/maintenance/keys/reseal';
import { watchKeyFile } from '@/lib/maintenance/keys/watch-key-file';
import { ENGINE as ENGINE_ACTOR } from '@/lib/model/actor';
import { checkConfig, config } from '@/lib/runtime/config';
import { hideSecretSettings } from '@/lib/runtime/environment';
import { log } from '@/lib/runtime/log';
import { listenToParent, tellParent } from '@/lib/runtime/parent-process';
import { prepareNewestSnapshots, stopPreparing } from '@/lib/scans/prepare-snapshots';
import { scanKind } from '@/lib/scans/scan-kind';
import { serveWishes } from '@/lib/scans/serve-wishes';
import { queueScan } from '@/lib/scans/start-scan';
import { sweepSnapshots } from '@/lib/scans/sweep-snapshots';
import { keepTicking } from '@/lib/schedules/tick';
import { keepSnapshotStore } from '@/lib/snapshots/remote/keep-store';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';
import { closeStore } from '@/lib/store/open-store';
import { keepProbing } from '@/lib/store/probe-store';
import { recordPoints } from '@/lib/trends/record-points';
import { version } from '../package.json';

type Stoppable = { stop(): Promise<void> } | null;

/** Holds what runs in this program; null = it was not started. */
interface Engine {
  started: boolean;
  runner: Stoppable;
  presence: Stoppable;
  audit: Stoppable;
  snapshotStore: Stoppable;
  wishes: Stoppable;
  events: Stoppable;
  alerts: Stoppable;
  /** Functions that end the timers. */
  stopTimers: (() => void)[];
}
const createStopped = (): Engine => ({
  started: false,
  runner: null,
  presence: null,
  audit: null,
  snapshotStore: null,
  wishes: null,
  events: null,
  alerts: null,
  stopTimers: [],
});
const engine = createStopped();

/** Interval, ms, at which the runner checks for missed jobs. PostgreSQL notifies it when there is something to do. */
const LISTENING_POLL_MS = 2_000;

const KINDS = [scanKind, deletionKind, leftoversKind];

/** In this order, because alerts are computed from points. */
const EVENT_HANDLERS: EventHandler[] = [recordPoints, handleAlertEvent];

/** Starts what the role of this process requires: `web` leaves the jobs to another process. */
export async function startEngine(): Promise<void> {
  if (engine.started) return;
  engine.started = true;
  const { role, workerLabels: labels, jobConcurrency: jobs, dataDir } = config;
  const shared = config.databaseUrl !== null;
  const id = createProcessId();
  await assertSameFolder();
  await recordRestore();
  engine.presence = await keepPresence({
    id,
    role,
    labels,
    jobs: role === 'web' ? 0 : jobs,
    version,
    // Read again at each heartbeat, so that a key rotation reaches running processes.
    get keyId() {
      return getVaultKeys().kid;
    },
    canOpen: (kid) => (config.key === null ? findVaultKeys(kid) !== null : kid === getVaultKeys().kid),
  });
  engine.audit = keepWritingAudit(id);
  // Both programs of one machine share one disk, so one of them is enough to manage it.
  if (shared || role !== 'web') engine.snapshotStore = await keepSnapshotStore();
  engine.stopTimers = [keepProbing(), watchKeyFile()];
  if (role === 'web') return log().info({ dataDir, role }, 'engine.pages_only');
  const runner = createRunner({
    kinds: KINDS,
    concurrency: jobs,
    markFolders: [getArchivesFolder()],
    processId: id,
    limits: { labels },
    ...(shared ? { listen: listenToJobs, pollMs: LISTENING_POLL_MS } : { listen: listenToWeb }),
  });
  engine.runner = runner;
  await sweepSnapshots();
  await runner.start();
  await prepareNewestSnapshots();
  const wishes = serveWishes();
  engine.wishes = wishes;
  const events = keepHandlingEvents(id, EVENT_HANDLERS);
  engine.events = events;
  const alerts = keepAlerting(id);
  engine.alerts = alerts;
  listenToParent({ wake: wishes.wake });
  listenToParent({ wake: events.wake });
  listenToParent({ wake: alerts.wake });
  // Finishes a rotation of the key that was interrupted.
  resealSoon();
  engine.stopTimers.push(keepSweeping(), keepTicking(queueScan), keepCuttingAudit());
  log().info({ dataDir, jobs, role, labels }, 'engine.started');
}

/** If the message does not arrive, the runner checks every half second. */
function listenToWeb(wake: () => void): null {
  listenToParent({ wake });
  return null;
}

/**
 * The runner limits the wait: jobs reach a safe point or are interrupted; either way they continue later, here or in
 * another process.
 */
export async function stopEngine(): Promise<void> {
  if (!engine.started) return;
  const { runner, presence, audit, snapshotStore, wishes, events, alerts, stopTimers } = engine;
  Object.assign(engine, createStopped());
  for (const stopTimer of stopTimers) stopTimer();
  await Promise.all([
    runner?.stop(),
    stopPreparing(),
    wishes?.stop(),
    events?.stop(),
    alerts?.stop(),
    snapshotStore?.stop(),
  ]);
  await presence?.stop();
  await audit?.stop();
  await closeStore();
  log().info('engine.stopped');
}

/** A problem with settings, key, database or folder stops the process here, not at its first use. */
async function checkStart(): Promise<void> {
  hideSecretSettings();
  checkConfig();
  // Reads the providers file for the first time.
  listProviders();
  await listJobs(ENGINE_ACTOR, { limit: 1 });
  // Must run before a key is created in the wrong folder.
  await assertSameFolder();
  // Must run before anything is written with another key than the existing one.
  await assertKnownKey();
  // The key is created on the first start. A key that is too short, an example, or readable by others is refused.
  getVaultKeys();
}

/**
 * `colonnade worker`: runs jobs and serves no pages, until a signal ends it. Resolves when all jobs are handed back, so
 * that another process may take them at once.
 */
export async function runWorkerEngine(): Promise<void> {
  lowerWorkerPriority();
  await checkStart();
  let leave: (reason: string) => void = () => {};
  const leaving = new Promise<string>((resolve) => {
    leave = resolve;
  });
  // A terminal sends a signal to all of its programs, and the parent passes it on once more.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => leave(signal));
  endWithParent(leave);
  // The engine's timers do not keep the process alive, so this one does.
  const alive = setInterval(() => {}, 60_000);
  await startEngine();
  tellParent('ready');
  const sign = keepWorkerSign();
  noteLeaving(await leaving);
  clearInterval(alive);
  await stopEngine();
  sign.stop();
}

/** Ends this process when its parent ends, for whatever reason. The parent handles a terminal that is closed. */
function endWithParent(leave: (reason: string) => void): void {
  listenToParent({ gone: () => leave('parent gone') });
  if (config.hasParent && !config.speaksTls) process.on('SIGHUP', () => {});
}

/** `signal` = its name, or another reason to end. */
const noteLeaving = (signal: string): void => log().info({ signal }, 'engine.shutdown');

/** Logs and prints how access works, decided once per start: one person on this machine, or people who sign in. */
async function announceMode(): Promise<void> {
  log().info({ mode: config.singleUser ? 'single user' : 'accounts' }, 'engine.mode');
  if (config.singleUser) {
    process.stdout.write('COLONNADE_SINGLE_USER=1: nobody signs in. Whoever uses this machine is the administrator.\n');
    return;
  }
  // The link goes to the terminal only: logs are stored, and others read them.
  const link = await makeFirstAdminLink();
  if (link === null) return;
  const until = new Date(link.expiresAt).toISOString();
  process.stdout.write(
    `There is no administrator yet. Create the first administrator with this link (once, until ${until}):\n  ${formatLinkAddress(config, link)}\n`,
  );
}

/**
 * Starts what a web server does besides its pages, and handles its end: streams are closed (Next waits for them for
 * ever), then the process exits with 0. In development Next's own handlers stay.
 */
export async function runServerEngine(routes: RouteTable): Promise<void> {
  if (config.isBuild) return;
  // By default the heap may double before a collection, which keeps 100 MiB of finished answers on a machine with much
  // memory.
  setFlagsFromString('--heap-growing-percent=30');
  installRequestFilter(routes);
  try {
    if (config.role !== 'web')
      throw new Error('This is the program that serves pages, without the one that runs jobs. Start colonnade serve.');
    await checkStart();
    await announceMode();
    await startEngine();
    tellParent('ready');
  } catch (error) {
    // Next would keep serving without the engine. The reason is on the last line of the terminal.
    process.stderr.write(`Colonnade cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
    if (config.isProduction) process.exit(1);
    throw error;
  }
  let leaving = false;
  const leave = async (signal: string) => {
    if (leaving) return;
    leaving = true;
    noteLeaving(signal);
    closeStreams();
    await stopEngine().catch((error) => log().error({ err: error }, 'engine.shutdown_failed'));
    if (config.isProduction) process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Next ends the process as soon as its sockets are closed, so its handlers are removed.
    if (config.isProduction) process.removeAllListeners(signal);
    process.on(signal, () => void leave(signal));
  }
  endWithParent((reason) => void leave(reason));
}
