import { createHash } from 'node:crypto';
import type { AlertFacts, AlertRule } from '@/lib/model/alerts/alert';
import { append } from '@/lib/model/text/append';
import { escapeForeign } from '@/lib/model/text/escape-foreign';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import {
  deleteAlertRow,
  insertAlertRow,
  listOpenAlerts,
  type StoredAlert,
  updateAlertRow,
} from '@/lib/store/alerts/alerts';
import { generateId } from '@/lib/store/generate-id';
import type { Tx } from '@/lib/store/open-store';
import { queueAlerts } from './outbox';

/** New alerts of one rule and snapshot; the rest is one alert that says how many there are. */
const MAX_SUBJECTS = 50;
const MAX_SUBJECT_CHARACTERS = 300;
/** The key of the alert about the rest. */
const REST = '+';

/** What a rule says of one subject. A subject that is not named is good. */
export interface Judged {
  /** Identifies the subject within the rule and instance. */
  key: string;
  /** As it is shown; empty = the instance itself. */
  subject: string;
  team: string | null;
  /** `hold`: neither bad nor good, or unknown, so a firing alert stays as it is. */
  status: 'bad' | 'hold';
  /** Whether an alert may begin; otherwise the subject only keeps the one that it has. */
  mayBegin: boolean;
  /** How many there are now. The alert ends when there are no more than `facts.limit` had when it began. */
  count?: number;
  facts: AlertFacts;
}

export interface Judgement {
  rule: AlertRule;
  instance: { id: string; name: string } | null;
  /** null = it is judged by the clock. */
  snapshotId: string | null;
  judged: readonly Judged[];
  /** Only a part of the subjects is known, so those that are not named are not good: their alerts stay as they are. */
  isCut?: boolean;
}

export const NO_FACTS: AlertFacts = { value: null, limit: null, reason: null, more: 0 };

export const buildFingerprint = (ruleId: string, instanceId: string | null, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([ruleId, instanceId, key]))
    .digest('base64url');

const cut = (text: string): string => {
  const shown = escapeForeign(toWellFormed(text));
  return shown.length <= MAX_SUBJECT_CHARACTERS ? shown : `${shown.slice(0, MAX_SUBJECT_CHARACTERS)}…`;
};

/**
 * Moves the alerts of a rule on one instance to their next states and puts those that begin or end into messages, all
 * in one transaction. The same snapshot is counted once, however often it is judged.
 */
export async function applyJudgement(judgement: Judgement, now: number, tx: Tx): Promise<void> {
  const { rule, instance, snapshotId, judged, isCut = false } = judgement;
  const instanceId = instance?.id ?? null;
  const open = new Map((await listOpenAlerts(rule.id, instanceId, tx)).map((alert) => [alert.fingerprint, alert]));
  const changed: StoredAlert[] = [];
  const seen = new Set<string>();
  const beginning: Judged[] = [];
  for (const raw of judged) {
    // A reason may name a key.
    const reason = raw.facts.reason === null ? null : cut(raw.facts.reason);
    const one = { ...raw, facts: { ...raw.facts, reason } };
    const fingerprint = buildFingerprint(rule.id, instanceId, one.key);
    if (seen.has(fingerprint)) continue;
    const alert = open.get(fingerprint);
    if (alert) {
      if (one.count !== undefined && one.count <= (alert.facts.limit ?? 0)) continue;
      seen.add(fingerprint);
      append(changed, await keepAlert(alert, one, rule, snapshotId, now, tx));
    } else if (one.status === 'bad' && one.mayBegin) {
      seen.add(fingerprint);
      beginning.push(one);
    }
  }
  const build = (one: Judged) => buildAlert(one, judgement, now);
  for (const one of beginning.slice(0, MAX_SUBJECTS)) {
    const alert = build(one);
    await insertAlertRow(alert, tx);
    if (alert.state === 'firing') changed.push(alert);
  }
  const rest = open.get(buildFingerprint(rule.id, instanceId, REST));
  const more = beginning.length - MAX_SUBJECTS;
  // It is a notice about one snapshot, so it ends without a message at the next one.
  if (rest && rest.snapshotId !== snapshotId) await updateAlertRow({ ...rest, state: 'resolved', resolvedAt: now }, tx);
  if (more > 0) {
    const facts = { ...NO_FACTS, more };
    const alert = build({ key: REST, subject: '', team: null, status: 'bad', mayBegin: true, facts });
    const firing: StoredAlert = { ...alert, state: 'firing', firedAt: now };
    await insertAlertRow(firing, tx);
    changed.push(firing);
  }
  for (const alert of open.values())
    if (!isCut && !seen.has(alert.fingerprint) && alert !== rest)
      append(changed, await endAlert(alert, rule, snapshotId, now, tx));
  await queueAlerts(changed, now, tx);
}

