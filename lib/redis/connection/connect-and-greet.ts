import type { Socket } from 'node:net';
import type { AppError } from '@/lib/model/errors';
import {
  connectionAborted,
  type ErrorContext,
  failure,
  plainPort,
  timeoutError,
  tlsPort,
  toConnectionError,
} from './connection-errors';
import { CONNECT_TIMEOUT_MS, openSocket, type TlsTarget } from './open-socket';
import type { DestinationPolicy } from './session';

/**
 * One PING before anything else, above all before the password: whatever answers must first look like Redis. It also
 * tells apart what ioredis would report as one "connection closed": a web server, a TLS port, a server that loads.
 */
const PING = '*1\r\n$4\r\nPING\r\n';
/** Time kept for trying the port the other way, and how long a TLS handshake may take before we look. */
const PROBE_MS = 800;
const LOOK_AFTER_MS = 1000;

/** A socket whose other end answered PING as a Redis does; paused, nothing left unread. */
export async function connectAndGreet(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs = CONNECT_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<Socket> {
  const end = Date.now() + timeoutMs;
  const probeFrom = Math.max(1, timeoutMs - PROBE_MS);
  const probe = () => wrongPort(target, policy, where, Math.min(PROBE_MS, end - Date.now()));
  let socket: Socket | undefined;
  let reply: string;
  try {
    const opening = openSocket(target, policy, where, probeFrom, signal);
    socket = await (where.tls ? orWrongPort(opening, probe) : opening);
    reply = await firstLine(socket, where, end - PROBE_MS - Date.now(), signal);
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

/** Redis reads a TLS hello as a command that has not ended yet and waits; do not wait with it. */
function orWrongPort(opening: Promise<Socket>, probe: () => Promise<AppError | null>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let reported = false;
    const timer = setTimeout(async () => {
      const wrong = await probe();
      reported = wrong !== null;
      if (wrong) reject(wrong);
    }, LOOK_AFTER_MS);
    opening
      .then((socket) => (reported ? socket.destroy() : resolve(socket)), reject)
      .finally(() => clearTimeout(timer));
  });
}

function mayBeWrongPort(reported: AppError, where: ErrorContext): boolean {
  const { cause } = reported.details;
  if (reported.code === 'redis_unreachable') return cause === undefined || cause === 'ECONNRESET' || cause === 'EPIPE';
  return reported.code === 'redis_timeout' || (where.tls && reported.code === 'redis_tls' && cause !== undefined);
}

/**
 * The same port tried the other way: TLS where plain failed and the reverse. Without a secret, to the checked address.
 */
async function wrongPort(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs: number,
): Promise<AppError | null> {
  const other = { ...where, tls: !where.tls };
  const open = { tls: { ...target.tls, skipVerify: true, cert: null, ca: null }, tlsKey: null };
  const end = Date.now() + timeoutMs;
  let socket: Socket | undefined;
  try {
    socket = await openSocket(open, policy, other, timeoutMs);
    // A finished TLS handshake is proof enough; in the clear only a reply is.
    if (other.tls) return failure('redis_tls', where, tlsPort);
    const reply = await firstLine(socket, other, end - Date.now());
    return /^[+-]/.test(reply) ? failure('redis_tls', where, plainPort) : null;
  } catch {
    return null;
  } finally {
    socket?.destroy();
  }
}

function firstLine(socket: Socket, where: ErrorContext, timeoutMs: number, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (act: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
      socket.removeListener('data', read);
      socket.removeListener('error', failed);
      socket.removeListener('close', closed);
      act();
    };
    const timer = setTimeout(() => end(() => reject(timeoutError(where))), Math.max(1, timeoutMs));
    const give = () => failed(connectionAborted(where));
    signal?.addEventListener('abort', give, { once: true });
    const failed = (error: Error) => end(() => reject(error));
    const closed = () =>
      end(() => {
        if (text) resolve(text);
        else reject(failure('redis_unreachable', where, (place) => `${place} closed the connection.`));
      });
    const read = (data: Buffer) => {
      text += data.toString('latin1');
      const whole = text.includes('\n') || text.length > 4096 || !/^[+\-:$*_#%~,(=>|!]/.test(text);
      if (!whole) return;
      // Nothing may be lost between this listener and the next owner's.
      socket.pause();
      end(() => resolve(text));
    };
    socket.on('data', read);
    socket.once('error', failed);
    socket.once('close', closed);
    socket.write(PING);
  });
}

/** Errors that stand in the way of everything end here; "not signed in" and "unknown command" do not. */
const BLOCKING = /^-(?:LOADING|DENIED|ERR max number of clients)/;

function checkReply(text: string, where: ErrorContext) {
  if (/^\+|^-[A-Z]+ /.test(text)) {
    const line = text.slice(0, text.indexOf('\r'));
    if (BLOCKING.test(line)) throw toConnectionError(new Error(line.slice(1)), where);
    return;
  }
  if (text.startsWith('\x15\x03')) throw failure('redis_tls', where, tlsPort);
  const web = /^HTTP\/|^<(?:!doctype|html)/i.test(text);
  throw failure('redis_not_redis', where, (place) =>
    web
      ? `A web server answers at ${place}, not Redis. Check the port (Redis usually listens on 6379).`
      : `Something answers at ${place}, but it is not Redis. Check host and port.`,
  );
}
