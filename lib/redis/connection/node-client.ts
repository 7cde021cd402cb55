import type { Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { connectAndGreet } from './connect-and-greet';
import {
  createAbortedError,
  createFailure,
  createTimeoutError,
  type ErrorContext,
  isReplyError,
  toConnectionError,
} from './connection-errors';
import type { DestinationPolicy } from './session';

/**
 * A longer reply ends the connection: ioredis keeps a reply in memory until it is complete, and no single command of
 * Colonnade needs as much.
 */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
/** How long ioredis waits after a disconnect for the server to close the connection, before it destroys the socket. */
const DISCONNECT_TIMEOUT_MS = 500;

interface ClientOptions {
  db?: number;
  /** Send READONLY, for replicas of a cluster. */
  readOnly?: boolean;
  /** Time limit for connecting, and for each command afterwards. */
  timeoutMs: number;
  clientName: string;
  /** Aborts an attempt that is in progress. */
  signal: AbortSignal;
}

/** `sentinel` = the connection leads to a Sentinel, which has its own user and password. */
export function buildErrorContext(
  target: ConnectionTarget,
  host: string,
  port: number,
  sentinel = false,
): ErrorContext {
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
 * Opens one ioredis client for one node, on a socket that Colonnade connected itself: ioredis in Cluster or Sentinel
 * mode connects to any address it is given, and sends the password there. The client never reconnects or resends; see
 * RedisSession.client.
 */
export async function connectNode(
  target: ConnectionTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  { timeoutMs, signal, ...options }: ClientOptions,
): Promise<Redis> {
  const deadline = Date.now() + timeoutMs;
  const password = (where.sentinel ? target.sentinelPassword : target.password)?.reveal() || null;
  let socket: Socket | undefined;

  class CheckedConnector extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }
    async connect() {
      this.connecting = true;
      socket = await connectAndGreet(target, policy, where, timeoutMs, signal);
      if (!this.connecting) {
        socket.destroy();
        throw createTimeoutError(where);
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
    // Single commands need nothing from RESP3, and some proxies refuse HELLO with error texts of their own.
    protocol: 2,
    connectionName: options.clientName,
    disableClientInfo: true,
    // The ready check sends INFO, which may be denied, and waits for LOADING, which the greeting has already checked.
    enableReadyCheck: false,
    retryStrategy: () => null,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // Do not queue commands while there is no connection; when a connection is lost, its commands fail at once.
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
  const abandon = () => stop(createAbortedError(where));
  const timer = setTimeout(() => stop(createTimeoutError(where)), Math.max(1, deadline - Date.now()));
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw toConnectionError(firstError ?? error, where);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abandon);
  }
  // ioredis reports a refused SELECT only as an event, and the connection would continue in database 0.
  if (firstError) {
    client.disconnect();
    throw toConnectionError(firstError, where);
  }
  if (socket) limitReplies(client, socket, where);
  convertFailures(client, where);
  return client;
}

/**
 * A command that fails without an error reply (the connection ended, no answer in time) fails as an AppError, like
 * every other connection failure: a job retries on `redis_unreachable` and gives up on an unknown error. Error replies
 * stay unchanged; the caller interprets them.
 */
function convertFailures(client: Redis, where: ErrorContext) {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...args) => {
    const reply = send(...args);
    if (!(reply instanceof Promise)) return reply;
    const converted = reply.catch((error) => {
      throw isReplyError(error) ? error : toConnectionError(error, where);
    });
    // A pipeline handles the failure through its own command, so this promise must not be reported as unhandled.
    converted.catch(() => undefined);
    return converted;
  };
}

/** Counts the bytes that arrive while a command waits for its reply; ioredis has no limit of its own. */
function limitReplies(client: Redis, socket: Socket, where: ErrorContext) {
  const queue = client as unknown as { commandQueue?: { length: number } };
  let bytes = 0;
  socket.on('data', (data: Buffer) => {
    const isWaiting = (queue.commandQueue?.length ?? 0) > 0;
    bytes = isWaiting ? bytes + data.length : 0;
    if (bytes > MAX_REPLY_BYTES) {
      socket.destroy(
        createFailure('redis_protocol', where, (place) => `${place} sent a reply far larger than expected.`) as Error,
      );
    }
  });
}
