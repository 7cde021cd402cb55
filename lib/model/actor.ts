import { z } from 'zod';
import { GrantShape, RoleShape } from './access-shapes';
import { ENGINE_NAME, LOCAL_ADMIN_NAME } from './text/local-names';

/** Who makes a request, independent of how that person signed in. */
export const Actor = z.object({
  id: z.string(),
  name: z.string(),
  role: RoleShape,
  via: z.enum(['page', 'api', 'token', 'cli', 'engine']),
  /** Absent = no grants. */
  grants: z.array(GrantShape).readonly().optional(),
  /** The address that the request came from; absent = none. */
  address: z.string().optional(),
  /** Id of the session that was used; absent = none. */
  sessionId: z.string().optional(),
  /**
   * The identity provider that the session was started with, and when its person last proved their identity (epoch ms).
   */
  provider: z.string().optional(),
  confirmedAt: z.number().optional(),
  /** Id of the API token that was used; `tokenAndOwner` is then set, because the token and its owner limit each other. */
  tokenId: z.string().optional(),
  tokenAndOwner: z
    .array(z.object({ role: RoleShape, grants: z.array(GrantShape).readonly() }))
    .readonly()
    .optional(),
});
export type Actor = z.infer<typeof Actor>;

export const LOCAL_ADMIN: Actor = { id: 'local', name: LOCAL_ADMIN_NAME, role: 'admin', via: 'page' };
export const ENGINE: Actor = { id: 'engine', name: ENGINE_NAME, role: 'admin', via: 'engine' };
/** Nobody is signed in; every verb refuses this actor, except those that sign in. */
export const ANONYMOUS: Actor = { id: '', name: 'nobody', role: 'none', via: 'page' };
