import { createHash } from 'node:crypto';
import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import { seal } from '@/lib/access/vault/seal';
import type { Actor } from '@/lib/model/actor';
import type { Delivery } from '@/lib/model/alerts/alert';
import type { Channel, ChannelInput } from '@/lib/model/alerts/channel';
import { AppError } from '@/lib/model/errors';
import { listAlertRuleRows } from '@/lib/store/alerts/alert-rules';
import {
  deleteChannelRow,
  getChannelRow,
  listChannelRows,
  putChannelRow,
  type StoredChannel,
} from '@/lib/store/alerts/channels';
import { insertDelivery, listDeliveryRows } from '@/lib/store/alerts/deliveries';
import { wakeWorker } from '@/lib/store/engines/wake-worker';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { addDefaultRules } from './manage-rules';
import { buildDelivery } from './outbox';
import { unsealChannel } from './unseal-channel';

const MAX_CHANNELS = 100;
const MAX_DELIVERIES = 200;
/** How long webhooks are signed with the former secret too. */
const ROTATION_MS = 24 * 3_600_000;

/** Who may manage channels: they hold secrets and send data to other servers. */
const BY_ADMINISTRATORS = { needs: 'instance.manage', on: scopeToAll } as const;

/** All channels, sorted by name, with the last characters of their secrets. */
export const listChannels = verb(
  BY_ADMINISTRATORS,
  async (_actor: Actor): Promise<Channel[]> => (await listChannelRows()).map(({ channel }) => channel),
);

/**
 * Adds a channel. The first one brings the rules that are on by default. Errors: `bad_request` with the field,
 * `conflict` (name), `too_large`.
 */
export const addChannel = verb(
  { ...BY_ADMINISTRATORS, action: 'channel.add', subject: ({ name }: ChannelInput) => name },
  async (actor: Actor, input: ChannelInput): Promise<Channel> => {
    const now = Date.now();
    const id = generateId(now);
    return runTransaction(async (tx) => {
      const others = await listChannelRows(tx);
      if (others.length >= MAX_CHANNELS) throw new AppError('too_large', `There are ${MAX_CHANNELS} channels already.`);
      const stored = await saveChannel(id, input, null, now, tx);
      if (others.length === 0 && (await listAlertRuleRows(tx)).length === 0) await addDefaultRules(now, tx);
      await recordAudit(tx, { actor, action: 'channel.add', subject: input.name, details: toAuditDetails(stored) });
      return stored.channel;
    });
  },
);

/**
 * Changes a channel. A secret that is not sent stays as it is. Errors: `not_found`, `bad_request`, `conflict`.
 */
export const updateChannel = verb(
  { ...BY_ADMINISTRATORS, action: 'channel.update' },
  async (actor: Actor, id: string, input: ChannelInput): Promise<Channel> =>
    runTransaction(async (tx) => {
      const stored = await saveChannel(id, input, await requireChannel(id, tx), Date.now(), tx);
      await recordAudit(tx, { actor, action: 'channel.update', subject: input.name, details: toAuditDetails(stored) });
      return stored.channel;
    }),
);

