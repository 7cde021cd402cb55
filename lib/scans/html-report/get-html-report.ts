import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { HtmlReportQuery } from '@/lib/model/reports/file-query';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { getStandardPolicy } from '@/lib/rules/policy/standard-policies';
import { buildExportName } from '@/lib/scans/export/build-export-name';
import { getFindings } from '@/lib/scans/get-findings';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { querySnapshot } from '@/lib/scans/query-snapshot';
import { writeInstanceReport } from './write-instance-report';
import { writeStandardReport } from './write-standard-report';

/**
 * Writes a snapshot as an HTML file for people who do not sign in: the instance, the keys of one team, or one standard
 * statement by statement. Errors: `bad_request` while the scan runs; those of `getFindings`.
 */
export const getHtmlReport = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    { language, team, standard }: HtmlReportQuery,
    signal?: AbortSignal,
  ): Promise<{ html: string; filename: string }> => {
    const manifest = await getSnapshot(actor, id);
    if (manifest.state !== 'sealed')
      throw new AppError('bad_request', 'The scan is still running. Its report can be written when it has ended.');
    const filename = (kind: string) => `${buildExportName(manifest, kind)}.html`;
    if (standard !== undefined) {
      const policy = getStandardPolicy(standard);
      const findings = await querySnapshot(actor, id, (ref) => readFindings(ref, policy, {}), signal);
      return {
        html: writeStandardReport({ manifest, standard, findings }, language),
        filename: filename(`standard-${standard}`),
      };
    }
    const query = team === undefined ? {} : { owner: team };
    const [overview, bigkeys, findings] = await Promise.all([
      getReport(actor, id, 'overview', query, signal),
      getReport(actor, id, 'bigkeys', { ...query, limit: 20 }, signal),
      getFindings(actor, id, query, signal),
    ]);
    // Otherwise a misspelt name would be a report of a team without a fault.
    if (team !== undefined && overview.report.keys === 0)
      throw new AppError('bad_request', `No key of this snapshot belongs to the team "${team}".`, { team });
    const facts = { manifest, overview: overview.report, bigkeys: bigkeys.report, findings: findings.report };
    return {
      html: writeInstanceReport({ ...facts, team: team ?? null }, language),
      filename: filename(team === undefined ? 'report' : 'team-report'),
    };
  },
);
