import { z } from 'zod';
import { listAudit } from '@/lib/audit-log/list-audit';
import { handle } from '@/lib/http/handle';

const query = z.object({ cursor: z.string().max(64).optional() });

export const GET = handle({ query }, ({ actor, query: { cursor } }) => listAudit(actor, { cursor: cursor ?? null }));
