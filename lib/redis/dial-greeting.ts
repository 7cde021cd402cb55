import type { Socket } from 'node:net';
import type { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/instance';
import { failure, plainPort, timeoutError, tlsPort, toConnectionError, type Where } from './connection-errors';
import { DIAL_TIMEOUT_MS, dialSocket } from './dial';
import type { DestinationPolicy } from './types';

/**
 * One PING before anything else, above all before the password: whatever answers must first look like Redis. It also
 * tells apart what ioredis would report as one "connection closed": a web server, a TLS port, a server that loads.
 */
const PING = '*1\r\n$4\r\nPING\r\n';
/** A server that holds a TLS hello for something else never answers; keep time to find that out. */
const PROBE_MS = 800;

/** A socket whose other end answered PING as a Redis does; paused, nothing left unread. */
export async function dialRedis(
  target: Pick<ConnectionTarget, 'tls' | 'tlsKey'>,
  policy: DestinationPolicy,
  where: Where,
  timeoutMs = DIAL_TIMEOUT_MS,
): Promise<Socket> {
  const deadline = Date.now() + timeoutMs;
  const first = Math.max(1, timeoutMs - PROBE_MS);
  let socket: Socket | undefined;
  try {
    socket = await dialSocket(target, policy, where, first);
    checkReply(await firstLine(socket, where, deadline - PROBE_MS - Date.now()), where);
    return socket;
  } catch (error) {
    socket?.destroy();
    const told = toConnectionError(error, where);
    throw (await wrongPort(target, policy, where, told, deadline - Date.now())) ?? told;
  }
}

/** The same port tried the other way: TLS where plain failed and the reverse. Without a secret, to the checked address. */
async function wrongPort(
  target: Pick<ConnectionTarget, 'tls' | 'tlsKey'>,
  policy: DestinationPolicy,
  where: Where,
  told: AppError,
  leftMs: number,
): Promise<AppError | null> {
  const closed = told.code === 'redis_unreachable' && told.details.cause !== 'ECONNREFUSED';
  const suspicious = closed || told.code === 'redis_timeout' || (where.tls && told.code === 'redis_tls');
  if (!suspicious || told.details.cause === 'EHOSTUNREACH' || leftMs < 50) return null;
  const other = { ...where, tls: !where.tls };
  const open = { tls: { ...target.tls, skipVerify: true, cert: null }, tlsKey: null };
  const until = Date.now() + Math.min(leftMs, PROBE_MS);
  let socket: Socket | undefined;
  try {
    socket = await dialSocket(open, policy, other, until - Date.now());
    // A finished TLS handshake is proof enough; in the clear only a reply is.
    if (other.tls) return failure('redis_tls', where, tlsPort);
    const reply = await firstLine(socket, other, until - Date.now());
    return /^[+-]/.test(reply) ? failure('redis_tls', where, plainPort) : null;
  } catch {
    return null;
  } finally {
    socket?.destroy();
  }
}

function firstLine(socket: Socket, where: Where, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (act: () => void) => {
      clearTimeout(timer);
      socket.removeListener('data', read);
      socket.removeListener('error', failed);
      socket.removeListener('close', closed);
      act();
    };
    const timer = setTimeout(() => end(() => reject(timeoutError(where))), Math.max(1, timeoutMs));
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

function checkReply(text: string, where: Where) {
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
