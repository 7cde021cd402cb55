import { formatUnevaluated } from '@/cli/output/findings-rows';
import { formatPartialReason } from '@/cli/output/partial-text';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { safe } from './units';

/**
 * Warnings for a pipeline that fails on `fails` and passes: rules of these strengths that were not evaluated do not
 * count as violated, and an incomplete scan has not seen all keys. Lines for stderr; empty if there is nothing to
 * report.
 */
export function warnNotJudged(manifest: SnapshotManifest, report: FindingsReport, fails: readonly Strength[]): string {
  const unknown = report.rules.filter((one) => fails.includes(one.strength) && one.status === 'unknown');
  const { partial, skipped, partialReasons } = manifest.coverage;
  const why = [
    ...(skipped.length > 0 ? [`nodes skipped: ${skipped.length}`] : []),
    ...partialReasons.map((reason) => safe(formatPartialReason(reason))),
  ];
  return [
    ...(partial
      ? [`The scan is incomplete: ${why.join('; ') || 'unfinished'}. Keys that were not read were not checked.`]
      : []),
    ...(fails.length > 0 && unknown.length > 0
      ? [`Not evaluated, because facts are missing: ${unknown.map(formatUnevaluated).join(', ')}.`]
      : []),
  ]
    .map((line) => `colonnade: ${line}\n`)
    .join('');
}
