import type { FindingsReport } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { ReportAnswer, SnapshotAnswer } from './answer-shapes';
import { createForeignError } from './ask-server';
import { EXCHANGE_LIMITS } from './exchange';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** Files from an object store and findings that are being evaluated take time. */
const RETRY = { forMs: EXCHANGE_LIMITS.reportMs };

export const fetchSnapshot = (access: ServerAccess, snapshotId: string) =>
  keepAsking(access, { path: `/api/snapshots/${snapshotId}` }, SnapshotAnswer, RETRY);

export function askReport(access: ServerAccess, snapshotId: string, name: string, filter: Record<string, string> = {}) {
  const query = new URLSearchParams(filter).toString();
  const path = `/api/snapshots/${snapshotId}/reports/${name}${query === '' ? '' : `?${query}`}`;
  return keepAsking(access, { path, ms: EXCHANGE_LIMITS.reportMs }, ReportAnswer, RETRY);
}

/**
 * Pipelines decide by these findings: an answer without a list of rules must not count as one without violations, so it
 * throws.
 */
export function parseFindings({ origin }: ServerAccess, { report }: { report: object }): FindingsReport {
  const { rules } = report as Partial<FindingsReport>;
  const known = (one: { status?: unknown; strength?: unknown }) =>
    ['violated', 'passed', 'unknown'].includes(String(one?.status)) && typeof one.strength === 'string';
  if (!Array.isArray(rules) || !rules.every(known))
    throw createForeignError(origin.origin, 'this version of the command does not know the shape of its findings');
  return report as FindingsReport;
}

/**
 * Whether a rule of these strengths is violated. Keys are not counted, because server rules have none and group rules
 * find groups.
 */
export const violatesAny = (report: FindingsReport, fails: readonly Strength[]): boolean =>
  report.rules.some((rule) => rule.status === 'violated' && fails.includes(rule.strength));
