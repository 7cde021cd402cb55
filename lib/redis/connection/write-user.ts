import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { type NodeChannelOptions, openNodeChannel } from './open-node-channel';
import type { RedisSession } from './session';

/**
 * `write` is the user that changes keys, `read` the one that reads; without a separate write user both are the same.
 */
export type ChannelUser = 'write' | 'read';

/** Whether keys can be changed at all: with the only user there is, or with a write user whose password is stored. */
export const canWriteAs = (target: Pick<ConnectionTarget, 'separateWriteUser' | 'writePassword'>): boolean =>
  !target.separateWriteUser || target.writePassword !== null;

/** Codes of errors that mean: the server refused the user or its password. */
const REFUSED = new Set(['redis_wrong_password', 'redis_auth_required']);

/**
 * Opens a channel signed in as `user`. If the instance has a separate write user, the reading user never replaces it.
 * Errors: `write_credentials_missing`, `write_credentials_refused`, and those of connecting.
 */
export async function openAs(
  session: RedisSession,
  user: ChannelUser,
  address: string,
  options: NodeChannelOptions,
): Promise<RespChannel> {
  const { target } = session;
  if (user === 'read' || !target.separateWriteUser) return openNodeChannel(session, address, options);
  if (!canWriteAs(target))
    throw new AppError('write_credentials_missing', 'No password of the write user is stored for this instance.', {
      instance: target.name,
    });
  const username = target.writeUsername ?? null;
  try {
    return await openNodeChannel(session, address, {
      ...options,
      credentials: { username, password: target.writePassword },
    });
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSED.has(error.code)) throw error;
    throw new AppError('write_credentials_refused', 'The server refused the write user or its password.', {
      address,
      username: username ?? 'default',
    });
  }
}

/**
 * Signs in to every usable master as the user that changes keys, and disconnects. If no master is known (a replica is
 * registered, or its role is unknown), it signs in to the usable nodes there are: they also show whether the password
 * is right.
 */
export async function signInAsWriteUser(session: RedisSession): Promise<void> {
  const usable = session.nodes.filter(({ address }) => !session.problems.has(address));
  const masters = usable.filter(({ role }) => role === 'master');
  for (const { address } of masters.length > 0 ? masters : usable) {
    const channel = await openAs(session, 'write', address, { protocol: '2', clientName: 'colonnade-test' });
    channel.close();
  }
}
