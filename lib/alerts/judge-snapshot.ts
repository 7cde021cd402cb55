import type { AlertRule } from '@/lib/model/alerts/alert';
import type { Metric } from '@/lib/model/alerts/vocabulary';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { beginsWith } from '@/lib/model/text/begins-with';
import { findChanges } from '@/lib/rules/compare/find-changes';
import { findEvaluated, readFindings } from '@/lib/rules/findings/read-findings';
import { listOwnedPrefixes } from '@/lib/rules/policy/owned-prefixes';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { type Judged, type Judgement, NO_FACTS } from './apply-judgement';

/** A snapshot, the one before, and what both are judged by. */
export interface JudgedSnapshot {
  row: SnapshotSummary;
  ref: SnapshotRef;
  /** The newest earlier snapshot of the whole keyspace; null = there is none. */
  previous: SnapshotRef | null;
  policy: EffectivePolicy;
  now: number;
  signal: AbortSignal;
}

/** The most bigkeys that are compared one by one. */
const MAX_BIGKEYS = 1000;
const DAY_MS = 86_400_000;

/**
 * Returns what a rule says of a snapshot; null = nothing can be said, so no state changes. A snapshot that is not
 * complete is only asked whether it is.
 */
export async function judgeSnapshot(
  rule: AlertRule,
  snapshot: JudgedSnapshot,
): Promise<Pick<Judgement, 'judged' | 'isCut'> | null> {
  if (rule.kind === 'partial') return { judged: snapshot.row.partial ? [judgeWhole('bad')] : [] };
  if (snapshot.row.partial) return null;
  if (rule.kind === 'newBigkey') return judgeNewBigkeys(snapshot);
  const judged =
    rule.kind === 'threshold'
      ? judgeThreshold(rule, snapshot.row)
      : rule.kind === 'newRule'
        ? await judgeNewFindings(snapshot)
        : rule.kind === 'stormAhead'
          ? await judgeStorms(rule, snapshot)
          : null;
  return judged && { judged };
}

/** About the instance as a whole. */
export const judgeWhole = (status: Judged['status'], facts: Partial<Judged['facts']> = {}): Judged => ({
  ...{ key: '', subject: '', team: null, status, mayBegin: true },
  facts: { ...NO_FACTS, ...facts },
});

const READ: Record<Metric, (row: SnapshotSummary) => number | null | undefined> = {
  keys: (row) => row.keys,
  bytes: (row) => row.bytes,
  bigkeys: (row) => row.bigkeys,
  noExpiryKeys: (row) => row.noExpiryKeys,
  mandatoryKeys: (row) => row.mandatoryKeys,
  score: (row) => row.score,
};

function judgeThreshold({ metric, direction, limit, clearAt }: AlertRule, row: SnapshotSummary): Judged[] | null {
  const value = metric === null ? null : (READ[metric](row) ?? null);
  if (value === null || limit === null) return null;
  const isBeyond = (bound: number) => (direction === 'above' ? value > bound : value < bound);
  if (isBeyond(limit)) return [judgeWhole('bad', { value, limit })];
  return isBeyond(clearAt ?? limit) ? [judgeWhole('hold', { value, limit })] : [];
}

/**
 * New findings of mandatory rules. If the comparison names all new keys of a rule, each team is judged by itself;
 * otherwise there is one alert about all of them. An alert ends when there are no more findings than before.
 */
async function judgeNewFindings({ ref, previous, policy, signal }: JudgedSnapshot): Promise<Judged[] | null> {
  if (previous === null) return null;
  const changes = await findChanges(ref, previous, policy, signal);
  const report = await readFindings(ref, policy, {}, signal);
  const wasEvaluated = (await findEvaluated(previous, policy)) !== null;
  const before = wasEvaluated ? await readFindings(previous, policy, {}, signal) : null;
  const teams = [...new Set(policy.owners.map(({ team }) => team))];
  const byTeam = new Map<string | null, FindingsReport>([[null, report]]);
  if (teams.length > 0)
    for (const team of [null, ...teams])
      byTeam.set(team, await readFindings(ref, policy, { owner: team ?? NO_OWNER }, signal));
  const findOwner = createOwnerFinder(policy);
  return report.rules
    .filter(({ strength }) => strength === 'mandatory')
    .flatMap((finding) => {
      if (finding.kind !== 'key') return judgeOtherFinding(finding, before);
      const { newKeys = 0, examples = [] } = changes[finding.rule] ?? {};
      const isNamed = newKeys <= examples.length;
      const whole = judgeCount(finding.rule, { key: [finding.rule], team: null }, finding.keys ?? 0, {
        newKeys: isNamed ? 0 : newKeys,
        example: examples[0],
      });
      const parts = [...byTeam].map(([team, { rules }]) => {
        const own = isNamed ? examples.filter((name) => findOwner(name) === team) : [];
        const keys = rules.find(({ rule }) => rule === finding.rule)?.keys ?? 0;
        const fresh = { newKeys: own.length, example: own[0] };
        return judgeCount(finding.rule, { key: [finding.rule, team], team }, keys, fresh);
      });
      return [whole, ...parts];
    });
}

