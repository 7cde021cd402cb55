import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import {
  evidenceTable,
  type RulePrefix,
  ruleGroupsTable,
  rulePrefixesTable,
} from '@/lib/model/reports/findings-tables';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportTable } from '@/lib/model/reports/table';
import type { GroupFinding, RuleFinding } from '@/lib/model/rules/findings';
import { getRuleFindings } from '@/lib/scans/get-findings';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { tableDownload } from '@/lib/snapshots/table-files/table-download';
import { allRows, PAGE_ROWS } from './all-rows';
import { exportName } from './export-name';

/**
 * Exports where one rule is violated: the prefixes of a key rule, the groups of a group rule, the evidence of a server
 * rule. Errors: `not_found` for a rule that is off, `too_large`.
 */
export const exportRuleFindings = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    rule: string,
    query: ReportQuery,
    { format, signal }: FileShape,
  ): Promise<DownloadFile> => {
    const manifest = await getSnapshot(actor, id);
    const seen: { finding: RuleFinding | null } = { finding: null };
    const rows = await allRows<RulePrefix | GroupFinding>(async (cursor) => {
      const asked = { ...query, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
      const { report } = await getRuleFindings(actor, id, rule, asked, signal);
      seen.finding = report.finding;
      return { rows: [...report.prefixes, ...report.groups], nextCursor: report.nextCursor };
    });
    const table = tableOfRule(seen.finding!, rows);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? '');
    return tableDownload(table, { name: exportName(manifest, `findings-${rule}`), format, signal, stillAllowed });
  },
);

/** A rule has prefixes or groups, never both. */
function tableOfRule({ kind, server }: RuleFinding, rows: (RulePrefix | GroupFinding)[]): ReportTable {
  if (kind === 'server') return evidenceTable(server?.evidence ?? []);
  return kind === 'group' ? ruleGroupsTable(rows as GroupFinding[]) : rulePrefixesTable(rows as RulePrefix[]);
}
