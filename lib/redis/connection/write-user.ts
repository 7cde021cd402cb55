import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { type NodeChannelOptions, openNodeChannel } from './open-node-channel';
import type { RedisSession } from './session';

/** write: as whom keys are changed, where that is another user than the one who looks · look: the latter. */
export type ChannelUser = 'write' | 'look';

/** Whether keys can be changed at all: as the one user there is, or as the one whose password is stored. */
export const canWriteAs = (target: Pick<ConnectionTarget, 'separateWriteUser' | 'writePassword'>): boolean =>
  !target.separateWriteUser || target.writePassword !== null;

/**
 * A channel signed in as that user. Never as the one who looks where keys are changed by another. Errors:
 * `write_credentials_missing`, `write_credentials_refused`, and those of connecting.
 */
export async function openAs(
  session: RedisSession,
  user: ChannelUser,
  address: string,
  options: NodeChannelOptions,
): Promise<RespChannel> {
  const { target } = session;
  if (user === 'look' || !target.separateWriteUser) return openNodeChannel(session, address, options);
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

const REFUSED = new Set(['redis_wrong_password', 'redis_auth_required']);

/**
 * Signs in to every master that can be used, as the user that changes keys, and out again. Where no master is known
 * (a replica is registered, its role is not told) the nodes there are say whether the password is right.
 */
export async function signInAsWriteUser(session: RedisSession): Promise<void> {
  const usable = session.nodes.filter(({ address }) => !session.problems?.has(address));
  const masters = usable.filter(({ role }) => role === 'master');
  for (const { address } of masters.length > 0 ? masters : usable) {
    const channel = await openAs(session, 'write', address, { protocol: '2', clientName: 'colonnade-test' });
    channel.close();
  }
}
