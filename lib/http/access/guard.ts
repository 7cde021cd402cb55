import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';
import { apiTokenOf } from './bearer';
import { hostAllowed, isLoopbackName } from './host-allowed';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A foreign page cannot set it without asking first (CORS preflight), and we never answer that with yes. */
export const OWN_HEADER = 'x-colonnade';

/**
 * Every request passes: a known name, and for whatever changes something also our own page or a program. `navigated`:
 * where people come back to from an identity provider.
 */
export function guard(request: Request, { navigated = false }: { navigated?: boolean } = {}): void {
  const host = request.headers.get('host');
  if (!hostAllowed(host))
    throw new AppError('host_refused', 'This host name is not allowed. Add it to COLONNADE_HOSTS if it is yours.', {
      host: (host ?? '').slice(0, 253),
    });
  // A page of another site cannot read the answer, yet the question itself costs: scans of files, connections to
  // servers.
  const site = request.headers.get('sec-fetch-site');
  const elsewhere = site === 'cross-site' || site === 'same-site';
  if (elsewhere && !(navigated && isNavigation(request)))
    throw new AppError('origin_refused', 'Requests from other sites are refused (header Sec-Fetch-Site).', {
      site,
    });
  if (READING.has(request.method)) return;
  const origin = request.headers.get('origin');
  // No browser sends a token by itself, so nobody can be made to send one. Whoever names a page names one of ours.
  const byToken = !config.singleUser && apiTokenOf(request.headers) !== null;
  if (!(byToken && origin === null) && !originAllowed(origin, host ?? ''))
    throw new AppError('origin_refused', 'Changes are accepted from the pages of this server only (header Origin).', {
      origin: (origin ?? '').slice(0, 253),
    });
  if (!byToken && request.headers.get(OWN_HEADER) !== '1')
    throw new AppError('origin_refused', `Changes need the header ${OWN_HEADER}: 1.`, { header: OWN_HEADER });
  requireJson(request);
}

/** The browser itself goes to another page; no script of the page it comes from sees the answer. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

function requireJson(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const bare = request.method === 'DELETE' && type === undefined;
  if (type !== 'application/json' && !bare)
    throw new AppError('bad_request', 'Changes are sent as JSON (header Content-Type: application/json).', {
      header: 'content-type',
    });
}

/** The configured origin, or the one that was asked. Missing, `null` and foreign ones are refused. */
function originAllowed(origin: string | null, host: string): boolean {
  if (origin === null || origin === 'null') return false;
  if (origin === config.publicOrigin) return true;
  const own = host.toLowerCase();
  // Without COLONNADE_ORIGIN a proxy that ends TLS and keeps the name may stand before us.
  if (config.publicOrigin === null) return origin === `http://${own}` || origin === `https://${own}`;
  // With it only that one counts: a page without TLS can be written by whoever is on the way. This machine is on no
  // way.
  return isLoopbackName(own) && origin === `${config.speaksTls ? 'https' : 'http'}://${own}`;
}