/** The team of keys without an owner, in a filter. */
const NO_OWNER = '-';

const judgeCount = (
  rule: string,
  { key, team }: { key: unknown[]; team: string | null },
  keys: number,
  { newKeys, example }: { newKeys: number; example: string | undefined },
): Judged => ({
  ...{ key: JSON.stringify(key), subject: rule, team, status: 'bad', mayBegin: newKeys > 0, count: keys },
  facts: { ...NO_FACTS, value: newKeys, limit: keys - newKeys, reason: example?.slice(0, 200) ?? null },
});

/** A rule about groups or the server: it is new if it was not violated before, under the same policy. */
function judgeOtherFinding({ rule, status, keys }: RuleFinding, before: FindingsReport | null): Judged[] {
  if (status === 'passed') return [];
  const was = before?.rules.find((one) => one.rule === rule)?.status;
  return [
    {
      key: JSON.stringify([rule, null]),
      subject: rule,
      team: null,
      status: status === 'violated' ? 'bad' : 'hold',
      mayBegin: was === 'passed',
      facts: { ...NO_FACTS, value: keys },
    },
  ];
}

/** Returns a function that finds the team of a key by the name as it is shown; null = it has no owner. */
function createOwnerFinder(policy: EffectivePolicy): (name: string) => string | null {
  const prefixes = listOwnedPrefixes(policy);
  return (name) => {
    let best: { prefix: string; team: string } | null = null;
    for (const one of prefixes)
      if (beginsWith(name, one.prefix) && (best === null || one.prefix.length >= best.prefix.length)) best = one;
    return best?.team ?? null;
  };
}

const readBigkeys = async (ref: SnapshotRef, { policy, signal }: JudgedSnapshot, more = {}): Promise<BigkeysReport> => {
  const query = { limit: MAX_BIGKEYS, ...more };
  return (await runReport({ ...ref, bigkeys: getPolicyThresholds(policy) }, 'bigkeys', query, { signal })).report;
};
const toKey = ({ db, k, name }: BigkeyRow) => JSON.stringify([db, k ?? name]);

/** Checks of single keys; when there are more new bigkeys, the rest begins no alert. */
const MAX_CHECKS = 60;

async function judgeNewBigkeys(snapshot: JudgedSnapshot): Promise<Pick<Judgement, 'judged' | 'isCut'> | null> {
  const { previous, policy } = snapshot;
  if (previous === null) return null;
  const now = await readBigkeys(snapshot.ref, snapshot);
  const before = await readBigkeys(previous, snapshot);
  const known = new Set(before.rows.map(toKey));
  const findOwner = createOwnerFinder(policy);
  const judged: Judged[] = [];
  let checks = 0;
  for (const row of now.rows) {
    let mayBegin = !known.has(toKey(row));
    // The list of the snapshot before is cut, so it may have been a bigkey although it is not in the list.
    if (mayBegin && before.nextCursor !== null)
      mayBegin = checks++ < MAX_CHECKS && !(await wasBigkey(row, previous, snapshot));
    const facts = { ...NO_FACTS, value: row.bytes };
    judged.push({ key: toKey(row), subject: row.name, team: findOwner(row.name), status: 'bad', mayBegin, facts });
  }
  return { judged, isCut: now.nextCursor !== null };
}

async function wasBigkey({ name, db }: BigkeyRow, previous: SnapshotRef, snapshot: JudgedSnapshot): Promise<boolean> {
  const report = await readBigkeys(previous, snapshot, { prefix: name, exact: true, db: [db], limit: 1 });
  return report.rows.length > 0;
}

/** Storms that are still ahead, and bigkeys that will block the server when they expire. */
async function judgeStorms({ share }: AlertRule, snapshot: JudgedSnapshot): Promise<Judged[]> {
  const { ref, row, policy, now, signal } = snapshot;
  const { report } = await runReport(ref, 'ttl', {}, { signal });
  const findOwner = createOwnerFinder(policy);
  const storms = report.storms.filter(({ minute, keys }) => minute > now && keys >= (share ?? 0) * row.keys);
  const bigkeys = (await readBigkeys(ref, snapshot)).rows.filter(
    ({ hazards, expireAt }) =>
      hazards.includes('expires_blocking') && expireAt !== null && expireAt > now && expireAt < now + DAY_MS,
  );
  return [
    ...storms.map(({ prefix, minute, keys }) => ({
      ...{ key: JSON.stringify([prefix, minute]), subject: prefix, team: findOwner(prefix) },
      ...{ status: 'bad' as const, mayBegin: true, facts: { ...NO_FACTS, value: keys, limit: minute } },
    })),
    ...bigkeys.map((key) => ({
      ...{ key: JSON.stringify(['bigkey', toKey(key)]), subject: key.name, team: findOwner(key.name) },
      ...{ status: 'bad' as const, mayBegin: true },
      facts: { ...NO_FACTS, value: key.bytes, limit: key.expireAt, reason: 'expiringBigkey' },
    })),
  ];
}