/** Removes a channel with the messages that wait for it. Errors: `not_found`. */
export const removeChannel = verb(
  { ...BY_ADMINISTRATORS, action: 'channel.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> =>
    runTransaction(async (tx) => {
      const { channel } = await requireChannel(id, tx);
      await deleteChannelRow(id, tx);
      await recordAudit(tx, { actor, action: 'channel.remove', subject: channel.name });
      return { id };
    }),
);

/** Puts a test message into the outbox, which takes the way of all messages. Returns its id. Errors: `not_found`. */
export const testChannel = verb(
  { ...BY_ADMINISTRATORS, action: 'channel.test' },
  async (actor: Actor, id: string): Promise<{ deliveryId: string }> =>
    runTransaction(async (tx) => {
      const { channel } = await requireChannel(id, tx);
      const delivery = buildDelivery({ channelId: id, team: null, reason: 'test', items: [] }, Date.now());
      await insertDelivery(delivery, tx);
      await recordAudit(tx, { actor, action: 'channel.test', subject: channel.name });
      wakeWorker();
      return { deliveryId: delivery.id };
    }),
);

/** The newest 200 messages to a channel. */
export const listDeliveries = verb(BY_ADMINISTRATORS, async (_actor: Actor, id: string): Promise<Delivery[]> => {
  const { channel } = await requireChannel(id);
  return (await listDeliveryRows(id, MAX_DELIVERIES)).map((row) => ({ ...row, channelName: channel.name }));
});

async function requireChannel(id: string, tx?: Tx): Promise<StoredChannel> {
  const found = await getChannelRow(id, tx);
  if (found === null) throw new AppError('not_found', 'There is no such channel. It may have been removed.', { id });
  return found;
}

async function saveChannel(
  id: string,
  { secrets, ...input }: ChannelInput,
  before: StoredChannel | null,
  now: number,
  tx: Tx,
): Promise<StoredChannel> {
  const rows = await listChannelRows(tx);
  if (rows.some(({ channel }) => channel.id !== id && channel.name.toLowerCase() === input.name.toLowerCase()))
    throw new AppError('conflict', 'There is a channel of this name already.', { field: 'name' });
  if (before !== null && before.channel.kind !== input.kind)
    throw new AppError('bad_request', 'The kind of a channel cannot be changed.', { field: 'kind' });
  const open = before && unsealChannel(before, now);
  const url = input.kind === 'smtp' ? '' : (secrets.url ?? open?.url ?? '');
  const secret = secrets.secret ?? open?.secret ?? '';
  checkChannel(input, url, secret);
  const movesPassword =
    before?.channel.smtp && JSON.stringify(toServer(before.channel)) !== JSON.stringify(toServer(input));
  if (movesPassword && secrets.secret === undefined && secret !== '')
    throw new AppError('bad_request', 'Enter the password again: it would be sent to another server.', {
      field: 'secrets.secret',
    });
  const sealField = (text: string, field: string) =>
    text === '' ? null : seal(text, { table: 'channels', id, field });
  const rotates = input.kind === 'webhook' && open !== null && open.secret !== '' && open.secret !== secret;
  const stored: StoredChannel = {
    channel: {
      ...input,
      id,
      shownUrl: url === '' ? null : `${new URL(url).host} …${url.slice(-4)}`,
      shownSecret: secret === '' ? null : `…${secret.slice(-4)}`,
      createdAt: before?.channel.createdAt ?? now,
      failingSince: before?.channel.failingSince ?? null,
      lastSentAt: before?.channel.lastSentAt ?? null,
      lastError: before?.channel.lastError ?? null,
    },
    sealed: {
      url: sealField(url, 'url'),
      secret: sealField(secret, 'secret'),
      previousSecret: rotates ? sealField(open.secret, 'previousSecret') : (before?.sealed.previousSecret ?? null),
    },
    previousUntil: rotates ? now + ROTATION_MS : (before?.previousUntil ?? null),
    target: createHash('sha256')
      .update(url === '' ? JSON.stringify(toServer(input)) : url)
      .digest('base64url'),
    updatedAt: now,
    refreshedAt: before?.refreshedAt ?? 0,
  };
  await putChannelRow(stored, tx);
  return stored;
}

/** The part of the settings that says where a password is sent. */
const toServer = ({ smtp }: Pick<ChannelInput, 'smtp'>) => smtp && [smtp.host, smtp.port, smtp.security, smtp.user];

/** Throws `bad_request` with the field. */
function checkChannel({ kind, smtp, zone }: Omit<ChannelInput, 'secrets'>, url: string, secret: string): void {
  const refuse = (field: string, why: string) => new AppError('bad_request', why, { field });
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw refuse('zone', 'There is no such time zone. Write a name such as Asia/Shanghai.');
  }
  if (kind === 'smtp') {
    if (smtp === null) throw refuse('smtp', 'The settings of the mail server are missing.');
    return;
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw refuse('secrets.url', 'Enter the address of the channel; it begins with https://.');
  if (kind === 'webhook' && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret))
    throw refuse('secrets.secret', 'The secret is whsec_ and 24 to 64 random bytes in base64.');
}

const toAuditDetails = ({ channel: { kind, on, isDefault, teams, shownUrl, digestAt } }: StoredChannel) => ({
  ...{ kind, on, isDefault, teams, digestAt, address: shownUrl?.split(' ')[0] ?? null },
});
