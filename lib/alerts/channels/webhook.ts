import { createHmac } from 'node:crypto';
import { requireSuccess, type Send } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

/** Signs as Standard Webhooks say. `secret`: `whsec_` and the key in base64. `seconds`: epoch. */
export function signWebhook(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

export const sendToWebhook: Send = async ({ url, secret, previousSecret }, message, now) => {
  const seconds = Math.floor(now / 1000);
  const { id, title, items, link } = message;
  const body = JSON.stringify({
    type: 'colonnade.alerts',
    timestamp: new Date(now).toISOString(),
    data: { title, link, alerts: items.map(toAlert) },
  });
  // While receivers change to a new secret, the body is signed with both.
  const secrets = [secret, previousSecret].filter((one) => one !== '');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((one) => signWebhook(one, id, seconds, body)).join(' '),
  };
  requireSuccess(await postJson(url, body, { headers }));
};

const toAlert = ({ isResolved, firedAt, resolvedAt, ...rest }: Parameters<Send>[1]['items'][number]) => ({
  ...rest,
  status: isResolved ? 'resolved' : 'firing',
  startsAt: new Date(firedAt).toISOString(),
  endsAt: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
});
