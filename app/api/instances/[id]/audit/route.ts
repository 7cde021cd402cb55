import { inFormat, refuseOfFile } from '@/app/api/in-format';
import { handle, WithId } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';
import { exportServer } from '@/lib/instances/export/export-server';
import { ServerFileQuery } from '@/lib/model/reports/file-query';

export const GET = handle({ params: WithId, query: ServerFileQuery }, ({ actor, params, query, ...asked }) => {
  const audit = () => auditServer(actor, params.id);
  const { table, format } = query;
  refuseOfFile(format, { table });
  return inFormat(asked, format, audit, (shape) => exportServer(actor, params.id, { ...shape, table }));
});
