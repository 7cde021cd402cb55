import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import type { DeletionMeter } from '@/lib/deletions/executor/deletion-meter';
import type { Work } from '@/lib/deletions/executor/deletion-run';
import { Desks } from '@/lib/deletions/executor/node-executors';
import { Patience } from '@/lib/deletions/executor/retry-backoff';
import { NeedsPerson, StopWork, TryLater } from '@/lib/deletions/executor/stop-errors';
import { VerifiedArchives } from '@/lib/deletions/executor/verified-archives';
import { protection } from '@/lib/deletions/plan/protected-names';
import { RunArchive } from '@/lib/deletions/steps/run-archive';
import { log } from '@/lib/log';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/instance';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { updateDeletion } from '@/lib/store/deletions';
import { type Action, actOnItems } from './act-on-items';
import { noteServer } from './note-server';

export interface RunDeletion {
  deletion: Work['deletion'];
  action: Action;
  target: ConnectionTarget;
  policy: DestinationPolicy;
  hooks: DeletionHooks;
  meter: DeletionMeter;
}

/** Failures of connecting that may pass by themselves. */
const PASSING = new Set([
  'redis_unreachable',
  'redis_timeout',
  'redis_loading',
  'redis_protocol',
  'redis_dns',
  'redis_master_unknown',
]);

/**
 * Does what was confirmed. The journal says where each item stands, so this may be cut off anywhere and called again:
 * each turn of the loop looks at the topology anew, asks both names of every begun item, and goes on. Throws
 * NeedsPerson when only a person can help.
 */
export async function runDeletion(run: RunDeletion): Promise<'done' | 'stopped'> {
  const { hooks, meter, deletion } = run;
  const patience = new Patience(hooks, meter);
  const archive = new RunArchive(deletion.plan.id);
  const archives = new VerifiedArchives(deletion.plan.id);
  const protectedBy = run.action.kind === 'undo' ? null : protection();
  const report = () => hooks.report({ progress: meter.progress(), cost: meter.cost(), reason: meter.reason() });
  const ticker = setInterval(report, 500);
  const points = setInterval(() => {
    meter.point();
    hooks.fenced((tx) => updateDeletion(deletion.plan.id, { points: meter.points }, tx)).catch(() => {});
  }, 1000);
  let ended = false;
  try {
    for (;;) {
      if (hooks.stopRequested() !== null) return 'stopped';
      const refused = hooks.refused();
      if (refused) throw new NeedsPerson(refused);
      let desks: Desks | null = null;
      try {
        const session = await openSession(run.target, run.policy, { clientName: 'colonnade-delete' });
        desks = new Desks(session, hooks);
        await noteServer(deletion, session, hooks);
        meter.watch(desks);
        meter.waiting = null;
        meter.phase = PHASE[run.action.kind] ?? (deletion.plan.task === 'expire' ? 'expiring' : 'removing');
        await actOnItems({ deletion, hooks, desks, meter, archives, protectedBy }, run.action, archive, () =>
          patience.moved(),
        );
        meter.phase = 'done';
        ended = true;
        return 'done';
      } catch (error) {
        if (error instanceof StopWork || hooks.stopRequested() !== null) return 'stopped';
        await patience.out(whatPasses(error));
      } finally {
        await desks?.close();
        await desks?.session.close();
      }
    }
  } finally {
    clearInterval(ticker);
    clearInterval(points);
    if (ended) await archive.close();
    else await archive.abandon();
    report();
  }
}

const PHASE: Partial<Record<Action['kind'], 'restoring'>> = { undo: 'restoring' };

/** The reason to wait, or the error itself when waiting does not help. */
function whatPasses(error: unknown): TryLater {
  if (error instanceof TryLater) return error;
  if (error instanceof WriteFailure) {
    if (error.kind === 'out_of_memory') throw new NeedsPerson({ code: 'no_memory', params: {} });
    if (error.code === 'HEADROOM') return new TryLater({ code: 'no_headroom', params: { message: error.message } });
    log().info({ kind: error.kind, code: error.code }, 'deletion.retry');
    const code = error.kind === 'passing' ? 'server_busy' : 'connection_lost';
    return new TryLater({ code, params: { code: error.code, message: error.message } });
  }
  if (error instanceof AppError && PASSING.has(error.code)) {
    const code = error.code === 'redis_loading' ? 'loading' : 'connection_lost';
    return new TryLater({ code, params: { message: error.message } });
  }
  throw error;
}
