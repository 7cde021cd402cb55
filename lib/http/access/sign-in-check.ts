import type { IncomingMessage } from 'node:http';
import type { RouteTable } from '@/lib/http/route-table';
import { config } from '@/lib/runtime/config';
import { readBearerToken } from './bearer-token';
import { isAnonymous, resolveActor } from './resolve-actor';
import { readSessionToken } from './session-cookie';

/**
 * Paths that are answered without signing in, besides those of open routes: the pages of signing in and the files that
 * a browser needs for them. Every other path, by any method or header, is refused before Next sees it. This check
 * decides no permission: verbs check those, so a request that passes it wrongly still gets nothing.
 */
const OPEN_PAGES = [
  /^\/(sign-in|welcome)$/,
  /^\/_next\/static\/[\w./@~()[\]%+-]+$/,
  /^\/(icon|icon-32|icon-192|icon-512|icon-maskable-512|apple-touch-icon|preview|favicon)\.(png|ico|svg)$/,
  /^\/(manifest\.webmanifest|robots\.txt)$/,
];

/** Matches characters that may make a path mean another one than it looks like. */
const DECEIVING = /%|\.\.|\\|\/\//;

/** `path` as requested. With an escape or `..` it may mean another path, so it is not open. */
function isOpenPath(path: string, routes: RouteTable): boolean {
  if (DECEIVING.test(path)) return false;
  const ofPath = routes.find(path)?.methods.values() ?? [];
  return OPEN_PAGES.some((one) => one.test(path)) || [...ofPath].some(({ open }) => open);
}

/** Whether only a route can answer this path. */
const isPlainRoute = (path: string): boolean => !DECEIVING.test(path) && path.startsWith('/api/');

export const needsNoSignIn = (path: string, routes: RouteTable): boolean =>
  config.singleUser || isOpenPath(path, routes);

export async function isSignedIn({ headers, url = '' }: IncomingMessage): Promise<boolean> {
  const get = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  };
  // Only routes accept a token, and they check it themselves.
  const path = url.split('?', 1)[0]!;
  if (isPlainRoute(path) && !config.singleUser && readBearerToken({ get }) !== null) return true;
  // A route decides itself whether its request extends the session.
  const use = !url.startsWith('/api/');
  return !isAnonymous(await resolveActor({ get }, { use, tokens: false }));
}

/** Whether a person requests a page, as opposed to a program or a script. */
export function isPageRequest({ method, url = '/', headers }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  // Next itself requests parts of a page with the header `rsc`.
  const wantsPage = (headers.accept ?? '').includes('text/html') && headers.rsc === undefined;
  return isRead && wantsPage && !/^\/(api|_next)\//.test(url);
}

/**
 * Returns the address of the sign-in page that a person is redirected to, and that leads to the requested page
 * afterwards. It says that a session has ended if the browser still sends the cookie of one. null = a program or script, which gets an error.
 */
export function buildSignInAddress(request: IncomingMessage): string | null {
  if (!isPageRequest(request)) return null;
  const { url = '/', headers } = request;
  const ended = readSessionToken(headers.cookie ?? null, headers.host ?? '') === null ? [] : ['ended=1'];
  const next = url === '/' ? [] : [`next=${encodeURIComponent(url.slice(0, 2000))}`];
  const query = [...ended, ...next].join('&');
  return query === '' ? '/sign-in' : `/sign-in?${query}`;
}
