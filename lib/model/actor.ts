import { z } from 'zod';

/** Who asks. Independent of how someone signed in; until sign-in exists there is one local administrator. */
export const Actor = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['viewer', 'operator', 'admin']),
  via: z.enum(['page', 'api', 'cli', 'engine']),
});
export type Actor = z.infer<typeof Actor>;

export const LOCAL_ADMIN: Actor = { id: 'local', name: 'local admin', role: 'admin', via: 'page' };
export const ENGINE: Actor = { id: 'engine', name: 'engine', role: 'admin', via: 'engine' };
