import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { type FindingsTable, ownersTable, rulesTable } from '@/lib/model/reports/findings-tables';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { RuleFinding } from '@/lib/model/rules/findings';
import type { RuleArea } from '@/lib/model/rules/vocabulary';
import { englishTitle } from '@/lib/rules/catalogue';
import { getFindings } from '@/lib/scans/get-findings';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { tableDownload } from '@/lib/snapshots/table-files/table-download';
import { exportName } from './export-name';

/** What shapes the file besides the scope. `only`: rules of that strength. `area`: rules of that area. */
interface FindingsShape extends FileShape {
  table?: FindingsTable | undefined;
  only?: RuleFinding['strength'] | undefined;
  area?: RuleArea | undefined;
}

const titleOf = ({ rule, title }: RuleFinding) => title ?? englishTitle(rule);

/** Exports findings as a table: one row per rule that is on, violated or not, or one row per team. */
export const exportFindings = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    query: ReportQuery,
    { format, table = 'rules', only, area, signal }: FindingsShape,
  ): Promise<DownloadFile> => {
    const manifest = await getSnapshot(actor, id);
    const { report } = await getFindings(actor, id, query, signal);
    const rules = report.rules.filter(
      (rule) => (only === undefined || rule.strength === only) && (area === undefined || rule.area === area),
    );
    const rows = table === 'owners' ? ownersTable(report.owners) : rulesTable(rules, titleOf);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? '');
    return tableDownload(rows, { name: exportName(manifest, `findings-${table}`), format, signal, stillAllowed });
  },
);
