import { verb } from '@/lib/auth/verb';
import { everywhere } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { distinctInAudit } from '@/lib/store/audit';

const MAX_CHOICES = 500;

/** Who and what stands in the log, to choose from; also who has no account any more. */
export const auditChoices = verb(
  { needs: 'audit.read', on: everywhere },
  async (_actor: Actor): Promise<{ people: string[]; actions: string[] }> => ({
    people: await distinctInAudit('actor_name', MAX_CHOICES),
    actions: await distinctInAudit('action', MAX_CHOICES),
  }),
);
