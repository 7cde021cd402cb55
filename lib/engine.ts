import { setFlagsFromString } from 'node:v8';
import { keepCuttingAudit } from '@/lib/audit-log/cut-old-audit';
import { keepWritingAudit } from '@/lib/audit-log/write-audit-output';
import { recordRestore } from '@/lib/backup/record-restore';
import { checkConfig, config } from '@/lib/config';
import { hideSecretSettings } from '@/lib/config/environment';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { leftoversKind } from '@/lib/deletions/leftovers-kind';
import { keepSweeping } from '@/lib/deletions/sweep-deletions';
import { installFrontDoor } from '@/lib/http/front-door';
import { closeStreams } from '@/lib/http/open-streams';
import { registerJobKinds } from '@/lib/jobs/job-kinds';
import { keepWorkerSign } from '@/lib/jobs/keep-worker-sign';
import { listJobs } from '@/lib/jobs/list-jobs';
import { keepPresence } from '@/lib/jobs/loop/keep-presence';
import { newOwner } from '@/lib/jobs/loop/owner';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { assertSameFolder } from '@/lib/jobs/same-folder';
import { yieldToPages } from '@/lib/jobs/yield-to-pages';
import { assertKnownKey } from '@/lib/keys/assert-known-key';
import { resealSoon } from '@/lib/keys/reseal';
import { watchKeyFile } from '@/lib/keys/watch-key-file';
import { log } from '@/lib/log';
import { ENGINE as ENGINE_ACTOR } from '@/lib/model/actor';
import { listenToParent, tellParent } from '@/lib/parent-process';
import { processWide } from '@/lib/process-wide';
import { scanKind } from '@/lib/scans/scan-kind';
import { serveWishes } from '@/lib/scans/serve-wishes';
import { sweepSnapshots } from '@/lib/scans/sweep-snapshots';
import { stopPreparing, warmNewestSnapshots } from '@/lib/scans/warm-snapshots';
import { keepSnapshotStore } from '@/lib/snapshot-store/keep-store';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';
import { keepProbing } from '@/lib/store/keep-probing';
import { closeStore } from '@/lib/store/open-store';
import { firstAdminLink } from '@/lib/users/first-admin';
import { linkAddress } from '@/lib/users/link-address';
import { listProviders } from '@/lib/users/providers/list-providers';
import { archivesFolder } from '@/lib/vault/archive-folder';
import { vaultKeys, vaultKeysOf } from '@/lib/vault/vault-key';
import { version } from '../package.json';

/**
 * Composition root: here, and nowhere else, the kinds of jobs meet the runner. One engine per process, on globalThis,
 * because a development server loads this module again after each change. The file is long because what both programs
 * begin with and end with is easier to compare in one place.
 */
const running = () =>
  processWide(
    'engine',
    (): {
      started: boolean;
      runner: Runner | null;
      presence: { stop(): Promise<void> } | null;
      audit: { stop(): Promise<void> } | null;
      stopSweeping(): void;
      snapshotStore: { stop(): Promise<void> } | null;
      wishes: { stop(): Promise<void> } | null;
    } => ({
      started: false,
      runner: null,
      presence: null,
      audit: null,
      stopSweeping: () => {},
      snapshotStore: null,
      wishes: null,
    }),
  );

/** PostgreSQL says when there is something to do; this often the runner looks whether anything was missed. */
const LISTENING_POLL_MS = 2_000;

const KINDS = [scanKind, deletionKind, leftoversKind];

/** What the role of this process asks for: `web` leaves the jobs to another one. */
export async function startEngine(): Promise<void> {
  const engine = running();
  if (engine.started) return;
  engine.started = true;
  registerJobKinds(KINDS);
  const { role, workerLabels: labels, jobConcurrency: jobs, dataDir } = config;
  const shared = config.databaseUrl !== null;
  const id = newOwner();
  await assertSameFolder();
  await recordRestore();
  engine.presence = await keepPresence({
    id,
    role,
    labels,
    jobs: role === 'web' ? 0 : jobs,
    version,
    // Asked anew at each sign of life: a rotation reaches processes that run.
    get keyId() {
      return vaultKeys().kid;
    },
    opens: (kid) => (config.key === null ? vaultKeysOf(kid) !== null : kid === vaultKeys().kid),
  });
  engine.audit = keepWritingAudit(id);
  // Both programs of one machine have one disk, and one is enough to look after it.
  if (shared || role !== 'web') engine.snapshotStore = await keepSnapshotStore();
  const watching = [keepProbing(), watchKeyFile()];
  engine.stopSweeping = () => {
    for (const stop of watching) stop();
  };
  if (role === 'web') return log().info({ dataDir, role }, 'engine.pages_only');
  const runner = createRunner({
    kinds: KINDS,
    concurrency: jobs,
    marks: [archivesFolder()],
    owner: id,
    limits: { labels },
    ...(shared ? { listen: listenToJobs, pollMs: LISTENING_POLL_MS } : { listen: listenToWeb }),
  });
  engine.runner = runner;
  await sweepSnapshots();
  await runner.start();
  await warmNewestSnapshots();
  const wishes = serveWishes();
  engine.wishes = wishes;
  listenToParent({ wake: wishes.wake });
  // What a rotation left undone.
  resealSoon();
  const stopped = [keepSweeping(), keepCuttingAudit(), ...watching];
  engine.stopSweeping = () => {
    for (const stop of stopped) stop();
  };
  log().info({ dataDir, jobs, role, labels }, 'engine.started');
}

