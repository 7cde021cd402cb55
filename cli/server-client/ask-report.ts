import type { FindingsReport } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { ReportAnswer, SnapshotAnswer } from './answer-shapes';
import { foreign } from './ask-server';
import { EXCHANGE_LIMITS } from './exchange';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** Files that come from an object store, and findings that are being evaluated, take their time. */
const RETRY = { forMs: EXCHANGE_LIMITS.reportMs };

export const askSnapshotOf = (access: ServerAccess, snapshotId: string) =>
  keepAsking(access, { path: `/api/snapshots/${snapshotId}` }, SnapshotAnswer, RETRY);

export function askReport(access: ServerAccess, snapshotId: string, name: string, filter: Record<string, string> = {}) {
  const query = new URLSearchParams(filter).toString();
  const path = `/api/snapshots/${snapshotId}/reports/${name}${query === '' ? '' : `?${query}`}`;
  return keepAsking(access, { path, ms: EXCHANGE_LIMITS.reportMs }, ReportAnswer, RETRY);
}

/** A pipeline passes by these: what has no list of rules must not pass as one that breaks none. */
export function findingsIn({ origin }: ServerAccess, { report }: { report: object }): FindingsReport {
  const { rules } = report as Partial<FindingsReport>;
  const known = (one: { status?: unknown; strength?: unknown }) =>
    ['violated', 'passed', 'unknown'].includes(String(one?.status)) && typeof one.strength === 'string';
  if (!Array.isArray(rules) || !rules.every(known))
    throw foreign(origin.origin, 'this version of the command does not know the shape of its findings');
  return report as FindingsReport;
}

/** Server rules have no keys, group rules find groups: what counts is whether a rule of that strength is violated. */
export const violatesAny = (report: FindingsReport, fails: readonly Strength[]): boolean =>
  report.rules.some((rule) => rule.status === 'violated' && fails.includes(rule.strength));
