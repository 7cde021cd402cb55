import type { Silence } from '@/lib/model/alerts/alert';
import type { Channel } from '@/lib/model/alerts/channel';
import { listSilenceRows } from '@/lib/store/alerts/alert-rules';
import { markQueued, type StoredAlert } from '@/lib/store/alerts/alerts';
import { listChannelRows } from '@/lib/store/alerts/channels';
import {
  type DeliveryItem,
  findLastTry,
  findWaitingDelivery,
  insertDelivery,
  type StoredDelivery,
  updateDelivery,
} from '@/lib/store/alerts/deliveries';
import { wakeWorker } from '@/lib/store/engines/wake-worker';
import { generateId } from '@/lib/store/generate-id';
import type { Tx } from '@/lib/store/open-store';
import { formatMinute } from './build-message';

const MINUTE_MS = 60_000;
/** A message waits this long for others of its group. */
const GROUP_WAIT_MS = 2 * MINUTE_MS;
/** The messages of a group are at least this far apart. */
const GROUP_INTERVAL_MS = 15 * MINUTE_MS;

/** The silence that applies to an alert; null = none. */
export const findSilence = (
  { ruleId, instanceId, team, subject }: Pick<StoredAlert, 'ruleId' | 'instanceId' | 'team' | 'subject'>,
  silences: readonly Silence[],
): Silence | null =>
  silences.find(
    (silence) =>
      (silence.ruleId === null || silence.ruleId === ruleId) &&
      (silence.instanceId === null || silence.instanceId === instanceId) &&
      (silence.team === null || silence.team === team) &&
      (silence.subject === null || subject.startsWith(silence.subject)),
  ) ?? null;

/** The channels of an alert: those of its team, or the default ones if the team has none. */
export function routeAlert(team: string | null, channels: readonly Channel[]): Channel[] {
  const on = channels.filter((channel) => channel.on);
  const own = team === null ? [] : on.filter(({ teams }) => teams.some((one) => isSameName(one, team)));
  return own.length > 0 ? own : on.filter(({ isDefault }) => isDefault);
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const toItem = (alert: StoredAlert): DeliveryItem => {
  const { id, fingerprint, state, kind, metric, severity, ruleName, instanceId, instanceName, subject, team } = alert;
  return {
    ...{ alertId: id, fingerprint, isResolved: state === 'resolved', kind, metric, severity, ruleName },
    ...{ instanceId, instanceName, subject, team, facts: alert.facts },
    firedAt: alert.firedAt ?? alert.since,
    resolvedAt: alert.resolvedAt,
  };
};

/**
 * Puts alerts that fire or are resolved into the messages of their groups, in the transaction that changed their state.
 * One that is silenced or has no channel is left out; so is the end of one that no message has mentioned.
 */
export async function queueAlerts(
  alerts: readonly StoredAlert[],
  now: number,
  tx: Tx,
  reason: 'alerts' | 'repeat' = 'alerts',
): Promise<void> {
  const changed = alerts.filter(
    ({ state, queuedAt }) => state === 'firing' || (state === 'resolved' && queuedAt !== null),
  );
  if (changed.length === 0) return;
  const silences = await listSilenceRows(now, tx);
  const channels = (await listChannelRows(tx)).map(({ channel }) => channel);
  const groups = new Map<string, { channel: Channel; team: string | null; items: DeliveryItem[] }>();
  const queued: string[] = [];
  for (const alert of changed) {
    if (findSilence(alert, silences) !== null) continue;
    const targets = routeAlert(alert.team, channels);
    if (targets.length > 0) queued.push(alert.id);
    for (const channel of targets) {
      const key = JSON.stringify([channel.id, alert.team]);
      const group = groups.get(key) ?? { channel, team: alert.team, items: [] };
      group.items.push(toItem(alert));
      groups.set(key, group);
    }
  }
  for (const group of groups.values()) await addToGroup(group, reason, now, tx);
  await markQueued(queued, now, tx);
}

/**
 * Adds items to the message of a group that waits, or makes a new one. A message that was tried keeps its content,
 * because its receiver may have it: it is replaced by one with another id that contains both.
 */
async function addToGroup(
  { channel, team, items }: { channel: Channel; team: string | null; items: DeliveryItem[] },
  reason: 'alerts' | 'repeat',
  now: number,
  tx: Tx,
): Promise<void> {
  const group = { channelId: channel.id, team };
  const waiting = await findWaitingDelivery(group, now, tx);
  const merged = [...new Map([...(waiting?.items ?? []), ...items].map((item) => [item.fingerprint, item])).values()];
  if (waiting && waiting.tries === 0) {
    await updateDelivery(waiting.id, { items: merged }, tx);
    return;
  }
  const fresh = buildDelivery({ ...group, reason, items: merged }, now);
  if (waiting) {
    await updateDelivery(waiting.id, { state: 'replaced' }, tx);
    await insertDelivery({ ...fresh, tries: waiting.tries, dueAt: waiting.dueAt }, tx);
    return;
  }
  await insertDelivery({ ...fresh, dueAt: computeDueTime(channel, await findLastTry(group, tx), now) }, tx);
  wakeWorker();
}

export const buildDelivery = (
  given: Pick<StoredDelivery, 'channelId' | 'team' | 'reason' | 'items'>,
  now: number,
): StoredDelivery => ({
  ...given,
  ...{ id: generateId(now), state: 'waiting', tries: 0, createdAt: now, dueAt: now },
  ...{ leasedUntil: 0, triedAt: null, sentAt: null, lastCode: null, lastText: null },
});

/** When a new message of a group is sent, epoch ms. An Alertmanager collects by itself. */
function computeDueTime({ kind, digestAt, zone }: Channel, lastTry: number | null, now: number): number {
  if (kind === 'alertmanager') return now;
  if (digestAt !== null) return findNextMinute(now, digestAt, zone);
  return Math.max(now + GROUP_WAIT_MS, lastTry === null ? 0 : lastTry + GROUP_INTERVAL_MS);
}

/** The next time after `now`, epoch ms, at which the clock of a zone shows `HH:MM`. */
export function findNextMinute(now: number, clock: string, zone: string): number {
  const first = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  // A day with a change of the clock may have no such minute, so the search covers two days.
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    const at = first + minute * MINUTE_MS;
    if (formatMinute(at, zone).endsWith(` ${clock}`)) return at;
  }
  return now + 24 * 60 * MINUTE_MS;
}
