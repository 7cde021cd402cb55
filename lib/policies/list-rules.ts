import { verb } from '@/lib/auth/verb';
import { own } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Catalogue } from '@/lib/model/rules/rules';
import { catalogueInfo } from '@/lib/rules/catalogue-info';

/** What the standards say, in both languages. No secret, no role. */
export function listRules(): Catalogue {
  return catalogueInfo();
}

/** The same for whoever is signed in. */
export const readRules = verb(
  { needs: 'account.use', on: own },
  async (_actor: Actor): Promise<Catalogue> => listRules(),
);
