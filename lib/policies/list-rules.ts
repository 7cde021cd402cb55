import type { Catalogue } from '@/lib/model/rules/rules';
import { catalogueInfo } from '@/lib/rules/catalogue-info';

/** What the standards say, in both languages. No secret, no role. */
export function listRules(): Catalogue {
  return catalogueInfo();
}
