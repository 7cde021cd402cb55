import { escapeForeign } from '@/lib/model/text/escape-foreign';
import { log } from '@/lib/runtime/log';
import { listSilenceRows } from '@/lib/store/alerts/alert-rules';
import { listFiringAlerts } from '@/lib/store/alerts/alerts';
import { getChannelRow, listChannelRows, type StoredChannel, updateChannelHealth } from '@/lib/store/alerts/channels';
import {
  countRecentTries,
  insertDelivery,
  leaseDelivery,
  type StoredDelivery,
  updateDelivery,
} from '@/lib/store/alerts/deliveries';
import { readStoreNow } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { buildMessage } from './build-message';
import { CHANNELS } from './channels/send';
import { buildDelivery, findSilence, routeAlert, toItem } from './outbox';
import { SendError } from './send-error';
import { redact, unsealChannel } from './unseal-channel';

const MINUTE_MS = 60_000;
/** Longer than any try takes. A process that dies while it sends loses its lease then, and the message is tried again. */
const LEASE_MS = 2 * MINUTE_MS;
/** No try may take longer, ms. */
const TRY_MS = 60_000;
/** Waits after failed tries, ms, each ±20 %. After the last one the message has failed. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 360 * MINUTE_MS];
/** Messages that are sent at the same time, so that a receiver that hangs does not hold up all others. */
const AT_ONCE = 3;

/** Sends all messages that are due. Returns how many were tried. */
export async function deliverDue(signal: AbortSignal): Promise<number> {
  const tried = await Promise.all(Array.from({ length: AT_ONCE }, () => deliverInTurn(signal)));
  return tried.reduce((sum, count) => sum + count, 0);
}

async function deliverInTurn(signal: AbortSignal): Promise<number> {
  for (let tried = 0; ; tried++) {
    if (signal.aborted) return tried;
    const now = await readStoreNow();
    const delivery = await leaseDelivery({ now, leasedUntil: now + LEASE_MS }, await listBusyChannels(now));
    if (delivery === null) return tried;
    await deliver(delivery, now);
  }
}

/** Channels whose address has got as many messages within the last minute as it may. */
async function listBusyChannels(now: number): Promise<string[]> {
  const tries = await countRecentTries(now - MINUTE_MS);
  if (tries.size === 0) return [];
  const channels = await listChannelRows();
  const perTarget = new Map<string, number>();
  for (const { channel, target } of channels)
    perTarget.set(target, (perTarget.get(target) ?? 0) + (tries.get(channel.id) ?? 0));
  const isBusy = ({ channel, target }: StoredChannel) => {
    const { perMinute } = CHANNELS[channel.kind];
    return perMinute !== null && (perTarget.get(target) ?? 0) >= perMinute;
  };
  return channels.filter(isBusy).map(({ channel }) => channel.id);
}

async function deliver(delivery: StoredDelivery, now: number): Promise<void> {
  const stored = await getChannelRow(delivery.channelId);
  if (stored === null) return;
  const failure = await trySending(stored, delivery, now);
  const at = await readStoreNow();
  await runTransaction(async (tx) => {
    if (failure === null) {
      const sent = { state: 'sent' as const, sentAt: at, leasedUntil: 0, lastCode: null, lastText: null };
      if (await updateDelivery(delivery.id, sent, tx))
        await updateChannelHealth(delivery.channelId, { failingSince: null, lastSentAt: at, lastError: null }, tx);
      return;
    }
    await recordFailure(stored, delivery, failure, at, tx);
  });
}

/** Returns null if the receiver has accepted the message. */
async function trySending(
  stored: StoredChannel,
  delivery: Pick<StoredDelivery, 'id' | 'reason' | 'items'>,
  now: number,
): Promise<SendError | null> {
  const { channel } = stored;
  try {
    if (!channel.on && delivery.reason !== 'test') throw new SendError('channel_off', 'The channel is off.', true);
    const open = unsealChannel(stored, now);
    try {
      await limitTime(CHANNELS[channel.kind].send(open, buildMessage(delivery, channel), now));
      return null;
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      const text = escapeForeign(redact(error.message, open)).slice(0, 400);
      return new SendError(error.code, text, error.isFinal, error.retryAfterMs);
    }
  } catch (error) {
    if (error instanceof SendError) return error;
    log().error({ channel: channel.id, err: error }, 'alerts.send_failed');
    return new SendError('internal', 'The message could not be built. The log of the server has the details.', false);
  }
}

function limitTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SendError('timeout', 'It took longer than a minute.', false)), TRY_MS);
  });
  return Promise.race([sending, timeout]).finally(() => clearTimeout(timer));
}

async function recordFailure(
  { channel }: StoredChannel,
  delivery: StoredDelivery,
  { code, message, isFinal, retryAfterMs }: SendError,
  now: number,
  tx: Tx,
): Promise<void> {
  const waitMs = WAITS_MS[delivery.tries - 1];
  const last = { lastCode: code, lastText: message, leasedUntil: 0 };
  const health = { failingSince: channel.failingSince ?? now, lastError: `${code}: ${message}` };
  log().warn({ channel: channel.id, delivery: delivery.id, tries: delivery.tries, code }, 'alerts.not_delivered');
  await updateChannelHealth(channel.id, health, tx);
  if (!isFinal && waitMs !== undefined && delivery.reason !== 'test') {
    const spread = 0.8 + Math.random() * 0.4;
    const dueAt = Math.round(now + Math.max(waitMs * spread, retryAfterMs ?? 0));
    await updateDelivery(delivery.id, { ...last, dueAt }, tx);
    return;
  }
  await updateDelivery(delivery.id, { ...last, state: 'failed' }, tx);
  if (delivery.reason === 'test' || delivery.reason === 'failedChannel') return;
  for (const { channel: other } of await listChannelRows(tx)) {
    if (!other.on || !other.isDefault || other.id === channel.id) continue;
    const { team, items } = delivery;
    await insertDelivery(buildDelivery({ channelId: other.id, team, items, reason: 'failedChannel' }, now), tx);
  }
}

/** An Alertmanager forgets an alert that is not sent again within five minutes. */
export async function refreshAlertmanagers(now: number): Promise<void> {
  const channels = await listChannelRows();
  const due = channels.filter(
    ({ channel, refreshedAt }) => channel.kind === 'alertmanager' && channel.on && refreshedAt <= now - MINUTE_MS,
  );
  if (due.length === 0) return;
  const silences = await listSilenceRows(now);
  const firing = (await listFiringAlerts()).filter((alert) => findSilence(alert, silences) === null);
  const all = channels.map(({ channel }) => channel);
  for (const stored of due) {
    const { id } = stored.channel;
    const items = firing.filter(({ team }) => routeAlert(team, all).some((one) => one.id === id)).map(toItem);
    await updateChannelHealth(id, { refreshedAt: now });
    if (items.length === 0) continue;
    const failure = await trySending(stored, { id: `refresh-${now}`, reason: 'repeat', items }, now);
    const lastError = failure && `${failure.code}: ${failure.message}`;
    const failingSince = failure === null ? null : (stored.channel.failingSince ?? now);
    await updateChannelHealth(id, { failingSince, lastError, ...(failure === null && { lastSentAt: now }) });
  }
}
