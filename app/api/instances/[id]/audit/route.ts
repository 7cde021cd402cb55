import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';

export const GET = handle({ params: z.object({ id: Id }) }, ({ actor, params: { id } }) => auditServer(actor, id));
