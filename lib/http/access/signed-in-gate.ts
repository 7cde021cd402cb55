import type { IncomingMessage } from 'node:http';
import { config } from '@/lib/config';
import { actorOf, isAnonymous } from './actor-of';
import { apiTokenOf } from './bearer';

/**
 * What the server answers to people who have not signed in: the pages and routes of signing in, whether the process
 * lives, metrics (which ask for a token themselves) and the files a browser needs for these pages. Everything else,
 * known or not and by whatever method or header, is refused before Next sees it. It is no boundary for rights: those
 * are asked in the verbs, so that what slips by here still gets nothing.
 */
const OPEN = [
  /^\/(sign-in|welcome)$/,
  /^\/api\/(health|session|welcome|welcome\/check)$/,
  /^\/api\/oidc(\/[a-z0-9-]{1,32}(\/callback)?)?$/,
  /^\/api\/messages\/[a-zA-Z-]{2,8}$/,
  /^\/metrics$/,
  /^\/_next\/static\/[\w./@~()[\]%+-]+$/,
  /^\/(icon|icon-32|icon-192|icon-512|icon-maskable-512|apple-touch-icon|preview|favicon)\.(png|ico|svg)$/,
  /^\/(manifest\.webmanifest|robots\.txt)$/,
];

const DECEIVING = /%|\.\.|\\|\/\//;

/** `path` as it was asked for: an escape or `..` makes it another one than it seems, so it is not open. */
export const isOpen = (path: string): boolean => !DECEIVING.test(path) && OPEN.some((one) => one.test(path));

/** Nothing but a route can answer it. */
const isPlainRoute = (path: string): boolean => !DECEIVING.test(path) && path.startsWith('/api/');

export const gateIsOpen = (path: string): boolean => config.singleUser || isOpen(path);

export async function isSignedIn({ headers, url = '' }: IncomingMessage): Promise<boolean> {
  const get = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  };
  // Who brings a token is asked by the route, and nowhere else is it taken.
  const path = url.split('?', 1)[0]!;
  if (isPlainRoute(path) && !config.singleUser && apiTokenOf({ get }) !== null) return true;
  // Of what goes to a route the route itself says whether it is somebody's doing.
  const use = !url.startsWith('/api/');
  return !isAnonymous(await actorOf({ get }, { use, tokens: false }));
}

/** A person who looks at a page: no program and no script. */
export function asksForPage({ method, url = '/', headers }: IncomingMessage): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  const page = (headers.accept ?? '').includes('text/html') && headers.rsc === undefined;
  return reads && page && !/^\/(api|_next)\//.test(url);
}

/** A person is led to the page of signing in, and back; programs and scripts get an error. */
export function signInAddress(request: IncomingMessage): string | null {
  if (!asksForPage(request)) return null;
  const { url = '/' } = request;
  return url === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(url.slice(0, 2000))}`;
}
