import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { distinctInAudit } from '@/lib/store/audit';

const MAX_CHOICES = 500;

/** People and actions in the log, as choices for a filter, including people without an account. */
export const auditChoices = verb(
  { needs: 'audit.read', on: everywhere },
  async (_actor: Actor): Promise<{ people: string[]; actions: string[] }> => ({
    people: await distinctInAudit('actor_name', MAX_CHOICES),
    actions: await distinctInAudit('action', MAX_CHOICES),
  }),
);
