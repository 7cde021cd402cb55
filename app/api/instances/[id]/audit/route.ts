import { inFormat, refuseOfFile } from '@/app/api/in-format';
import { handle, WithId } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';
import { exportServer } from '@/lib/instances/export/export-server';
import { ServerFileQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Current configuration and statistics of the servers, checked against the server rules of the profile.',
    answer: 'audit, findings, or one table of them as a file.',
    params: WithId,
    query: ServerFileQuery,
  },
  ({ actor, params, query, ...asked }) => {
    const audit = () => auditServer(actor, params.id);
    const { table, format } = query;
    refuseOfFile(format, { table });
    return inFormat(asked, format, audit, (shape) => exportServer(actor, params.id, { ...shape, table }));
  },
);
