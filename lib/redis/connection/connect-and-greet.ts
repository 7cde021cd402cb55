import type { Socket } from 'node:net';
import type { AppError } from '@/lib/model/errors';
import {
  createAbortedError,
  createFailure,
  createTimeoutError,
  describeClosed,
  describePlainPort,
  describeTlsPort,
  type ErrorContext,
  toConnectionError,
} from './connection-errors';
import { CONNECT_TIMEOUT_MS, openSocket, type TlsTarget } from './open-socket';
import type { DestinationPolicy } from './session';

/**
 * A PING is sent before anything else, above all before the password: the other end must first answer like Redis. Its
 * reply also distinguishes cases that ioredis would all report as "connection closed": a web server, a TLS port, a
 * server that is loading.
 */
const PING = '*1\r\n$4\r\nPING\r\n';
/** The part of the time limit that is reserved for trying the port in the other mode (TLS or plain). */
const PROBE_MS = 800;
/** A TLS handshake that takes longer than this starts that probe. */
const PROBE_AFTER_MS = 1000;
/** Redis answers PING with a short line; after this many bytes without a line break, the answer is judged as it is. */
const MAX_LINE_BYTES = 4096;

/** Returns a socket whose other end answered PING as Redis does. It is paused, and no data is left unread. */
export async function connectAndGreet(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs = CONNECT_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<Socket> {
  const end = Date.now() + timeoutMs;
  const probe = () => probeOtherMode(target, policy, where, Math.min(PROBE_MS, end - Date.now()));
  let socket: Socket | undefined;
  let reply: string;
  try {
    const opening = openSocket(target, policy, where, Math.max(1, timeoutMs - PROBE_MS), signal);
    socket = await (where.tls ? detectWrongPort(opening, probe) : opening);
    reply = await readFirstLine(socket, where, end - PROBE_MS - Date.now(), signal);
  } catch (error) {
    socket?.destroy();
    const reported = toConnectionError(error, where);
    if (signal?.aborted || !mayBeWrongPort(reported, where)) throw reported;
    throw (await probe()) ?? reported;
  }
  try {
    checkReply(reply, where);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Redis reads a TLS hello as an unfinished command and waits for the rest, so probe the port instead of waiting for the
 * time limit.
 */
function detectWrongPort(opening: Promise<Socket>, probe: () => Promise<AppError | null>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isRejected = false;
    const timer = setTimeout(async () => {
      const wrongPort = await probe();
      isRejected = wrongPort !== null;
      if (wrongPort) reject(wrongPort);
    }, PROBE_AFTER_MS);
    opening
      .then((socket) => (isRejected ? socket.destroy() : resolve(socket)), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Whether the failure is one that a server in the other mode (TLS or plain) would cause. */
function mayBeWrongPort(reported: AppError, where: ErrorContext): boolean {
  const { cause } = reported.details;
  if (reported.code === 'redis_unreachable') return cause === undefined || cause === 'ECONNRESET' || cause === 'EPIPE';
  return reported.code === 'redis_timeout' || (where.tls && reported.code === 'redis_tls' && cause !== undefined);
}

/**
 * Tries the same port in the other mode: TLS if plain failed, plain if TLS failed. Returns the error to report, or null
 * when the probe shows nothing. It sends no secret and connects only to an address that the policy has checked.
 */
async function probeOtherMode(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs: number,
): Promise<AppError | null> {
  const otherMode = { ...where, tls: !where.tls };
  const withoutChecks = { tls: { ...target.tls, skipVerify: true, cert: null, ca: null }, tlsKey: null };
  const end = Date.now() + timeoutMs;
  let socket: Socket | undefined;
  try {
    socket = await openSocket(withoutChecks, policy, otherMode, timeoutMs);
    // A finished TLS handshake is proof enough; without TLS only a reply is.
    if (otherMode.tls) return createFailure('redis_tls', where, describeTlsPort);
    const reply = await readFirstLine(socket, otherMode, end - Date.now());
    return /^[+-]/.test(reply) ? createFailure('redis_tls', where, describePlainPort) : null;
  } catch {
    return null;
  } finally {
    socket?.destroy();
  }
}

function readFirstLine(socket: Socket, where: ErrorContext, timeoutMs: number, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (act: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.removeListener('data', read);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
      act();
    };
    const timer = setTimeout(() => end(() => reject(createTimeoutError(where))), Math.max(1, timeoutMs));
    const onAbort = () => onError(createAbortedError(where));
    signal?.addEventListener('abort', onAbort, { once: true });
    const onError = (error: Error) => end(() => reject(error));
    const onClose = () =>
      end(() => {
        if (text) resolve(text);
        else reject(createFailure('redis_unreachable', where, describeClosed));
      });
    const read = (data: Buffer) => {
      text += data.toString('latin1');
      const isRedis = /^[+\-:$*_#%~,(=>|!]/.test(text);
      if (isRedis && !text.includes('\n') && text.length <= MAX_LINE_BYTES) return;
      // Pause, so that no data is lost before the next owner of the socket adds its listener.
      socket.pause();
      end(() => resolve(text));
    };
    socket.on('data', read);
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.write(PING);
  });
}

/**
 * These errors block every command, so connecting fails here. NOAUTH and "unknown command" do not block: signing in
 * comes later.
 */
const BLOCKING = /^-(?:LOADING|DENIED|ERR max number of clients)/;

/** Throws if the answer to PING is not one of Redis, or one of the errors that block every command. */
function checkReply(text: string, where: ErrorContext) {
  if (/^\+|^-[A-Z]+ /.test(text)) {
    const line = text.slice(0, text.indexOf('\r'));
    if (BLOCKING.test(line)) throw toConnectionError(new Error(line.slice(1)), where);
    return;
  }
  // These bytes begin a TLS alert, which a TLS port sends as its answer to plain text.
  if (text.startsWith('\x15\x03')) throw createFailure('redis_tls', where, describeTlsPort);
  const isWebServer = /^HTTP\/|^<(?:!doctype|html)/i.test(text);
  throw createFailure('redis_not_redis', where, (place) =>
    isWebServer
      ? `A web server answers at ${place}, not Redis. Check the port (Redis usually listens on 6379).`
      : `Something answers at ${place}, but it is not Redis. Check host and port.`,
  );
}
