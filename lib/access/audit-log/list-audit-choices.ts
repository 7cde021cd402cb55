import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { listDistinctInAudit } from '@/lib/store/audit';

const MAX_CHOICES = 500;

/** People and actions in the log, as choices for a filter, including people without an account. */
export const listAuditChoices = verb(
  { needs: 'audit.read', on: scopeToAll },
  async (_actor: Actor): Promise<{ people: string[]; actions: string[] }> => ({
    people: await listDistinctInAudit('actor_name', MAX_CHOICES),
    actions: await listDistinctInAudit('action', MAX_CHOICES),
  }),
);
