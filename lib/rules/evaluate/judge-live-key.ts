import type { LiveKey } from '@/lib/model/keys/live-key';
import { findKeyHeader, HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { type PolicyFacts, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { type CheckOptions, checkRows } from './check-rows';

const NOTHING_KNOWN: Pick<PolicyFacts, 'clustered' | 'moreCommands'> = { clustered: false };

/** Whether a string has a HyperLogLog header, as read now or by the scan; null if neither has read it. */
function hasHyperloglogHeader(live: LiveKey, newest: SnapshotManifest | null): boolean | null {
  if (live.preview?.kind === 'string') return live.preview.hyperloglog !== undefined;
  return live.length === HYPERLOGLOG_BYTES ? findKeyHeader(newest?.notHyperloglogs, live) : null;
}

/**
 * Evaluates the rules on the current facts of a key. What is known about its servers comes from `newest`, the snapshot
 * of the newest findings (null: there are none), so that both give a name the same verdict.
 */
export async function judgeLiveKey(
  policy: EffectivePolicy,
  live: LiveKey,
  key: Buffer,
  newest: SnapshotManifest | null,
  judgedBy: Pick<CheckOptions, 'lazyfreeLazyExpire' | 'taken'>,
): Promise<KeyVerdict | null> {
  const now = Date.now();
  const { clustered, moreCommands = [] } = newest === null ? NOTHING_KNOWN : toPolicyFacts(newest);
  const [verdict] = await checkRows(
    policy,
    [
      {
        name: live.name,
        raw: live.name === key.toString('utf8') ? null : key,
        nameBytes: live.nameBytes,
        type: live.type,
        encoding: live.encoding,
        expireAt: live.ttlMs === null ? null : now + live.ttlMs,
        expiryKnown: live.expiryKnown,
        bytes: live.bytes,
        length: live.length,
        idleSeconds: live.idleSeconds,
        hyperloglog: hasHyperloglogHeader(live, newest),
      },
    ],
    { asOf: now, ...judgedBy, clustered, moreCommands },
  );
  return verdict ?? null;
}
