import type { LiveKey } from '@/lib/model/keys/live-key';
import { findKeyHeader, HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { type CheckOptions, checkRows } from './check-rows';

/**
 * Whether a string begins with the header of a HyperLogLog: as the preview reads it now, otherwise as the scan read it.
 * null = not known from a header, or the scan found one; the length decides then.
 */
function hasHyperloglogHeader(live: LiveKey, newest: SnapshotManifest | null): boolean | null {
  if (live.preview?.kind === 'string') return live.preview.hyperloglog !== undefined;
  return live.length === HYPERLOGLOG_BYTES ? findKeyHeader(newest?.notHyperloglogs, live) : null;
}

/**
 * Evaluates the rules on the current facts of a key. Cluster mode and additional commands come from `newest`, the
 * newest snapshot (null = there is none), so that the key page and the findings give a name the same verdict. `current`
 * is what the server says now: its lazyfree-lazy-expire, and suggested names that exist already.
 */
export async function judgeLiveKey(
  policy: EffectivePolicy,
  live: LiveKey,
  key: Buffer,
  newest: SnapshotManifest | null,
  current: Pick<CheckOptions, 'lazyfreeLazyExpire' | 'taken'>,
): Promise<KeyVerdict> {
  const now = Date.now();
  const { clustered, moreCommands } = newest === null ? { clustered: false, moreCommands: [] } : toPolicyFacts(newest);
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
    { asOf: now, ...current, clustered, moreCommands },
  );
  return verdict!;
}
