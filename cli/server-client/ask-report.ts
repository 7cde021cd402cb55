import type { FindingsReport } from '@/lib/model/rules/findings';
import { ReportAnswer, SnapshotAnswer } from './answer-shapes';
import { createForeignError } from './ask-server';
import { EXCHANGE_LIMITS } from './exchange';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** A report may have to wait for files from an object store, or until findings are evaluated. */
const RETRY = { forMs: EXCHANGE_LIMITS.reportMs };

export const fetchSnapshot = (access: ServerAccess, snapshotId: string) =>
  keepAsking(access, { path: `/api/snapshots/${snapshotId}` }, SnapshotAnswer, RETRY);

export function askReport(access: ServerAccess, snapshotId: string, name: string, filter: Record<string, string> = {}) {
  const query = new URLSearchParams(filter).toString();
  const path = `/api/snapshots/${snapshotId}/reports/${name}${query === '' ? '' : `?${query}`}`;
  return keepAsking(access, { path, ms: EXCHANGE_LIMITS.reportMs }, ReportAnswer, RETRY);
}

/**
 * The findings of an answer. Throws CommandFailed for an answer without a list of rules, which a pipeline must not take
 * for one without violations.
 */
export function parseFindings({ origin }: ServerAccess, { report }: { report: object }): FindingsReport {
  const { rules } = report as Partial<FindingsReport>;
  const isKnown = (rule: { status?: unknown; strength?: unknown }) =>
    ['violated', 'passed', 'unknown'].includes(String(rule?.status)) && typeof rule.strength === 'string';
  if (!Array.isArray(rules) || !rules.every(isKnown))
    throw createForeignError(origin.origin, 'this version of the command does not know the shape of its findings');
  return report as FindingsReport;
}
