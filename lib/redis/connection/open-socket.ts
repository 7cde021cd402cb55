import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import {
  createAbortedError,
  createFailure,
  createTimeoutError,
  describeClosed,
  type ErrorContext,
  toConnectionError,
} from './connection-errors';
import { takeConnection } from './connection-limit';
import type { DestinationPolicy } from './session';
import { withTimeout } from './with-timeout';

export const CONNECT_TIMEOUT_MS = 5000;

export type TlsTarget = Pick<ConnectionTarget, 'tls' | 'tlsKey'>;

/**
 * Opens a socket to a Redis server; no other function does. The policy resolves the host, and the connection goes to an
 * address that the policy has checked. Resolving, connecting and the TLS handshake share one time limit. Nothing is
 * sent yet.
 */
export async function openSocket(
  target: TlsTarget,
  policy: DestinationPolicy,
  where: ErrorContext,
  timeoutMs = CONNECT_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<Socket> {
  const deadline = Date.now() + timeoutMs;
  const createLateError = () => createTimeoutError(where);
  const candidates = await withTimeout(policy.resolve(where.host, where.port), timeoutMs, createLateError);
  let lastError: unknown = createLateError();
  for (const [index, { ip, family }] of candidates.entries()) {
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) throw lastError;
    // An address that does not answer must leave time for the addresses after it.
    const shareMs = leftMs / (candidates.length - index);
    const shareEnds = Date.now() + shareMs;
    const releaseConnection = await takeConnection({ host: ip, port: where.port }, shareMs, signal);
    try {
      const to = { host: ip, port: where.port, family };
      const socket = await open(target, where, to, Math.max(1, shareEnds - Date.now()), signal);
      socket.once('close', releaseConnection);
      return socket;
    } catch (error) {
      releaseConnection();
      lastError = error;
    }
  }
  throw lastError;
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
      // Certificates that cannot be read throw here; some of these errors have no code, so the one of PEM is added.
      fail(error instanceof Error && !('code' in error) ? Object.assign(error, { code: 'ERR_PEM' }) : error);
      return;
    }
    socket.setNoDelay(true);
    // A socket may fail long after its owner stopped listening, and such an error must never end the process.
    socket.on('error', () => undefined);
    socket.once('error', fail);
    const onClose = () => fail(createFailure('redis_unreachable', where, describeClosed));
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
