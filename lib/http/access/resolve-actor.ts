import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { ADDRESS_HEADER } from '@/lib/http/sign-in-origin';
import { type Actor, ANONYMOUS, LOCAL_ADMIN } from '@/lib/model/actor';
import { config } from '@/lib/runtime/config';
import { readBearerToken } from './bearer-token';
import { readSessionToken } from './session-cookie';

/**
 * The header of requests that a page sends by itself, without an action of the person: they do not extend a session.
 */
const IDLE_HEADER = 'x-colonnade-idle';

interface Headers {
  get: (name: string) => string | null;
}

/**
 * The actor of a request, for routes, pages and the server's own answers. Only the session or the API token decides it,
 * no other header. `use` = the request is an action of a person and extends the session. `tokens` = an API token is
 * accepted; true for routes, false for pages.
 */
export async function resolveActor(headers: Headers, options: { use: boolean; tokens: boolean }): Promise<Actor> {
  const address = headers.get(ADDRESS_HEADER);
  const actor = await authenticate(headers, options);
  return address === null ? actor : { ...actor, address };
}

async function authenticate(headers: Headers, { use, tokens }: { use: boolean; tokens: boolean }): Promise<Actor> {
  // Browsers send this header, programs do not.
  const via = headers.get('sec-fetch-site') === null ? 'api' : 'page';
  if (config.singleUser) return { ...LOCAL_ADMIN, via };
  const bearer = tokens ? readBearerToken(headers) : null;
  if (bearer !== null) {
    const address = headers.get(ADDRESS_HEADER) ?? 'unknown';
    return (await findApiTokenActor(bearer, { address, use })) ?? { ...ANONYMOUS, via };
  }
  const token = readSessionToken(headers.get('cookie'), headers.get('host') ?? '');
  if (token === null) return { ...ANONYMOUS, via };
  const isUse = use && headers.get(IDLE_HEADER) !== '1' && headers.get('accept') !== 'text/event-stream';
  return (await findSessionActor(token, { via, use: isUse })) ?? { ...ANONYMOUS, via };
}

export const isAnonymous = ({ id }: Actor): boolean => id === ANONYMOUS.id;
