import { actorOfApiToken } from '@/lib/auth/api-tokens';
import { actorOfToken } from '@/lib/auth/sessions';
import { config } from '@/lib/config';
import { ADDRESS_HEADER } from '@/lib/http/came-from';
import { type Actor, ANONYMOUS, LOCAL_ADMIN } from '@/lib/model/actor';
import { apiTokenOf } from './bearer';
import { sessionToken } from './session-cookie';

/** What a page sends with questions that nobody's hand has started: they keep no session from ending. */
export const IDLE_HEADER = 'x-colonnade-idle';

interface Headers {
  get: (name: string) => string | null;
}

/**
 * Who asks: the one door for routes, pages and whatever the server answers by itself. Only the session or the token
 * says it, no other header. `use`: this is somebody's doing. `tokens`: whether this may be asked with a token at all,
 * which is so for routes and never for pages.
 */
export async function actorOf(headers: Headers, asked: { use: boolean; tokens: boolean }): Promise<Actor> {
  const address = headers.get(ADDRESS_HEADER);
  const actor = await whoAsks(headers, asked);
  return address === null ? actor : { ...actor, address };
}

async function whoAsks(headers: Headers, { use, tokens }: { use: boolean; tokens: boolean }): Promise<Actor> {
  // Browsers say where a request comes from; programs do not.
  const via = headers.get('sec-fetch-site') === null ? 'api' : 'page';
  if (config.singleUser) return { ...LOCAL_ADMIN, via };
  const bearer = tokens ? apiTokenOf(headers) : null;
  if (bearer !== null) {
    const address = headers.get(ADDRESS_HEADER) ?? 'unknown';
    return (await actorOfApiToken(bearer, { address, use })) ?? { ...ANONYMOUS, via };
  }
  const token = sessionToken(headers.get('cookie'), headers.get('host') ?? '');
  if (token === null) return { ...ANONYMOUS, via };
  const used = use && headers.get(IDLE_HEADER) !== '1' && headers.get('accept') !== 'text/event-stream';
  return (await actorOfToken(token, { via, use: used })) ?? { ...ANONYMOUS, via };
}

export const isAnonymous = ({ id }: Actor): boolean => id === ANONYMOUS.id;
