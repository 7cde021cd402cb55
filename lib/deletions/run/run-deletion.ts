import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import type { DeletionMeter } from '@/lib/deletions/executor/deletion-meter';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { NodeExecutors } from '@/lib/deletions/executor/node-executors';
import { NeedsOperator, StopRequested, TransientFailure } from '@/lib/deletions/executor/run-errors';
import { VerifiedArchives } from '@/lib/deletions/executor/verified-archives';
import { createProtectionCheck } from '@/lib/deletions/plan/protected-names';
import { RunArchive } from '@/lib/deletions/steps/run-archive';
import { type ClaimedNode, waitForNodes } from '@/lib/jobs/node-claims';
import { RetryBackoff } from '@/lib/jobs/retry/retry-backoff';
import { TRANSIENT_CODES, toWaitReason } from '@/lib/jobs/retry/transient-codes';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy, RedisSession } from '@/lib/redis/connection/session';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { log } from '@/lib/runtime/log';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { actOnItems, type DeletionAction } from './act-on-items';
import { formatServerAddresses, judgeServerIdentity } from './judge-server-identity';

interface RunDeletionOptions {
  deletion: DeletionRun['deletion'];
  action: DeletionAction;
  target: ConnectionTarget;
  policy: DestinationPolicy;
  hooks: DeletionHooks;
  meter: DeletionMeter;
}

const REPORT_EVERY_MS = 500;
const POINT_EVERY_MS = 1000;

/**
 * Carries out the confirmed action. The journal records the state of each item, so this may be interrupted at any point
 * and called again: each turn of the loop reads the topology again, checks both names of every begun item, and
 * continues. Throws NeedsOperator if only a person can help.
 */
export async function runDeletion(run: RunDeletionOptions): Promise<'done' | 'stopped'> {
  const { hooks, meter, deletion } = run;
  const backoff = new RetryBackoff({
    whenStopRequested: hooks.whenStopRequested,
    retryForMs: hooks.retryForMs,
    createGiveUpError: (reason) => new NeedsOperator(reason),
    report: (reason) => {
      meter.waitReason = reason;
      hooks.report({ progress: meter.buildProgress(), reason });
    },
  });
  const archive = new RunArchive(deletion.plan.id);
  const archives = new VerifiedArchives(deletion.plan.id);
  const begunArchives = new Set<string>();
  const findProtection = run.action.kind === 'undo' ? null : createProtectionCheck();
  const report = () =>
    hooks.report({ progress: meter.buildProgress(), cost: meter.computeCost(), reason: meter.findReason() });
  const ticker = setInterval(report, REPORT_EVERY_MS);
  const pointTicker = setInterval(() => {
    meter.recordPoint();
    hooks.writeFenced((tx) => updateDeletion(deletion.plan.id, { points: meter.points }, tx)).catch(() => {});
  }, POINT_EVERY_MS);
  let isDone = false;
  try {
    for (;;) {
      if (hooks.getStopRequest() !== null) return 'stopped';
      const refusal = hooks.findRefusal();
      if (refusal) throw new NeedsOperator(refusal);
      let session: RedisSession | null = null;
      let executors: NodeExecutors | null = null;
      try {
        session = await openSession(run.target, run.policy, { clientName: 'colonnade-delete' });
        await checkAndRecordServer(deletion, session, hooks);
        const nodes = listReachedMasters(session);
        const claim = async () => (await hooks.claimNodes?.(nodes)) ?? null;
        const outcome = await waitForNodes(claim, hooks, async (reason) => {
          meter.waitReason = reason;
          report();
          await session?.close();
          session = null;
          const refused = hooks.findRefusal();
          if (refused) throw new NeedsOperator(refused);
        });
        if (outcome === 'stopped') return 'stopped';
        // Time has passed: the server and its topology may have changed.
        if (outcome === 'waited') continue;
        await hooks.regainPlace();
        executors = new NodeExecutors(session, hooks);
        meter.watchExecutors(executors);
        meter.waitReason = null;
        meter.phase = PHASE_BY_ACTION[run.action.kind] ?? (deletion.plan.task === 'expire' ? 'expiring' : 'removing');
        const deletionRun = { deletion, hooks, executors, meter, archives, begunArchives, findProtection };
        await actOnItems(deletionRun, run.action, archive, () => backoff.reset());
        meter.phase = 'done';
        isDone = true;
        return 'done';
      } catch (error) {
        if (error instanceof StopRequested || hooks.getStopRequest() !== null) return 'stopped';
        await backoff.wait(toTransientFailure(error).reason);
      } finally {
        await executors?.close();
        await session?.close();
      }
    }
  } finally {
    clearInterval(ticker);
    clearInterval(pointTicker);
    if (isDone) await archive.close();
    else await archive.abandon();
    report();
  }
}

/**
 * The masters that this run may write to. A node that was not reached gets no executor (`getSlotMaster`) and is not
 * claimed: any server can name the address of another one, and would keep the deletions of that one waiting.
 */
const listReachedMasters = ({ nodes, problems }: RedisSession): ClaimedNode[] =>
  nodes.flatMap(({ role, address, runId }) =>
    role === 'master' && !problems?.has(address) ? [{ address, runId }] : [],
  );

const PHASE_BY_ACTION: Partial<Record<DeletionAction['kind'], 'restoring'>> = { undo: 'restoring' };

/** Returns the reason to wait, or throws the error itself if waiting does not help. */
function toTransientFailure(error: unknown): TransientFailure {
  if (error instanceof TransientFailure) return error;
  if (error instanceof WriteFailure) {
    if (error.kind === 'out_of_memory') throw new NeedsOperator({ code: 'no_memory', params: {} });
    if (error.code === 'HEADROOM')
      return new TransientFailure({ code: 'no_headroom', params: { message: error.message } });
    log().info({ kind: error.kind, code: error.code }, 'deletion.retry');
    const code = error.kind === 'transient' ? 'server_busy' : 'connection_lost';
    return new TransientFailure({ code, params: { code: error.code, message: error.message } });
  }
  if (error instanceof AppError && TRANSIENT_CODES.has(error.code)) return new TransientFailure(toWaitReason(error));
  throw error;
}

/**
 * Checks, before anything is sent, that this is the server that was confirmed. Another server is not changed, and a
 * person decides. Otherwise the current identity is recorded, so that each failover and each restart is compared with
 * the one before.
 */
async function checkAndRecordServer(deletion: DeletionRun['deletion'], session: RedisSession, hooks: DeletionHooks) {
  const answeringServer = await readIdentity(session);
  const knownServer = deletion.server;
  if (judgeServerIdentity(knownServer, answeringServer) === 'other')
    throw new NeedsOperator({
      code: 'other_server',
      params: { was: formatServerAddresses(knownServer), is: formatServerAddresses(answeringServer) },
    });
  await hooks.writeFencedLocked((tx) => updateDeletion(deletion.plan.id, { server: answeringServer }, tx));
  deletion.server = answeringServer;
}
