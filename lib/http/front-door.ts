import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { AppError, ERROR_STATUS, toErrorBody } from '@/lib/model/errors';
import { hostAllowed } from './access/host-allowed';
import { asksForPage, gateIsOpen, isSignedIn, signInAddress } from './access/signed-in-gate';
import { ADDRESS_HEADER } from './came-from';
import { holdStreamPlace } from './hold-stream-place';
import { RateLimit, rateClassOf } from './rate-limit';
import { SECURITY_HEADERS } from './respond';
import { UNAVAILABLE_HEADERS, unavailablePage } from './unavailable-page';

/** So long a client that does not close its side has for the answer. */
const ENDS_MS = 1_000;

/**
 * No address of Colonnade speaks another protocol. Next answers some of these, and leaves the sockets of the others
 * open for ever: by then no time limit of the server counts for them.
 */
function refuseUpgrade(socket: Socket): void {
  const text = JSON.stringify({
    error: { code: 'bad_request', message: 'This server upgrades no connection. Send the request without `Upgrade`.' },
  });
  const head = ['HTTP/1.1 400 Bad Request', 'content-type: application/json; charset=utf-8', 'connection: close'];
  const closing = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(text)}`;
  socket.on('error', () => {});
  // What is still sent is read and dropped: closed over unread bytes, the answer might not arrive.
  socket.resume();
  socket.end(`${[...head, ...closing, length].join('\r\n')}\r\n\r\n${text}`);
  setTimeout(() => socket.destroy(), ENDS_MS).unref();
}

/**
 * Of the socket, or what a trusted proxy says; before its own entry stands what clients write. What is no address
 * counts for nothing: each caller would choose by what they are counted.
 */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const named = config.trustsProxy ? withoutPort(forwarded.at(-1)!.trim()) : '';
  return (isIP(named) === 0 ? (socket.remoteAddress ?? '') : named).slice(0, 64);
}

/** Some proxies name the port too: `203.0.113.7:51812`, `[2001:db8::1]:443`. */
const withoutPort = (text: string) =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * In front of everything that the server of Next answers by itself, before any proxy or route of Colonnade is asked:
 * its files, its own refusals, addresses that it cannot decode, methods that no route has. Whoever has not signed in
 * comes no further than to the pages of that. Whatever comes through carries the headers of Colonnade that nothing
 * behind has set. Rights are asked in the verbs, and `handle` and the proxy ask again under which name.
 */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const MAX_URL = 160_000;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const INSTALLED = Symbol.for('colonnade.front-door');

const rates = new RateLimit();

/** Answers what may not come in; true when it has. */
export function frontDoor(request: IncomingMessage, response: ServerResponse): boolean {
  closeHeaders(response);
  try {
    const address = clientAddress(request);
    holdStreamPlace(request, response, admit(request, address), address);
    request.headers[ADDRESS_HEADER] = address;
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse(request, response, error);
    return true;
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { code, message, details = {} } = toErrorBody(error);
  response.statusCode = details.method === undefined ? ERROR_STATUS[code] : 405;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (typeof details.retryAfterSeconds === 'number') response.setHeader('retry-after', details.retryAfterSeconds);
  if (details.method !== undefined) response.setHeader('allow', [...METHODS].join(', '));
  // What was sent with it is not read.
  response.setHeader('connection', 'close');
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify({ error: { code, message, details } }));
}

/** Whoever has signed in goes `on`; others are led to where they can, or refused. */
async function askWhoComes(request: IncomingMessage, response: ServerResponse, on: () => void): Promise<void> {
  try {
    if (await isSignedIn(request)) return on();
    const address = signInAddress(request);
    if (address === null) throw new AppError('sign_in_needed', 'Sign in first.');
    response.writeHead(303, { location: address, connection: 'close' }).end();
  } catch (error) {
    if (!(error instanceof AppError)) log().error({ err: error }, 'http.session_check_failed');
    if (response.headersSent) return;
    if (asksForPage(request) && ERROR_STATUS[toErrorBody(error).code] === 503) showUnavailable(request, response);
    else refuse(request, response, error);
  }
}

/** Who looks at a page reads it in words: there is nothing behind this door that could do it. */
function showUnavailable({ method, headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { ...UNAVAILABLE_HEADERS, connection: 'close' });
  response.end(method === 'HEAD' ? undefined : unavailablePage(headers));
}

/** The path that is asked for, its escapes resolved. */
function admit({ method = '', url = '', headers, socket }: IncomingMessage, address: string): string {
  if (!METHODS.has(method)) throw new AppError('bad_request', 'This HTTP method is not supported.', { method });
  // `GET http://other/…` and `OPTIONS *` are for proxies; `//other/…` would be another server's address.
  if (!/^\/(?!\/)/.test(url) || url.length > MAX_URL) throw new AppError('bad_request', 'This address is not valid.');
  // Made without the launcher that reads the certificate: what was meant to be encrypted is not answered in the clear.
  if (config.speaksTls && !('encrypted' in (socket as Socket & { encrypted?: true })))
    throw new AppError(
      'forbidden',
      'This server is configured for TLS. Start it with `npm start` or `colonnade serve`.',
    );
  const path = decoded(url);
  if (!hostAllowed(headers.host ?? null))
    throw new AppError('host_refused', 'This host name is not allowed. Add it to COLONNADE_HOSTS if it is yours.', {
      host: (headers.host ?? '').slice(0, 253),
    });
  // By the address that was really reached, whatever the settings say.
  if (config.singleUser && !LOOPBACK.test(socket.localAddress ?? ''))
    throw new AppError(
      'forbidden',
      'This server is for one person without sign-in (COLONNADE_SINGLE_USER=1), so it answers its own machine only.',
    );
  const kind = rateClassOf(method, path);
  const wait = kind === null ? 0 : rates.take(address, kind, performance.now());
  if (wait > 0)
    throw new AppError('too_often', 'Too many requests from this address.', { retryAfterSeconds: Math.min(wait, 60) });
  return decodeURIComponent(path);
}

