import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Profile } from '@/lib/model/rules/policy';
import { listProfiles } from './list-profiles';

/** Returns one profile by its id. Errors: `not_found`. */
export const getProfile = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, id: string): Promise<Profile> => {
    const found = (await listProfiles(actor)).find((profile) => profile.id === id);
    if (!found) throw new AppError('not_found', 'There is no such profile.', { id });
    return found;
  },
);