/** Without the message the runner looks every half second. */
function listenToWeb(wake: () => void): null {
  listenToParent({ wake });
  return null;
}

/** Bounded by the runner: jobs reach a safe point or are cut off; either way they go on here or elsewhere. */
export async function stopEngine(): Promise<void> {
  const engine = running();
  if (!engine.started) return;
  const { runner, presence, audit, stopSweeping, snapshotStore, wishes } = engine;
  Object.assign(engine, {
    started: false,
    runner: null,
    presence: null,
    audit: null,
    snapshotStore: null,
    wishes: null,
  });
  stopSweeping();
  await Promise.all([runner?.stop(), stopPreparing(), wishes?.stop(), snapshotStore?.stop()]);
  await presence?.stop();
  await audit?.stop();
  await closeStore();
  log().info('engine.stopped');
}

/** What is wrong with settings, key, database or folder stops a process here, not at first use. */
async function checkStart(): Promise<void> {
  hideSecretSettings();
  checkConfig();
  // Their file is read for the first time.
  listProviders();
  await listJobs(ENGINE_ACTOR, { limit: 1 });
  // Before a key is made in a folder that is the wrong one.
  await assertSameFolder();
  // Before anything is written under another key than what is there.
  await assertKnownKey();
  // Made on the first start; one that is short, an example or readable by others is refused.
  vaultKeys();
}

/**
 * `colonnade worker`: runs jobs and serves no pages, until a signal ends it. Resolves when all jobs are handed back:
 * whoever is next may take them at once.
 */
export async function runWorkerEngine(): Promise<void> {
  yieldToPages();
  await checkStart();
  let leave: (signal: string) => void = () => {};
  const asked = new Promise<string>((resolve) => {
    leave = resolve;
  });
  // A terminal sends a signal to all of its programs, and the parent passes it on once more.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => leave(signal));
  endWithParent(leave);
  // Timers of the engine keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  await startEngine();
  tellParent('ready');
  const sign = keepWorkerSign();
  noteLeaving(await asked);
  clearInterval(alive);
  await stopEngine();
  sign.stop();
}

/** However the parent ends. A terminal that is closed is the parent's matter. */
function endWithParent(leave: (reason: string) => void): void {
  listenToParent({ gone: () => leave('parent gone') });
  if (config.hasParent && !config.speaksTls) process.on('SIGHUP', () => {});
}

const noteLeaving = (signal: string): void => log().info({ signal }, 'engine.shutdown');

/** Who may come in is decided here, once: one person on this machine, or whoever signs in. */
async function announceMode(): Promise<void> {
  log().info({ mode: config.singleUser ? 'single user' : 'accounts' }, 'engine.mode');
  if (config.singleUser) {
    process.stdout.write('COLONNADE_SINGLE_USER=1: nobody signs in. Whoever uses this machine is the administrator.\n');
    return;
  }
  // To the terminal only: a log is kept, and read by others.
  const link = await firstAdminLink();
  if (link === null) return;
  const until = new Date(link.expiresAt).toISOString();
  process.stdout.write(
    `There is no administrator yet. Create the first administrator with this link (once, until ${until}):\n  ${linkAddress(config, link)}\n`,
  );
}

/**
 * Starts what a web server does beside its pages and takes over how it ends: streams are closed (Next waits for them
 * for ever), then the process leaves with 0. In development Next's own handlers stay.
 */
export async function runServerEngine(): Promise<void> {
  if (config.isBuild) return;
  // By itself the heap may double before it is swept: 100 MiB of answers that are over, on a machine with much memory.
  setFlagsFromString('--heap-growing-percent=30');
  installFrontDoor();
  try {
    if (config.role !== 'web')
      throw new Error('This is the program that serves pages, without the one that runs jobs. Start colonnade serve.');
    await checkStart();
    await announceMode();
    await startEngine();
    tellParent('ready');
  } catch (error) {
    // Next would go on serving without it. What is wrong stands on the last line of the terminal.
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
    // Next ends the process as soon as its sockets are closed.
    if (config.isProduction) process.removeAllListeners(signal);
    process.on(signal, () => void leave(signal));
  }
  endWithParent((reason) => void leave(reason));
}
