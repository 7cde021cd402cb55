import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Catalogue } from '@/lib/model/rules/rules';
import { buildCatalogueInfo } from '@/lib/rules/catalogue-info';

/** Returns what the standards require, in both languages. It contains no secret, so it requires no role. */
export function listRules(): Catalogue {
  return buildCatalogueInfo();
}

/** Returns the same for signed-in users. */
export const readRules = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (_actor: Actor): Promise<Catalogue> => listRules(),
);
