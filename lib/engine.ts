import { setFlagsFromString } from 'node:v8';
import { checkConfig, config } from '@/lib/config';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { leftoversKind } from '@/lib/deletions/leftovers-kind';
import { keepSweeping } from '@/lib/deletions/sweep-deletions';
import { installFrontDoor } from '@/lib/http/front-door';
import { closeStreams } from '@/lib/http/open-streams';
import { listJobs } from '@/lib/jobs/list-jobs';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { log } from '@/lib/log';
import { ENGINE as ENGINE_ACTOR } from '@/lib/model/actor';
import { processWide } from '@/lib/process-wide';
import { scanKind } from '@/lib/scans/scan-kind';
import { sweepSnapshots } from '@/lib/scans/sweep-snapshots';
import { stopPreparing, warmNewestSnapshots } from '@/lib/scans/warm-snapshots';
import { closeStore } from '@/lib/store/open-store';
import { firstAdminLink } from '@/lib/users/first-admin';
import { linkAddress } from '@/lib/users/link-address';
import { archivesFolder } from '@/lib/vault/archive-folder';
import { vaultKeys } from '@/lib/vault/vault-key';

/**
 * Composition root: here, and nowhere else, the kinds of jobs meet the runner. One engine per process, on globalThis,
 * because a development server loads this module again after each change.
 */
const running = () =>
  processWide('engine', (): { runner: Runner | null; stopSweeping: () => void } => ({
    runner: null,
    stopSweeping: () => {},
  }));

export async function startEngine(): Promise<void> {
  if (running().runner) return;
  const runner = createRunner({
    kinds: [scanKind, deletionKind, leftoversKind],
    concurrency: config.jobConcurrency,
    marks: [archivesFolder()],
  });
  running().runner = runner;
  await sweepSnapshots();
  await runner.start();
  await warmNewestSnapshots();
  running().stopSweeping = keepSweeping();
  log().info({ dataDir: config.dataDir, jobs: config.jobConcurrency }, 'engine.started');
}

/** Bounded by the runner: jobs reach a safe point or are cut off; either way they go on at the next start. */
export async function stopEngine(): Promise<void> {
  const { runner, stopSweeping } = running();
  if (!runner) return;
  running().runner = null;
  stopSweeping();
  await Promise.all([runner.stop(), stopPreparing()]);
  await closeStore();
  log().info('engine.stopped');
}

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
    `Nobody can manage users yet. Create the first administrator with this link (once, until ${until}):\n  ${linkAddress(config, link)}\n`,
  );
}

/**
 * Starts the engine inside the web server and takes over how that ends: streams are closed (Next waits for them for
 * ever), jobs are put back, then the process leaves with 0. In development Next's own handlers stay.
 */
export async function liveInServer(): Promise<void> {
  if (config.isBuild) return;
  // By itself the heap may double before it is swept: 100 MiB of answers that are over, on a machine with much memory.
  setFlagsFromString('--heap-growing-percent=30');
  installFrontDoor();
  try {
    checkConfig();
    // Made on the first start; a key that is short, an example or readable by others stops us here, not at first use.
    vaultKeys();
    await listJobs(ENGINE_ACTOR, { limit: 1 });
    await announceMode();
  } catch (error) {
    // Next would go on serving without an engine. What is wrong stands on the last line of the terminal.
    process.stderr.write(`Colonnade cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
    if (config.isProduction) process.exit(1);
    throw error;
  }
  await startEngine();
  let leaving = false;
  const leave = async (signal: string) => {
    if (leaving) return;
    leaving = true;
    log().info({ signal }, 'engine.shutdown');
    closeStreams();
    await stopEngine().catch((error) => log().error({ err: error }, 'engine.shutdown_failed'));
    if (config.isProduction) process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Next ends the process as soon as its sockets are closed, before the jobs are put back.
    if (config.isProduction) process.removeAllListeners(signal);
    process.on(signal, () => void leave(signal));
  }
}
