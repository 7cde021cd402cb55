import type { AlertRule } from '@/lib/model/alerts/alert';
import { append } from '@/lib/model/text/append';
import { log } from '@/lib/runtime/log';
import { listAlertRuleRows } from '@/lib/store/alerts/alert-rules';
import { deleteResolvedBefore, listAlertsToQueue } from '@/lib/store/alerts/alerts';
import { listChannelRows } from '@/lib/store/alerts/channels';
import { deleteDeliveriesBefore } from '@/lib/store/alerts/deliveries';
import { listInstanceRows } from '@/lib/store/instances';
import { readStoreNow } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { leaveTurn, takeTurn } from '@/lib/store/settings/turns';
import { listNewestSnapshotRows } from '@/lib/store/snapshots';
import { type Judgement, NO_FACTS } from './apply-judgement';
import { deliverDue, refreshAlertmanagers } from './deliver';
import { applyAll } from './handle-events';
import { judgeWhole } from './judge-snapshot';
import { queueAlerts } from './outbox';

const POLL_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Setting: the process that judges by the clock and delivers (turns.ts). */
const SENDER = 'alerts_sender';
/** Resolved alerts and deliveries are kept this long. */
const KEEP_MS = 90 * DAY_MS;
/** A firing alert that nobody has acknowledged is sent again after this time. */
const REPEAT_MS = DAY_MS;
/** How long a stop waits for messages that are being sent. */
const STOP_MS = 10_000;
/** A channel that fails for a moment is no reason for an alert. */
const FAILING_MS = 10 * MINUTE_MS;

/** Judges by the clock, sends again what nobody has acknowledged, and forgets what is old. */
export async function judgeByClock(now: number): Promise<void> {
  const judgements: Judgement[] = [];
  for (const rule of await listAlertRuleRows()) {
    if (!rule.on) continue;
    if (rule.kind === 'notScanned') append(judgements, await judgeNotScanned(rule, now));
    if (rule.kind === 'channelFailing') judgements.push(await judgeChannels(rule, now));
  }
  await applyAll(judgements);
  await runTransaction(async (tx) => {
    if ((await listChannelRows(tx)).length > 0) {
      const due = await listAlertsToQueue(now - REPEAT_MS, tx);
      const isNew = (queuedAt: number | null) => queuedAt === null;
      await queueAlerts(
        due.filter(({ queuedAt }) => isNew(queuedAt)),
        now,
        tx,
      );
      await queueAlerts(
        due.filter(({ queuedAt }) => !isNew(queuedAt)),
        now,
        tx,
        'repeat',
      );
    }
    await deleteResolvedBefore(now - KEEP_MS, tx);
    await deleteDeliveriesBefore(now - KEEP_MS, tx);
  });
}

async function judgeNotScanned(rule: AlertRule, now: number): Promise<Judgement[]> {
  const newest = new Map((await listNewestSnapshotRows()).map((row) => [row.instanceId, row]));
  const instances = await listInstanceRows();
  return instances
    .filter(({ id }) => rule.instanceId === null || rule.instanceId === id)
    .map(({ id, settings, createdAt }) => {
      const row = newest.get(id);
      const scannedAt = row?.state === 'sealed' ? (row.endedAt ?? row.startedAt) : createdAt;
      const isOverdue = now - scannedAt > (rule.hours ?? 0) * HOUR_MS;
      const judged = isOverdue ? [judgeWhole('bad', { limit: scannedAt })] : [];
      return { rule, instance: { id, name: settings.name }, snapshotId: null, judged };
    });
}

async function judgeChannels(rule: AlertRule, now: number): Promise<Judgement> {
  const failing = (await listChannelRows()).flatMap(({ channel: { id, name, on, failingSince } }) =>
    on && failingSince !== null && failingSince <= now - FAILING_MS ? [{ id, name, failingSince }] : [],
  );
  const judged = failing.map(({ id, name, failingSince }) => ({
    ...{ key: id, subject: name, team: null, status: 'bad' as const, mayBegin: true },
    facts: { ...NO_FACTS, limit: failingSince },
  }));
  return { rule, instance: null, snapshotId: null, judged };
}

/**
 * Judges by the clock and delivers messages until it is stopped. Of several processes that share a database one does
 * it. `owner` identifies this process.
 */
export function keepAlerting(owner: string): { wake(): void; stop(): Promise<void> } {
  const abort = new AbortController();
  let running: Promise<void> | null = null;
  let judgedAt = 0;
  const alertOnce = async () => {
    if (!(await takeTurn(SENDER, owner))) return;
    const now = await readStoreNow();
    // A clock that was set back must not stop it.
    if (now - judgedAt >= MINUTE_MS || now < judgedAt) {
      judgedAt = now;
      await judgeByClock(now);
      await refreshAlertmanagers(now);
    }
    await deliverDue(abort.signal);
  };
  const wake = () => {
    if (abort.signal.aborted) return;
    running ??= alertOnce()
      .catch((error) => log().error({ err: error }, 'alerts.turn_failed'))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(wake, POLL_MS);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      abort.abort();
      // A receiver may hang; its message is tried again with the same id.
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
      await leaveTurn(SENDER, owner).catch(() => {});
    },
  };
}
