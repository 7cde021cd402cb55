import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { FindingsQuery } from '@/lib/model/comparison/since';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import {
  buildEvidenceTable,
  buildRuleGroupsTable,
  buildRulePrefixesTable,
  type RulePrefix,
} from '@/lib/model/reports/findings-tables';
import type { ReportTable } from '@/lib/model/reports/table';
import type { GroupFinding, RuleFinding } from '@/lib/model/rules/findings';
import { getRuleFindings } from '@/lib/scans/get-findings';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { createTableDownload } from '@/lib/snapshots/table-files/table-download';
import { buildExportName } from './build-export-name';
import { collectRows, PAGE_ROWS } from './collect-rows';

/**
 * Exports where one rule is violated: the prefixes of a key rule, the groups of a group rule, the evidence of a server
 * rule. Errors: `not_found` for a rule that is off, `too_large`.
 */
export const exportRuleFindings = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    rule: string,
    query: FindingsQuery,
    { format, signal }: FileShape,
  ): Promise<DownloadFile> => {
    const manifest = await getSnapshot(actor, id);
    const found: { finding: RuleFinding | null } = { finding: null };
    const rows = await collectRows<RulePrefix | GroupFinding>(async (cursor) => {
      const pageQuery = { ...query, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
      const { report } = await getRuleFindings(actor, id, rule, pageQuery, signal);
      found.finding = report.finding;
      return { rows: [...report.prefixes, ...report.groups], nextCursor: report.nextCursor };
    });
    const table = toRuleTable(found.finding!, rows);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? '');
    return createTableDownload(table, {
      name: buildExportName(manifest, `findings-${rule}`),
      format,
      signal,
      stillAllowed,
    });
  },
);

/** A rule has prefixes or groups, never both. */
function toRuleTable({ kind, server }: RuleFinding, rows: (RulePrefix | GroupFinding)[]): ReportTable {
  if (kind === 'server') return buildEvidenceTable(server?.evidence ?? []);
  return kind === 'group' ? buildRuleGroupsTable(rows as GroupFinding[]) : buildRulePrefixesTable(rows as RulePrefix[]);
}
