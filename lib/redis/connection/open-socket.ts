/**
 * Only this file opens sockets to a Redis server. The policy is asked first, and the connection goes to exactly an
 * address that it has checked. Resolving, connecting and the TLS handshake share one time limit, in milliseconds.
 * Nothing is sent yet.
 */

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import {
  createAbortedError,
  createFailure,
  createTimeoutError,
  type ErrorContext,
  toConnectionError,
} from './connection-errors';
import { releaseOnClose, takeConnection } from './connection-limit';
import type { DestinationPolicy } from './session';
import { withTimeout } from './with-timeout';

export const CONNECT_TIMEOUT_MS = 5000;

export type TlsTarget = Pick<ConnectionTarget, 'tls' | 'tlsKey'>;

export async function openSocket(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs = CONNECT_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<Socket> {
  const deadline = Date.now() + timeoutMs;
  const createLateError = () => createTimeoutError(where);
  const resolving = policy.resolveAll
    ? policy.resolveAll(where.host, where.port)
    : policy.resolve(where.host, where.port).then((one) => [one]);
  const candidates = await withTimeout(resolving, timeoutMs, createLateError);
  let last: unknown = createLateError();
  for (const [index, { ip, family }] of candidates.entries()) {
    const left = deadline - Date.now();
    if (left <= 0) throw last;
    // An address that does not answer must leave time for the addresses after it.
    const share = left / (candidates.length - index);
    const shareEnds = Date.now() + share;
    const giveBack = await takeConnection(ip, where.port, share, signal);
    try {
      const to = { host: ip, port: where.port, family };
      return releaseOnClose(await open(target, where, to, Math.max(1, shareEnds - Date.now()), signal), giveBack);
    } catch (error) {
      giveBack();
      last = error;
    }
  }
  throw last;
}

function open(
  target: TlsTarget,
  where: ErrorContext,
  to: { host: string; port: number; family: 4 | 6 },
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let socket: Socket;
    const onAbort = () => fail(createAbortedError(where));
    const fail = (error: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket?.destroy();
      reject(toConnectionError(error, where));
    };
    const timer = setTimeout(() => fail(createTimeoutError(where)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) return onAbort();
    try {
      socket = where.tls ? connectTls({ ...to, ...buildTlsOptions(target, where) }) : connectTcp(to);
    } catch (error) {
      // Unreadable certificates throw before anything is sent.
      const readable = error instanceof Error && !('code' in error) ? Object.assign(error, { code: 'ERR_PEM' }) : error;
      fail(readable);
      return;
    }
    socket.setNoDelay(true);
    // A socket may fail long after its owner stopped listening, and such an error must never end the process.
    socket.on('error', () => undefined);
    socket.once('error', fail);
    const onClose = () => fail(createFailure('redis_unreachable', where, (place) => `${place} closed the connection.`));
    socket.once('close', onClose);
    socket.once(where.tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.removeListener('error', fail);
      socket.removeListener('close', onClose);
      resolve(socket);
    });
  });
}

/**
 * The certificate must be for the name that a person has set, otherwise for the host. If the host is an IP address for
 * which the node has announced a name (a cluster does this), a certificate for either is accepted.
 */
function buildTlsOptions({ tls, tlsKey }: TlsTarget, { host, hostname }: ErrorContext): ConnectionOptions {
  const announced = tls.servername || !isIP(host) ? null : (hostname ?? null);
  const servername = tls.servername || (isIP(host) ? announced : host);
  return {
    ...(servername ? { servername } : {}),
    ...(announced === null
      ? {}
      : {
          checkServerIdentity: (name, certificate) =>
            checkServerIdentity(name, certificate) && checkServerIdentity(host, certificate),
        }),
    ...(tls.ca ? { ca: tls.ca } : {}),
    ...(tls.cert ? { cert: tls.cert } : {}),
    ...(tlsKey ? { key: tlsKey.reveal() } : {}),
    rejectUnauthorized: !tls.skipVerify,
  };
}
