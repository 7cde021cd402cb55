import { z } from 'zod';
import { listAudit } from '@/lib/audit-log/list-audit';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';

const query = AuditFilter.extend({ cursor: z.string().max(64).optional() });

export const GET = handle({ query }, ({ actor, query: asked }) => listAudit(actor, asked));
