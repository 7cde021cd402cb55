import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { FindingsQuery } from '@/lib/model/comparison/since';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { buildOwnersTable, buildRulesTable, type FindingsTable } from '@/lib/model/reports/findings-tables';
import type { RuleFinding } from '@/lib/model/rules/findings';
import type { RuleArea } from '@/lib/model/rules/vocabulary';
import { getEnglishTitle } from '@/lib/rules/catalogue';
import { getFindings } from '@/lib/scans/get-findings';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { createTableDownload } from '@/lib/snapshots/table-files/table-download';
import { buildExportName } from './build-export-name';

/** The format of the file and the table in it. `only`: rules of that strength. `area`: rules of that area. */
interface FindingsFile extends FileShape {
  table?: FindingsTable | undefined;
  only?: RuleFinding['strength'] | undefined;
  area?: RuleArea | undefined;
}

const getTitle = ({ rule, title }: RuleFinding) => title ?? getEnglishTitle(rule);

/** Exports findings as a table: one row per rule that is on, violated or not, or one row per team. */
export const exportFindings = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    query: FindingsQuery,
    { format, table = 'rules', only, area, signal }: FindingsFile,
  ): Promise<DownloadFile> => {
    const manifest = await getSnapshot(actor, id);
    const { report } = await getFindings(actor, id, query, signal);
    const rules = report.rules.filter(
      (rule) => (only === undefined || rule.strength === only) && (area === undefined || rule.area === area),
    );
    const rows = table === 'owners' ? buildOwnersTable(report.owners) : buildRulesTable(rules, getTitle);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? '');
    return createTableDownload(rows, {
      name: buildExportName(manifest, `findings-${table}`),
      format,
      signal,
      stillAllowed,
    });
  },
);
