import path from 'node:path';
import type { ComparedGroup, Comparison } from '@/lib/model/comparison/comparison';
import type { Change } from '@/lib/model/comparison/comparison-words';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import type { Changes } from '@/lib/rules/compare/changes';
import { toChangeScope } from '@/lib/rules/compare/changes-scope';
import { comparePart } from '@/lib/rules/compare/find-changes';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { type ComparedRef, findCommonPart } from '@/lib/snapshots/compare/common-part';
import { compareGroups, countChanges, listChanged } from '@/lib/snapshots/compare/compare-groups';
import { compareKeys } from '@/lib/snapshots/compare/compare-keys';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { allowReading } from '@/lib/snapshots/query/duckdb';
import { describeSide, listRuleChanges } from './compare-snapshots';
import { addKeyChanges, describePrevious } from './find-changes';

/** A comparison with its largest groups, for the command line. */
export interface FolderComparison extends Comparison {
  prefixes: ComparedGroup[];
}

/**
 * Compares two snapshot folders that are in no store. `change`: only groups that differ in this way. Errors: `not_found`,
 * `snapshot_unreadable`, `bad_request` if they have nothing in common.
 */
export async function compareFolders(
  dirs: { now: string; before: string },
  profile: ProfileBody,
  { change, ...scope }: Pick<ReportQuery, 'prefix' | 'template'> & { change?: Change | undefined } = {},
): Promise<FolderComparison> {
  return withBoth(dirs, profile, async (now, before) => {
    const common = findCommonPart(now, before);
    const sums = await compareGroups(now, before, common, scope);
    const { changes } = await compareKeys(now, before, common, scope);
    const policy = toPolicy(profile);
    const findings = await comparePart(now, before, policy, toChangeScope(scope)!);
    return {
      now: describeSide(now, sums.totals.now),
      before: describeSide(before, sums.totals.before),
      notes: common.notes,
      groups: { prefix: countChanges(sums.groups.prefix), template: countChanges(sums.groups.template) },
      keys: changes,
      rules: listRuleChanges(findings, policy, now),
      prefixes: listChanged(sums.groups.prefix, change),
    };
  });
}

/** Adds to the findings of a snapshot folder what is new, fixed and gone since another one, under the same profile. */
export async function addFolderChanges(
  report: FindingsReport,
  dirs: { now: string; before: string },
  profile: ProfileBody,
  query: ReportQuery,
): Promise<FindingsReport> {
  const scope = toChangeScope(query);
  if (scope === null) return report;
  return withBoth(dirs, profile, async (now, before) => {
    const changes: Changes = await comparePart(now, before, toPolicy(profile), scope);
    const { id, endedAt, instanceId } = before.manifest;
    const row = { id, endedAt, instanceId: instanceId ?? '', jobId: null, state: 'sealed' as const };
    const unknown = { bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
    const summary = {
      ...row,
      ...unknown,
      startedAt: before.manifest.startedAt,
      keys: before.manifest.keys,
      partial: false,
    };
    return {
      ...report,
      previous: describePrevious(summary, report.policyHash, query),
      rules: report.rules.map((finding) => addKeyChanges(finding, changes)),
    };
  });
}

async function withBoth<T>(
  dirs: { now: string; before: string },
  profile: ProfileBody,
  use: (now: ComparedRef, before: ComparedRef) => Promise<T>,
): Promise<T> {
  const open = async (dir: string): Promise<ComparedRef> => ({
    dir: path.resolve(dir),
    manifest: await openOtherFolder(dir),
    bigkeys: getBigkeyThresholds(profile),
  });
  const before = await open(dirs.before);
  return use(await open(dirs.now), before);
}

/**
 * Reads the description of a folder that another one is compared with. Call it before that one is opened: a database
 * knows from its beginning what it may read. Errors: `not_found`, `snapshot_unreadable`.
 */
export function openOtherFolder(dir: string): Promise<SnapshotManifest> {
  allowReading(path.dirname(path.resolve(dir)));
  return readManifest(dir);
}
