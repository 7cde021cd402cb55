/** Set by the front door from the socket, whatever a client says (lib/http/front-door.ts). */
export const ADDRESS_HEADER = 'x-colonnade-address';

/** From where somebody signs in: for the list of sessions, and for counting tries. */
export function cameFrom(request: Request): { address: string; agent: string } {
  return {
    address: request.headers.get(ADDRESS_HEADER) ?? 'unknown',
    agent: request.headers.get('user-agent') ?? '',
  };
}
