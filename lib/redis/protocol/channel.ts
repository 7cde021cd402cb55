import type { Socket } from 'node:net';
import { AppError } from '@/lib/model/errors';
import type { Secret } from '@/lib/model/secret';
import { RedisReplyError, type Reply } from './any-reply';
import { findServerRefusal } from './classify-refusal';
import { type ChannelTimeouts, RespChannel } from './resp-channel';
import { RESP_LIMITS, type RespLimits } from './resp-reader';

/** Long enough for a server that saves or frees something large, short enough that a page can report the failure. */
export const CHANNEL_TIMEOUTS: ChannelTimeouts = { replyMs: 15_000 };

export interface ChannelOptions {
  username?: string | null;
  password?: Secret | null;
  db?: number;
  /** Send READONLY, for a cluster replica: without it the replica answers every command with MOVED. */
  readonly?: boolean;
  /**
   * 'auto' sends HELLO 3 and falls back to RESP2; '2' sends no HELLO at all (old proxies close the connection on it).
   */
  protocol?: 'auto' | '2';
  clientName?: string;
  /** The address that the socket is connected to, for error messages. */
  address?: string;
  /** Send CLIENT NO-TOUCH; `channel.noTouch` says whether it is on afterwards. */
  noTouch?: boolean;
}

/**
 * Opens a channel over a socket that is connected (and, for TLS, secured) but on which nothing has been sent. Sends
 * HELLO or AUTH, then name, database, READONLY and NO-TOUCH. Throws an AppError and closes the socket if it cannot be
 * used.
 */
export async function openChannel(
  socket: Socket,
  options: ChannelOptions = {},
  timeouts: ChannelTimeouts = CHANNEL_TIMEOUTS,
  limits: RespLimits = RESP_LIMITS,
): Promise<RespChannel> {
  const channel = new RespChannel(socket, timeouts, limits);
  try {
    await signIn(channel, options);
    // The name only helps people who read CLIENT LIST, so a refusal is ignored.
    await channel.call(['CLIENT', 'SETNAME', options.clientName ?? 'colonnade']);
    const db = options.db ?? 0;
    const { address } = options;
    if (db !== 0) assertAccepted(await channel.call(['SELECT', String(db)]), { command: 'SELECT', address, db });
    if (options.readonly) assertAccepted(await channel.call(['READONLY']), { command: 'READONLY', address });
    if (options.noTouch) channel.noTouch = isOk(await channel.call(['CLIENT', 'NO-TOUCH', 'ON']));
    return channel;
  } catch (error) {
    channel.fail(error);
    throw error;
  }
}

async function signIn(channel: RespChannel, options: ChannelOptions): Promise<void> {
  const username = options.username || null;
  const password = options.password?.reveal() || null;
  if (options.protocol !== '2') {
    const auth = password === null ? [] : ['AUTH', username ?? 'default', password];
    const hello = await channel.call(['HELLO', '3', ...auth]);
    if (!(hello instanceof RedisReplyError)) {
      channel.protocol = 3;
      return;
    }
    // Refused credentials are final; an unknown or denied HELLO only means that AUTH must be used.
    if (hello.code === 'WRONGPASS' || hello.code === 'LOADING' || hello.code === 'DENIED')
      throw toReplyError(hello, { command: 'HELLO', address: options.address });
  }
  if (password === null) {
    // There is no password to sign in with; PING shows at once whether one is required.
    const pong = await channel.call(['PING']);
    if (pong instanceof RedisReplyError && pong.code !== 'NOPERM')
      throw toReplyError(pong, { command: 'PING', address: options.address });
    return;
  }
  // Only ACL users (6.0) have names; AUTH of older servers takes the password alone.
  const reply = await channel.call(username === null ? ['AUTH', password] : ['AUTH', username, password]);
  if (!(reply instanceof RedisReplyError)) return;
  // The server has no password, so it answers everybody.
  if (/without any password configured|no password is set/i.test(reply.message)) return;
  if (/invalid password|invalid username/i.test(reply.message)) {
    throw new AppError('redis_wrong_password', 'The server refused the user name or password.');
  }
  throw toReplyError(reply, { command: 'AUTH', address: options.address });
}

function isOk(reply: Reply): boolean {
  return Buffer.isBuffer(reply) && reply.toString('latin1') === 'OK';
}

/** `sent.db` = the command was SELECT, and an unspecific error means that there is no such database. */
function assertAccepted(reply: Reply, { db, ...sent }: SentCommand & { db?: number }): void {
  if (!(reply instanceof RedisReplyError)) return;
  if (db !== undefined && reply.code === 'ERR') {
    throw new AppError('redis_no_database', `The server has no database ${db}.`, { db });
  }
  throw toReplyError(reply, sent);
}

/** The command that was sent and the address, if they are known. */
interface SentCommand {
  command?: string | undefined;
  address?: string | undefined;
}

/**
 * Turns an error reply after which nothing can continue into the error that a person sees. Only its first word is
 * repeated: a server that does not know AUTH repeats the password in its text.
 */
export function toReplyError(reply: RedisReplyError, { command, address }: SentCommand = {}): AppError {
  const reason = /^[A-Z]{2,20}$/.test(reply.code) ? reply.code : 'ERR';
  const details = { reason, ...(command !== undefined && { command }), ...(address !== undefined && { address }) };
  const server = address ?? 'The server';
  const refusal = findServerRefusal(reason);
  if (refusal) return new AppError(refusal.code, refusal.text, details);
  switch (reason) {
    case 'DENIED':
      return new AppError('redis_auth_required', 'The server runs in protected mode and has no password.', details);
    case 'WRONGPASS':
      return new AppError('redis_wrong_password', 'The server refused the user name or password.', details);
    case 'NOPERM':
      return new AppError(
        'redis_no_permission',
        command === undefined
          ? `${server} does not permit a command that is needed here. Grant it with ACL SETUSER.`
          : `${server} does not permit ${command}, which is needed here. Grant it with ACL SETUSER (+${command.toLowerCase()}).`,
        details,
      );
    default:
      return new AppError(
        'redis_error',
        `${server} answered ${command ?? 'a command'} with an error (${reason}).`,
        details,
      );
  }
}
