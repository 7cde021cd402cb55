import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';

/** Who asks. Until sign-in exists everyone who reaches this server is its one local administrator. */
export function actorOf(request: Request): Actor {
  // Browsers say where a request comes from; programs do not.
  return { ...LOCAL_ADMIN, via: request.headers.has('sec-fetch-site') ? 'page' : 'api' };
}
