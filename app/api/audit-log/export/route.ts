import { z } from 'zod';
import { exportAudit } from '@/lib/audit-log/export-audit';
import { download } from '@/lib/http/download';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';
import { AUDIT_FORMATS } from '@/lib/model/audit-formats';

const query = AuditFilter.extend({ format: z.enum(AUDIT_FORMATS).default('jsonl') });

export const GET = handle({ query }, async ({ actor, query: { format, ...filter }, stillSignedIn }) =>
  download(await exportAudit(actor, filter, format), stillSignedIn),
);