/** Throws where Next would answer by itself: escapes that are none. */
function decoded(url: string): string {
  try {
    decodeURIComponent(url.replaceAll('+', ' '));
    return url.split('?', 1)[0]!;
  } catch {
    throw new AppError('bad_request', 'The address contains an invalid percent escape.');
  }
}

/** Set as late as can be, so that what an answer says itself stays. */
function closeHeaders(response: ServerResponse): void {
  const writeHead = response.writeHead;
  response.writeHead = function withHeaders(this: ServerResponse, ...reported: Parameters<typeof writeHead>) {
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (!this.hasHeader(name)) this.setHeader(name, value);
    return writeHead.apply(this, reported);
  } as typeof writeHead;
}

/**
 * Servers of this process ask the door first. Next makes its server itself and before anything of Colonnade runs, so
 * this is done where all servers get their requests.
 */
export function installFrontDoor(): void {
  installAt(Server.prototype);
  installAt(TlsServer.prototype);
}

function installAt(server: (Server | TlsServer) & { [INSTALLED]?: true }): void {
  if (server[INSTALLED]) return;
  server[INSTALLED] = true;
  const emit = server.emit;
  server.emit = function throughDoor(this: Server | TlsServer, event: string | symbol, ...args: unknown[]) {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    // A body that is announced with `Expect` or needs an upgrade comes by another name.
    const asks = event === 'request' || event === 'checkContinue' || event === 'checkExpectation';
    const pass = () => Reflect.apply(emit, this, [event, ...args]) as boolean;
    // In development pages are renewed through one.
    if (event === 'upgrade' && config.isProduction) {
      refuseUpgrade(args[1] as Socket);
      return true;
    }
    if (!asks) return pass();
    if (frontDoor(request, response)) return true;
    if (gateIsOpen(request.url?.split('?', 1)[0] ?? '')) return pass();
    void askWhoComes(request, response, pass);
    return true;
  } as typeof emit;
}
