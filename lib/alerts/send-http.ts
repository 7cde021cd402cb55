/** The only file that sends HTTP requests of alerts. */

import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { config } from '@/lib/runtime/config';
import { type JudgedAddress, judgeDestination } from './judge-destination';
import { SendError } from './send-error';

const TIMEOUT_MS = 10_000;
/** More of an answer than this is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface HttpAnswer {
  status: number;
  /** Of `Retry-After`, ms; null = it was not sent. */
  retryAfterMs: number | null;
  body: string;
}

/**
 * Sends one POST request with a JSON body and returns the answer, whatever its status, unless it redirects. Redirects
 * are not followed. http is allowed only to addresses that COLONNADE_NOTIFY lists. Throws `SendError`.
 */
export async function postJson(
  address: string,
  body: string,
  { headers = {}, timeoutMs = TIMEOUT_MS }: { headers?: Record<string, string>; timeoutMs?: number } = {},
): Promise<HttpAnswer> {
  if (!URL.canParse(address)) throw new SendError('destination_refused', 'The address is not a URL.', true);
  const url = new URL(address);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { socket, lookup } = await findWay(url, signal);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', 'user-agent': 'Colonnade', ...headers },
      ...(lookup && { lookup, agent: false }),
      // With an agent this function would not be called.
      ...(socket && { createConnection: () => connectTls({ socket, ...nameServer(url) }) }),
    });
    return await readAnswer(request, body);
  } catch (error) {
    throw error instanceof SendError ? error : toSendError(error as NodeJS.ErrnoException);
  }
}

/** How to reach the server: by one of its judged addresses, or by a connection through the proxy. */
async function findWay(url: URL, signal: AbortSignal): Promise<{ socket?: Socket; lookup?: LookupFunction }> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const judging = judgeDestination(url.hostname, port);
  const { notifyProxy } = config;
  const addresses = await (notifyProxy === null ? judging : judging.catch(acceptUnresolved));
  const isInner = addresses.length > 0 && addresses.every(({ isListed }) => isListed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isInner))
    throw new SendError('destination_refused', 'Only https is allowed, except to what COLONNADE_NOTIFY lists.', true);
  if (notifyProxy !== null && !isInner)
    return { socket: await connectThroughProxy(new URL(notifyProxy.reveal()), `${url.hostname}:${port}`, signal) };
  return { lookup: createLookup(addresses) };
}

/** Where a proxy is needed, names of the internet often have no address here. Then the proxy decides. */
function acceptUnresolved(error: SendError): JudgedAddress[] {
  if (error.code === 'dns') return [];
  throw error;
}

/** Answers with the judged addresses, so that the connection uses exactly these. */
const createLookup =
  (addresses: JudgedAddress[]): LookupFunction =>
  (_host, options, callback) => {
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  };

const nameServer = ({ hostname }: URL) => {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? { host } : { host, servername: host };
};

function connectThroughProxy(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const request = requestHttp({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    agent: false,
    signal,
    headers: {
      host: target,
      ...(proxy.username && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  });
  return new Promise((resolve, reject) => {
    request.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new SendError('proxy', `The proxy refused the connection (HTTP ${statusCode}).`, false));
    });
    request.on('response', ({ statusCode }) => {
      request.destroy();
      reject(new SendError('proxy', `The proxy refused the connection (HTTP ${statusCode}).`, false));
    });
    request.on('error', reject);
    request.end();
  });
}

function readAnswer(request: ClientRequest, body: string): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      request.destroy();
      reject(error);
    };
    request.on('error', reject);
    request.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      if (status >= 300 && status < 400)
        return fail(new SendError(`HTTP ${status}`, 'It answered with a redirect, which is not followed.', true));
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on('error', reject);
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > MAX_ANSWER_BYTES)
          fail(new SendError(`HTTP ${status}`, 'Its answer is larger than 64 KiB, so it was not read.', false));
      });
      answer.on('end', () => {
        const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
        const retryAfterMs = seconds > 0 ? Math.min(seconds, 86_400) * 1000 : null;
        resolve({ status, retryAfterMs, body: Buffer.concat(pieces).toString('utf8') });
      });
    });
    request.end(body);
  });
}

function toSendError(error: NodeJS.ErrnoException): SendError {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return new SendError('timeout', 'It did not answer within 10 seconds.', false);
  // The message of a network error holds the address.
  return new SendError(error.code ?? 'network', `The connection failed (${error.code ?? 'unknown error'}).`, false);
}
