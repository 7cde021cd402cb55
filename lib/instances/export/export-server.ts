import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import {
  factTable,
  isFactTable,
  type ServerAuditTable,
  type ServerTable,
  serverTable,
} from '@/lib/model/reports/server-tables';
import type { ReportTable } from '@/lib/model/reports/table';
import { englishTitle } from '@/lib/rules/catalogue';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { auditServer } from '../audit-server';
import { readServerFacts } from '../read-server-facts';

/**
 * What the servers report about themselves now, as a download: settings without secrets, and no command arguments that
 * are values.
 */
export const exportServer = verb(
  { needs: 'instance.read', on: ofInstance },
  async (
    actor: Actor,
    instanceId: string,
    { table = 'serverRules', format, signal }: FileShape & { table?: ServerTable | undefined },
  ): Promise<DownloadFile> => {
    const rows = isFactTable(table)
      ? factTable(table, await readServerFacts(actor, instanceId))
      : await auditTable(actor, instanceId, table);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(rows, { name: listFileName(`server-${table}`), format, signal, stillAllowed });
  },
);

async function auditTable(actor: Actor, instanceId: string, table: ServerAuditTable): Promise<ReportTable> {
  const { audit, findings } = await auditServer(actor, instanceId);
  return serverTable(table, audit, findings, englishTitle);
}
