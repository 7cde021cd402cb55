import { safe } from '@/cli/units';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatUnevaluated } from './findings-rows';
import { formatPartialReason } from './partial-text';

/**
 * Warnings for a pipeline that fails if rules of the strengths `fails` are violated: rules that were not evaluated do not
 * count as violated, and an incomplete scan has not read all keys. Lines for stderr; empty: there is nothing to report.
 */
export function formatFindingsWarnings(
  manifest: SnapshotManifest,
  report: FindingsReport,
  fails: readonly Strength[],
): string {
  const unknown = report.rules.filter(({ strength, status }) => fails.includes(strength) && status === 'unknown');
  const { partial, skipped, partialReasons } = manifest.coverage;
  const reasons = [
    ...(skipped.length > 0 ? [`nodes skipped: ${skipped.length}`] : []),
    ...partialReasons.map((reason) => safe(formatPartialReason(reason))),
  ];
  return [
    ...(partial
      ? [`The scan is incomplete: ${reasons.join('; ') || 'unfinished'}. Keys that were not read were not checked.`]
      : []),
    ...(unknown.length > 0
      ? [`Not evaluated, because facts are missing: ${unknown.map(formatUnevaluated).join(', ')}.`]
      : []),
  ]
    .map((line) => `colonnade: ${line}\n`)
    .join('');
}
