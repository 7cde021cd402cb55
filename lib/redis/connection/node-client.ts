import type { Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { connectAndGreet } from './connect-and-greet';
import {
  createAbortedError,
  createFailure,
  createTimeoutError,
  type ErrorContext,
  toConnectionError,
} from './connection-errors';
import { CONNECT_TIMEOUT_MS } from './open-socket';
import type { DestinationPolicy } from './session';

/** More unanswered bytes than this end the connection: single commands never need as many, and memory stays bounded. */
const MAX_UNANSWERED_BYTES = 16 * 1024 * 1024;

export interface ClientOptions {
  db?: number;
  /** Send READONLY, for replicas of a cluster. */
  readOnly?: boolean;
  timeoutMs?: number;
  clientName?: string;
  /** Sign in as the Sentinel user instead. */
  sentinel?: boolean;
  /** Aborts an attempt that is in progress. */
  signal?: AbortSignal;
}

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
    connectionName: options.clientName ?? 'colonnade',
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
  // ioredis reports a refused SELECT only as an event, and the connection would continue in database 0.
  if (firstError) {
    client.disconnect();
    throw toConnectionError(firstError, where);
  }
  if (socket) limitReplies(client, socket, where);
  tellFailures(client, where);
  return client;
}

/**
 * A command that fails without an error reply (the connection ended, no answer in time) fails as an AppError, like
 * every other connection failure: a job retries on `redis_unreachable` and gives up on an unknown error. Error replies
 * stay unchanged; the caller interprets them.
 */
function tellFailures(client: Redis, where: ErrorContext) {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...args) => {
    const answer = send(...args);
    if (!(answer instanceof Promise)) return answer;
    const coded = answer.catch((error) => {
      throw (error as Error)?.name === 'ReplyError' ? error : toConnectionError(error, where);
    });
    // A pipeline handles the failure through its own command, so this promise must not be reported as unhandled.
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
        createFailure('redis_protocol', where, (place) => `${place} sent a reply far larger than expected.`) as Error,
      );
    }
  });
}
