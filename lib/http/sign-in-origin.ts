/** lib/http/request-filter.ts sets this header from the socket, whatever the client sent. */
export const ADDRESS_HEADER = 'x-colonnade-address';

/** Address and browser of a sign-in: for the list of sessions, and for counting attempts. */
export function readSignInOrigin(request: Request): { address: string; agent: string } {
  return {
    address: request.headers.get(ADDRESS_HEADER) ?? 'unknown',
    agent: request.headers.get('user-agent') ?? '',
  };
}
