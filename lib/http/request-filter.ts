/**
 * Requests are checked here before anything that the server of Next answers itself (its files, its own refusals,
 * addresses that it cannot decode, methods without a route) and before any proxy or route of Colonnade. People who have
 * not signed in only reach the sign-in pages. Every answer gets the security headers of Colonnade that it does not set
 * itself. Verbs check permissions, and `handle` and the proxy check the host name again.
 */

import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { AppError, ERROR_STATUS, toErrorBody } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { assertHostAllowed } from './access/is-host-allowed';
import { buildSignInAddress, isPageRequest, isSignedIn, needsNoSignIn } from './access/sign-in-check';
import type { Route } from './handle';
import { holdStreamPlace } from './hold-stream-place';
import { classifyUnrouted, RateLimit } from './rate-limit';
import { SECURITY_HEADERS } from './respond';
import type { RouteTable } from './route-table';
import { ADDRESS_HEADER } from './sign-in-origin';
import { renderUnavailablePage, UNAVAILABLE_HEADERS } from './unavailable-page';

/** How many ms a client that does not close its side has to receive the answer. */
const CLOSE_AFTER_MS = 1_000;

/**
 * Refuses a protocol upgrade; no address of Colonnade supports one. Next would answer some of them and leave the
 * sockets of the others open forever, without any time limit of the server.
 */
function refuseUpgrade(socket: Socket): void {
  const text = JSON.stringify({
    error: { code: 'bad_request', message: 'This server upgrades no connection. Send the request without `Upgrade`.' },
  });
  const head = ['HTTP/1.1 400 Bad Request', 'content-type: application/json; charset=utf-8', 'connection: close'];
  const security = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(text)}`;
  socket.on('error', () => {});
  // Remaining input is read and dropped. If the socket was closed with unread bytes, the answer might not arrive.
  socket.resume();
  socket.end(`${[...head, ...security, length].join('\r\n')}\r\n\r\n${text}`);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}

/**
 * Address of the client: that of the socket, or the last entry that a trusted proxy wrote; earlier entries are written
 * by clients. An entry that is not an IP address is ignored, because otherwise callers could choose the address that
 * rate limits count.
 */
export function readClientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const reported = config.trustsProxy ? stripPort(forwarded.at(-1)!.trim()) : '';
  return (isIP(reported) === 0 ? (socket.remoteAddress ?? '') : reported).slice(0, 64);
}

/** Some proxies append the port: `203.0.113.7:51812`, `[2001:db8::1]:443`. */
const stripPort = (text: string) =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const MAX_URL = 160_000;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const INSTALLED = Symbol.for('colonnade.request-filter');

const rates = new RateLimit();

/** Refuses requests that are not admitted; returns true if it has answered. */
function filterRequest(request: IncomingMessage, response: ServerResponse, routes: RouteTable): boolean {
  addHeadersLate(response);
  try {
    const address = readClientAddress(request);
    const route = checkRequest(request, address, routes);
    if (route?.says.contentType === 'text/event-stream') holdStreamPlace(request, response, address);
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
  // The body of the request is not read.
  response.setHeader('connection', 'close');
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify({ error: { code, message, details } }));
}

/** Calls `passOn` if the person is signed in; otherwise redirects to the sign-in page or refuses. */
async function checkSignedIn(request: IncomingMessage, response: ServerResponse, passOn: () => void): Promise<void> {
  try {
    if (await isSignedIn(request)) return passOn();
    const address = buildSignInAddress(request);
    if (address === null) throw new AppError('sign_in_needed', 'Sign in first.');
    response.writeHead(303, { location: address, connection: 'close' }).end();
  } catch (error) {
    if (!(error instanceof AppError)) log().error({ err: error }, 'http.session_check_failed');
    if (response.headersSent) return;
    if (isPageRequest(request) && ERROR_STATUS[toErrorBody(error).code] === 503) showUnavailable(request, response);
    else refuse(request, response, error);
  }
}

/**
 * A person gets a readable page, made here, because no later code can render one while the control database does not
 * answer.
 */
function showUnavailable({ method, headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { ...UNAVAILABLE_HEADERS, connection: 'close' });
  response.end(method === 'HEAD' ? undefined : renderUnavailablePage(headers));
}

/** Returns the route that is requested. Throws if the request is not admitted. */
function checkRequest(
  { method = '', url = '', headers, socket }: IncomingMessage,
  address: string,
  routes: RouteTable,
): Route | undefined {
  if (!METHODS.has(method)) throw new AppError('bad_request', 'This HTTP method is not supported.', { method });
  // `GET http://other/…` and `OPTIONS *` are for proxies; `//other/…` and `/\\other/…` would be addresses of another server.
  if (!/^\/(?![/\\])/.test(url) || url.length > MAX_URL)
    throw new AppError('bad_request', 'This address is not valid.');
  // The server was started without the launcher that reads the certificate. Requests that should be encrypted are not
  // answered in plain text.
  if (config.speaksTls && !('encrypted' in (socket as Socket & { encrypted?: true })))
    throw new AppError(
      'forbidden',
      'This server is configured for TLS. Start it with `npm start` or `colonnade serve`.',
    );
  checkEscapes(url);
  assertHostAllowed(headers.host ?? null);
  // Decided by the address that the client really reached, whatever the settings say.
  if (config.singleUser && !LOOPBACK.test(socket.localAddress ?? ''))
    throw new AppError(
      'forbidden',
      'This server is for one person without sign-in (COLONNADE_SINGLE_USER=1), so it answers its own machine only.',
    );
  const { pathname } = new URL(url, 'http://localhost');
  const route = routes.find(pathname)?.methods.get(method);
  const kind = route?.rate ?? classifyUnrouted(method, pathname);
  const wait = kind === null ? 0 : rates.take(address, kind, performance.now());
  if (wait > 0)
    throw new AppError('too_often', 'Too many requests from this address.', { retryAfterSeconds: Math.min(wait, 60) });
  return route;
}

