import type { Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { connectAndGreet } from './connect-and-greet';
import { connectionAborted, type ErrorContext, failure, timeoutError, toConnectionError } from './connection-errors';
import { CONNECT_TIMEOUT_MS } from './open-socket';
import type { DestinationPolicy } from './session';

/** A reply larger than this ends the connection: single commands never need it, and memory is bounded. */
const MAX_UNANSWERED_BYTES = 16 * 1024 * 1024;

export interface ClientOptions {
  db?: number;
  /** READONLY, for replicas of a cluster. */
  readOnly?: boolean;
  timeoutMs?: number;
  clientName?: string;
  /** Sign in with the Sentinel user instead. */
  sentinel?: boolean;
  /** Gives up an attempt that is under way. */
  signal?: AbortSignal;
}

export function whereOf(target: ConnectionTarget, host: string, port: number, sentinel = false): ErrorContext {
  const username = sentinel ? target.sentinelUsername : target.username;
  const password = sentinel ? target.sentinelPassword : target.password;
  return {
    host,
    port,
    tls: target.tls.enabled,
    username: username || null,
    hasPassword: password !== null,
    sentinel,
  };
}

/**
 * One ioredis client for one node, on a socket that we connected ourselves: ioredis in Cluster or Sentinel mode
 * connects to any address it is given, with the password. No reconnect, no resend; see RedisSession.client.
 */
export async function connectNode(
  target: ConnectionTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  options: ClientOptions = {},
): Promise<Redis> {
  const timeoutMs = options.timeoutMs ?? CONNECT_TIMEOUT_MS;
  const deadline = Date.now() + timeoutMs;
  const password = (where.sentinel ? target.sentinelPassword : target.password)?.reveal() || null;
  let socket: Socket | undefined;

  class CheckedConnector extends AbstractConnector {
    constructor() {
      super(500);
    }
    async connect() {
      this.connecting = true;
      socket = await connectAndGreet(target, policy, where, timeoutMs, options.signal);
      if (!this.connecting) {
        socket.destroy();
        throw timeoutError(where);
      }
      this.stream = socket;
      return socket;
    }
  }

  const client = new Redis({
    Connector: CheckedConnector,
    host: where.host,
    port: where.port,
    lazyConnect: true,
    ...(where.username ? { username: where.username, password: password ?? '' } : password ? { password } : {}),
    db: options.db ?? 0,
    readOnly: options.readOnly ?? false,
    // Single commands need nothing of RESP3, and some proxies refuse HELLO in words of their own.
    protocol: 2,
    connectionName: options.clientName ?? 'colonnade',
    disableClientInfo: true,
    // It would ask INFO, which may be denied, and wait for LOADING, which the greeting has seen already.
    enableReadyCheck: false,
    retryStrategy: () => null,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // Nothing is queued for a connection that is not there; a lost one fails its commands at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
  });
  let firstError: unknown;
  client.on('error', (error) => {
    firstError ??= error;
  });

  const stop = (reason: Error) => {
    firstError ??= reason;
    socket?.destroy();
    client.disconnect();
  };
  const abandon = () => stop(connectionAborted(where));
  const timer = setTimeout(() => stop(timeoutError(where)), Math.max(1, deadline - Date.now()));
  options.signal?.addEventListener('abort', abandon, { once: true });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw toConnectionError(firstError ?? error, where);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abandon);
  }
  // A refused SELECT is only an event to ioredis: the connection would go on in database 0.
  if (firstError) {
    client.disconnect();
    throw toConnectionError(firstError, where);
  }
  if (socket) limitReplies(client, socket, where);
  tellFailures(client, where);
  return client;
}

/**
 * A command that fails otherwise than by a reply (the connection ended, no answer in time) fails as an AppError, as
 * everything of a connection does: whoever runs a job waits for `redis_unreachable` and gives up on what is unknown.
 * Replies stay as they are; their words are the business of whoever asked.
 */
function tellFailures(client: Redis, where: ErrorContext) {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...args) => {
    const answer = send(...args);
    if (!(answer instanceof Promise)) return answer;
    const coded = answer.catch((error) => {
      throw (error as Error)?.name === 'ReplyError' ? error : toConnectionError(error, where);
    });
    // A pipeline hears of it by its command.
    coded.catch(() => undefined);
    return coded;
  };
}

function limitReplies(client: Redis, socket: Socket, where: ErrorContext) {
  const queue = client as unknown as { commandQueue?: { length: number } };
  let unanswered = 0;
  socket.on('data', (data: Buffer) => {
    unanswered = (queue.commandQueue?.length ?? 0) === 0 ? 0 : unanswered + data.length;
    if (unanswered > MAX_UNANSWERED_BYTES) {
      socket.destroy(
        failure('redis_protocol', where, (place) => `${place} sent a reply far larger than expected.`) as Error,
      );
    }
  });
}
