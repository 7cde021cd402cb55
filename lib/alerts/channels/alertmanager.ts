import { type MessageItem, requireSuccess, type Send } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

/** Alerts of one request. */
const MAX_ALERTS = 500;

/**
 * Sends alerts to an Alertmanager. It ends an alert that is not sent again within five minutes, so those that are
 * firing are sent each minute (deliver.ts); `endsAt` resolves one at once.
 */
export const sendToAlertmanager: Send = async ({ url }, { items }) => {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/(\/api\/v2\/alerts)?\/*$/, '')}/api/v2/alerts`;
  for (let from = 0; from < items.length; from += MAX_ALERTS) {
    const alerts = items.slice(from, from + MAX_ALERTS).map(toAlert);
    requireSuccess(await postJson(address.href, JSON.stringify(alerts)));
  }
};

/** The labels identify the alert, so they hold nothing that changes while it fires. */
const toAlert = ({ rule, severity, instance, subject, team, ...item }: MessageItem) => ({
  labels: {
    alertname: rule,
    severity,
    fingerprint: item.fingerprint,
    ...(instance && { redis: instance }),
    ...(subject && { subject }),
    ...(team && { team }),
  },
  annotations: { summary: item.text },
  startsAt: new Date(item.firedAt).toISOString(),
  ...(item.isResolved && { endsAt: new Date(item.resolvedAt ?? item.firedAt).toISOString() }),
  ...(item.link && { generatorURL: item.link }),
});
