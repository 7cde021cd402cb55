import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { type ComparedRef, findCommonPart } from '@/lib/snapshots/compare/common-part';
import type { NameScope } from '@/lib/snapshots/compare/compare-groups';
import { compareKeys, type KeyDifferences } from '@/lib/snapshots/compare/compare-keys';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { cacheAnswer, getCachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { openCompared } from './open-compared';
import { startComparison } from './start-comparison';

/** Comparisons that are running now in this process. */
const running = new Map<string, Promise<KeyDifferences>>();

const toKey = (now: ComparedRef, before: ComparedRef, bigkeys: BigkeyThresholds, { prefix, template }: NameScope) =>
  JSON.stringify([path.resolve(now.dir), now.manifest.endedAt, before.manifest.id, bigkeys, 'keys', prefix, template]);

/** Returns how the keys of two snapshots differ; null: it is being computed. Errors: that with which it has failed. */
export async function readOrStartKeyDifferences(
  now: ComparedRef,
  before: ComparedRef,
  bigkeys: BigkeyThresholds,
  scope: NameScope,
): Promise<KeyDifferences | null> {
  const key = toKey(now, before, bigkeys, scope);
  const known = getCachedAnswer(key) as KeyDifferences | undefined;
  if (known !== undefined) return known;
  const [snapshotId, otherId] = [now.manifest.id, before.manifest.id];
  const wish = { kind: 'compare-keys' as const, snapshotId, otherId, bigkeys, scope };
  const compare = () => findKeyDifferences(snapshotId, otherId, bigkeys, scope);
  const answer = await startComparison<KeyDifferences>(wish, compare, { alone: Object.keys(scope).length > 0 });
  if (answer !== null) cacheAnswer(key, answer);
  return answer;
}

/** Compares the keys of two snapshots. Downloads the files it needs. Calls at the same time share one comparison. */
export async function findKeyDifferences(
  id: string,
  otherId: string,
  bigkeys: BigkeyThresholds,
  scope: NameScope,
): Promise<KeyDifferences> {
  for (const one of [id, otherId]) await bringKeys(one, { maxWaitMs: null });
  const [now, before] = [{ ...(await openCompared(id)), bigkeys }, await openCompared(otherId)];
  const key = toKey(now, before, bigkeys, scope);
  const comparing =
    running.get(key) ?? compareKeys(now, before, findCommonPart(now, before), scope).finally(() => running.delete(key));
  running.set(key, comparing);
  const differences = await comparing;
  cacheAnswer(key, differences);
  return differences;
}
