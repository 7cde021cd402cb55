import type { Secret } from '@/lib/model/secret';
import { CHANNEL_TIMEOUTS, type ChannelOptions, openChannel } from '@/lib/redis/protocol/channel';
import type { ChannelTimeouts, RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RESP_LIMITS, type RespLimits } from '@/lib/redis/protocol/resp-reader';
import type { RedisSession } from './session';

/** The user and password that a connection signs in with. */
export interface ChannelCredentials {
  username: string | null;
  password: Secret | null;
}

export interface NodeChannelOptions extends Omit<ChannelOptions, 'username' | 'password'> {
  timeouts?: ChannelTimeouts;
  limits?: RespLimits;
  /** Aborts the opening: the socket is closed and the signal's reason is thrown. */
  signal?: AbortSignal;
  /** Credentials to use instead of the session's own. */
  credentials?: ChannelCredentials;
}

/**
 * Opens a lean channel to one node of a session, signed in with the session's credentials. All such channels are opened
 * here, so a new connection setting has to be added only here. The caller must always close the channel.
 */
export async function openNodeChannel(
  session: RedisSession,
  address: string,
  { timeouts = CHANNEL_TIMEOUTS, limits = RESP_LIMITS, signal, credentials, ...options }: NodeChannelOptions = {},
): Promise<RespChannel> {
  const { protocol } = session.target;
  const { username, password } = credentials ?? session.target;
  const socket = await session.openSocket(address);
  if (signal?.aborted) {
    socket.destroy();
    throw signal.reason;
  }
  const abort = () => socket.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await openChannel(
      socket,
      { protocol, address, ...options, username: username ?? null, password },
      timeouts,
      limits,
    );
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
