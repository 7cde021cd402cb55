import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { Limits } from '@/lib/snapshots/duckdb';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/with-source';
import { bigkeys } from './bigkeys';
import { idle } from './idle';
import { keys } from './keys';
import { overview } from './overview';
import { patterns } from './patterns';
import { slots } from './slots';
import { tree } from './tree';
import { ttl } from './ttl';
import { types } from './types';

type Reports = { [Name in ReportName]: (source: Source, query: ReportQuery) => Promise<ReportResults[Name]> };
const reports: Reports = { overview, tree, patterns, bigkeys, ttl, slots, types, idle, keys };

/** One question to one snapshot. The envelope says whether the scan still runs. */
export async function runReport<Name extends ReportName>(
  ref: SnapshotRef,
  name: Name,
  query: ReportQuery,
  limits: Limits = {},
): Promise<ReportEnvelope<ReportResults[Name]>> {
  const started = performance.now();
  return withSource(
    ref,
    async (source) => {
      const report = await reports[name](source, query);
      return {
        snapshotId: ref.manifest.id,
        live: source.live,
        asOf: source.asOf,
        keysInSnapshot: ref.manifest.keys,
        tookMs: Math.round(performance.now() - started),
        report,
      };
    },
    limits,
  );
}
