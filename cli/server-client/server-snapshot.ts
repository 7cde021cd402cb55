import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailed, EXIT } from '@/cli/exit';
import type { SnapshotSource } from '@/cli/snapshot-source';
import { safe } from '@/cli/units';
import { findNewestSealed } from '@/lib/model/reports/fleet';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { createForeignError } from './ask-server';
import { EXCHANGE_LIMITS } from './exchange';
import { findInstance } from './find-instance';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

const POLL_MS = 1000;

/** Whether there is a snapshot to compare with, and the comparison of single keys has not ended. */
const isBeingCompared = ({ previous, rules = [] }: Partial<FindingsReport>): boolean =>
  previous != null && Array.isArray(rules) && rules.some((rule) => rule?.kind === 'key' && rule.change == null);

/** One snapshot of a server. A report may have to wait for files from an object store, or for an evaluation. */
export function openSnapshotOfServer(access: ServerAccess, id: string): SnapshotSource {
  const limits = { forMs: EXCHANGE_LIMITS.reportMs, ms: EXCHANGE_LIMITS.reportMs };
  const isForeign = (what: string) =>
    createForeignError(access.origin.origin, `this version of the command does not know the shape of its ${what}`);
  return {
    readManifest: async () => (await keepAsking(access, 'GET /api/snapshots/{id}', { id }, limits)).snapshot,
    // The shape of a report depends on its name, and is checked by drawing it.
    readReport: async (report, query) =>
      (await keepAsking(access, 'GET /api/snapshots/{id}/reports/{report}', { id, report, query }, limits)) as never,
    readFindings: async (query: ReportQuery, since?: string) => {
      const sent = { id, query: { ...query, ...(since !== undefined && { since }) } };
      const until = performance.now() + EXCHANGE_LIMITS.reportMs;
      let { report } = await keepAsking(access, 'GET /api/snapshots/{id}/reports/findings', sent, limits);
      while (since !== undefined && isBeingCompared(report as Partial<FindingsReport>)) {
        if (performance.now() > until)
          throw new CommandFailed('The server is still comparing the findings. Try again later.', EXIT.failed);
        await wait(POLL_MS);
        ({ report } = await keepAsking(access, 'GET /api/snapshots/{id}/reports/findings', sent, limits));
      }
      // A pipeline must not take an answer without a list of rules for one without violations.
      const { rules } = report as Partial<FindingsReport>;
      const isKnown = (rule: { status?: unknown; strength?: unknown }) =>
        ['violated', 'passed', 'unknown'].includes(String(rule?.status)) && typeof rule.strength === 'string';
      if (!Array.isArray(rules) || !rules.every(isKnown)) throw isForeign('findings');
      return report as unknown as FindingsReport;
    },
    writeHtml: async (query) =>
      (await keepAsking(access, 'GET /api/snapshots/{id}/html-report', { id, query }, limits)).html,
    draw: (format) => {
      try {
        return format();
      } catch {
        throw isForeign('report');
      }
    },
  };
}

/** The newest snapshot of the whole keyspace of an instance (`latest`), or that with this id. Throws CommandFailed. */
export async function openServerSnapshot(
  access: ServerAccess,
  instance: string,
  wanted: string,
): Promise<SnapshotSource> {
  const { id } = await findInstance(access, instance);
  const { snapshots } = await keepAsking(access, 'GET /api/instances/{id}/snapshots', { id });
  const newest = findNewestSealed(snapshots);
  const latest = newest?.isPart ? null : newest;
  const found = wanted === 'latest' ? latest : snapshots.find((snapshot) => snapshot.id === wanted);
  if (found) return openSnapshotOfServer(access, found.id);
  throw new CommandFailed(
    wanted === 'latest'
      ? 'This instance has no snapshot of its whole keyspace yet: run colonnade scan.'
      : `This instance has no snapshot "${safe(wanted)}".`,
    EXIT.usage,
  );
}
