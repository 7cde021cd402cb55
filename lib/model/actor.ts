import { z } from 'zod';
import { GrantShape, RoleShape } from './access-shapes';
import { ENGINE_NAME, LOCAL_ADMIN_NAME } from './text/local-names';

/** Who asks, independent of how someone signed in. */
export const Actor = z.object({
  id: z.string(),
  name: z.string(),
  role: RoleShape,
  via: z.enum(['page', 'api', 'token', 'cli', 'engine']),
  /** Absent: none. */
  grants: z.array(GrantShape).readonly().optional(),
  /** From where the request came; absent where there is none. */
  address: z.string().optional(),
  /** Of the session that was used; absent where there is none. */
  sessionId: z.string().optional(),
  /** Of that session: with which identity provider it began, and when its person last showed who they are. */
  provider: z.string().optional(),
  confirmedAt: z.number().optional(),
  /** Of the API token that was used; then what the person has and what the token has bound each other. */
  tokenId: z.string().optional(),
  lowerOf: z
    .array(z.object({ role: RoleShape, grants: z.array(GrantShape).readonly() }))
    .readonly()
    .optional(),
});
export type Actor = z.infer<typeof Actor>;

export const LOCAL_ADMIN: Actor = { id: 'local', name: LOCAL_ADMIN_NAME, role: 'admin', via: 'page' };
export const ENGINE: Actor = { id: 'engine', name: ENGINE_NAME, role: 'admin', via: 'engine' };
/** Nobody has signed in; every verb refuses it but those that sign in. */
export const ANONYMOUS: Actor = { id: '', name: 'nobody', role: 'none', via: 'page' };