const buildAlert = (
  { key, subject, team, facts }: Judged,
  { rule, instance, snapshotId }: Judgement,
  now: number,
): StoredAlert => {
  const fires = rule.forSnapshots <= 1;
  return {
    ...{ id: generateId(now), fingerprint: buildFingerprint(rule.id, instance?.id ?? null, key) },
    ...{ ruleId: rule.id, ruleName: rule.name, kind: rule.kind, metric: rule.metric, severity: rule.severity },
    ...{ instanceId: instance?.id ?? null, instanceName: instance?.name ?? null, subject: cut(subject), team },
    ...{ state: fires ? 'firing' : 'pending', facts, bad: 1, good: 0, snapshotId, since: now },
    ...{ firedAt: fires ? now : null, resolvedAt: null, acknowledgedAt: null, acknowledgedBy: null, queuedAt: null },
  };
};

/** Returns the alert if it begins to fire now. */
async function keepAlert(
  alert: StoredAlert,
  { status, mayBegin, count, facts }: Judged,
  rule: AlertRule,
  snapshotId: string | null,
  now: number,
  tx: Tx,
): Promise<StoredAlert[]> {
  const isAgain = snapshotId !== null && alert.snapshotId === snapshotId;
  if (status === 'hold') {
    if (alert.state === 'pending') await deleteAlertRow(alert.id, tx);
    else if (alert.good > 0) await updateAlertRow({ ...alert, good: 0, snapshotId }, tx);
    return [];
  }
  const bad = isAgain ? alert.bad : alert.bad + 1;
  const begins = alert.state === 'pending' && bad >= rule.forSnapshots;
  const isSame = count !== undefined && !mayBegin;
  const limit = count === undefined ? facts.limit : alert.facts.limit;
  const next: StoredAlert = { ...alert, facts: isSame ? alert.facts : { ...facts, limit }, bad, good: 0, snapshotId };
  if (begins) Object.assign(next, { state: 'firing', firedAt: now });
  // What is judged by the clock is judged each minute, and nothing of it changes.
  if (snapshotId !== null || begins) await updateAlertRow(next, tx);
  return begins ? [next] : [];
}

/** Returns the alert if it is resolved now. One that never fired is forgotten. */
async function endAlert(
  alert: StoredAlert,
  rule: AlertRule,
  snapshotId: string | null,
  now: number,
  tx: Tx,
): Promise<StoredAlert[]> {
  if (alert.state === 'pending') {
    await deleteAlertRow(alert.id, tx);
    return [];
  }
  if (snapshotId !== null && alert.snapshotId === snapshotId) return [];
  const good = alert.good + 1;
  const isOver = snapshotId === null || good >= rule.clearSnapshots;
  const next: StoredAlert = { ...alert, good, snapshotId };
  if (isOver) Object.assign(next, { state: 'resolved', resolvedAt: now });
  await updateAlertRow(next, tx);
  return isOver ? [next] : [];
}

/** Ends all alerts of a rule that is changed, switched off or removed, without a message. */
export async function endQuietly(ruleId: string, now: number, tx: Tx): Promise<void> {
  for (const alert of await listOpenAlerts(ruleId, undefined, tx)) {
    if (alert.state === 'pending') await deleteAlertRow(alert.id, tx);
    else await updateAlertRow({ ...alert, state: 'resolved', resolvedAt: now }, tx);
  }
}
