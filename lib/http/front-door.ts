import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { config } from '@/lib/config';
import { AppError, ERROR_STATUS } from '@/lib/model/errors';
import { holdStreamPlace } from './hold-stream-place';
import { hostAllowed } from './host-allowed';
import { RateLimit, rateClassOf } from './rate-limit';
import { SECURITY_HEADERS } from './respond';

/**
 * In front of everything that the server of Next answers by itself, before any proxy or route of Colonnade is asked:
 * its files, its own refusals, addresses that it cannot decode, methods that no route has. Whatever comes through
 * carries the headers of Colonnade that nothing behind has set. Rights are asked in the verbs, and `handle` and the
 * proxy ask again under which name.
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
    holdStreamPlace(request, response, admit(request));
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    const body = JSON.stringify({ error: { code, message, details } });
    response.statusCode = details.method === undefined ? ERROR_STATUS[code] : 405;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    if (typeof details.retryAfterSeconds === 'number') response.setHeader('retry-after', details.retryAfterSeconds);
    if (details.method !== undefined) response.setHeader('allow', [...METHODS].join(', '));
    // What was sent with it is not read.
    response.setHeader('connection', 'close');
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  }
}

/** The path that is asked for, its escapes resolved. */
function admit({ method = '', url = '', headers, socket }: IncomingMessage): string {
  if (!METHODS.has(method)) throw new AppError('bad_request', 'This method is not known here.', { method });
  // `GET http://other/…` and `OPTIONS *` are for proxies; `//other/…` would be another server's address.
  if (!/^\/(?!\/)/.test(url) || url.length > MAX_URL) throw new AppError('bad_request', 'This is no address here.');
  const path = decoded(url);
  if (!hostAllowed(headers.host ?? null))
    throw new AppError(
      'host_refused',
      'This server is not known under that name. Add the name to COLONNADE_HOSTS if it is yours.',
      { host: (headers.host ?? '').slice(0, 253) },
    );
  // By the address that was really reached, whatever the settings say.
  if (!LOOPBACK.test(socket.localAddress ?? '') && !config.everyoneIsAdmin)
    throw new AppError(
      'forbidden',
      'There is no sign-in, so this server answers its own machine only. COLONNADE_EVERYONE_IS_ADMIN=yes lets everybody in who reaches it.',
    );
  const kind = rateClassOf(method, path);
  const wait = kind === null ? 0 : rates.take(socket.remoteAddress ?? '', kind, performance.now());
  if (wait > 0)
    throw new AppError('too_often', 'This address asks too often.', { retryAfterSeconds: Math.min(wait, 60) });
  return decodeURIComponent(path);
}

/** Throws where Next would answer by itself: escapes that are none. */
function decoded(url: string): string {
  try {
    decodeURIComponent(url.replaceAll('+', ' '));
    return url.split('?', 1)[0]!;
  } catch {
    throw new AppError('bad_request', 'The address holds an escape (%) that is none.');
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
  const server = Server.prototype as Server & { [INSTALLED]?: true };
  if (server[INSTALLED]) return;
  server[INSTALLED] = true;
  const emit = server.emit;
  server.emit = function throughDoor(this: Server, event: string | symbol, ...args: unknown[]) {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    // A body that is announced with `Expect` or needs an upgrade comes by another name.
    const asks = event === 'request' || event === 'checkContinue' || event === 'checkExpectation';
    if (asks && frontDoor(request, response)) return true;
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as typeof emit;
}