/** Throws on invalid percent escapes, which Next would answer itself. */
function checkEscapes(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw new AppError('bad_request', 'The address contains an invalid percent escape.');
  }
}

/** Adds the security headers as late as possible, so that headers of the answer itself take precedence. */
function addHeadersLate(response: ServerResponse): void {
  const writeHead = response.writeHead;
  response.writeHead = function writeHeadWithHeaders(this: ServerResponse, ...args: Parameters<typeof writeHead>) {
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (!this.hasHeader(name)) this.setHeader(name, value);
    return writeHead.apply(this, args);
  } as typeof writeHead;
}

/**
 * Makes every server of this process call `filterRequest` first. Next creates its server itself and before any code of
 * Colonnade runs, so this patches the prototypes through which all servers receive requests.
 */
export function installRequestFilter(routes: RouteTable): void {
  installAt(Server.prototype, routes);
  installAt(TlsServer.prototype, routes);
}

function installAt(server: (Server | TlsServer) & { [INSTALLED]?: true }, routes: RouteTable): void {
  if (server[INSTALLED]) return;
  server[INSTALLED] = true;
  const emit = server.emit;
  server.emit = function emitFiltered(this: Server | TlsServer, event: string | symbol, ...args: unknown[]) {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    // Node emits other events for a request with an `Expect` header.
    const isRequest = event === 'request' || event === 'checkContinue' || event === 'checkExpectation';
    const passOn = () => Reflect.apply(emit, this, [event, ...args]) as boolean;
    // In development, pages are reloaded through an upgraded connection.
    if (event === 'upgrade' && config.isProduction) {
      refuseUpgrade(args[1] as Socket);
      return true;
    }
    if (!isRequest) return passOn();
    if (filterRequest(request, response, routes)) return true;
    if (needsNoSignIn(request.url?.split('?', 1)[0] ?? '', routes)) return passOn();
    void checkSignedIn(request, response, passOn);
    return true;
  } as typeof emit;
}
