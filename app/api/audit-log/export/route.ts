import { z } from 'zod';
import { exportAudit } from '@/lib/audit-log/export-audit';
import { download } from '@/lib/http/download';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';
import { FILE_FORMATS } from '@/lib/model/reports/file-formats';

const query = AuditFilter.extend({ format: z.enum(FILE_FORMATS).default('jsonl') });

export const GET = handle({ query }, async ({ actor, query: { format, ...filter }, request, stillSignedIn }) =>
  download(await exportAudit(actor, filter, format, request.signal), stillSignedIn),
);
