import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { readBearerToken } from './bearer-token';
import { assertHostAllowed, isLoopbackName } from './is-host-allowed';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A page of another site cannot set this header without a CORS preflight, which this server never allows. */
export const OWN_HEADER = 'x-colonnade';

/**
 * Checks every request: the host name must be allowed, and a request that changes something must come from a page of
 * this server or from a program. `fromOtherSites` = the route is where an identity provider sends people. Throws
 * `host_refused`, `origin_refused` or `bad_request`.
 */
export function guardRequest(request: Request, { fromOtherSites = false }: { fromOtherSites?: boolean } = {}): void {
  const host = request.headers.get('host');
  assertHostAllowed(host);
  // A page of another site cannot read the answer, but the request itself is costly: it reads files or connects to
  // servers.
  const site = request.headers.get('sec-fetch-site');
  const isFromOtherSite = site === 'cross-site' || site === 'same-site';
  if (isFromOtherSite && !(fromOtherSites && isNavigation(request)))
    throw new AppError('origin_refused', 'Requests from other sites are refused (header Sec-Fetch-Site).', {
      site,
    });
  if (READING.has(request.method)) return;
  const origin = request.headers.get('origin');
  // No browser sends an API token on its own, so a page of another site cannot cause such a request. If there is an
  // Origin, it must still be one of this server.
  const byToken = !config.singleUser && readBearerToken(request.headers) !== null;
  if (!(byToken && origin === null) && !isOriginAllowed(origin, host ?? ''))
    throw new AppError('origin_refused', 'Changes are accepted from the pages of this server only (header Origin).', {
      origin: (origin ?? '').slice(0, 253),
    });
  if (!byToken && request.headers.get(OWN_HEADER) !== '1')
    throw new AppError('origin_refused', `Changes need the header ${OWN_HEADER}: 1.`, { header: OWN_HEADER });
  requireJson(request);
}

/** Whether the browser itself navigates to the address, so that no script of another page sees the answer. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

function requireJson(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const hasNoBody = request.method === 'DELETE' && type === undefined;
  if (type !== 'application/json' && !hasNoBody)
    throw new AppError('bad_request', 'Changes are sent as JSON (header Content-Type: application/json).', {
      header: 'content-type',
    });
}

/**
 * Whether the origin is the configured one or that of the requested host. A missing, `null` or foreign origin is
 * refused.
 */
function isOriginAllowed(origin: string | null, host: string): boolean {
  if (origin === null || origin === 'null') return false;
  if (origin === config.publicOrigin) return true;
  const own = host.toLowerCase();
  // Without COLONNADE_ORIGIN there may be a proxy that ends TLS and keeps the host name.
  if (config.publicOrigin === null) return origin === `http://${own}` || origin === `https://${own}`;
  // With COLONNADE_ORIGIN only that one is allowed, because a page without TLS can be changed on the network. Requests
  // within this machine do not cross a network.
  return isLoopbackName(own) && origin === `${config.speaksTls ? 'https' : 'http'}://${own}`;
}
