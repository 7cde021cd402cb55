import { recordAudit } from '@/lib/access/audit/record';
import { type VerbScope, verb } from '@/lib/access/auth/verb';
import {
  createVisibilityFilter,
  listVisibleInstanceIds,
  scopeToInstance,
  scopeToOwn,
} from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { AlertsAnswer, AlertsQuery, ShownAlert, Silence, SilenceInput } from '@/lib/model/alerts/alert';
import { AppError } from '@/lib/model/errors';
import { endSilenceRow, getSilenceRow, insertSilenceRow, listSilenceRows } from '@/lib/store/alerts/alert-rules';
import { countAlerts, getAlertRow, listAlertRows, type StoredAlert, updateAlertRow } from '@/lib/store/alerts/alerts';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { findRuleTitle } from './build-message';
import { findSilence } from './outbox';

const MAX_SILENCE_MS = 90 * 86_400_000;
const MAX_SILENCES = 500;
const DEFAULT_LIMIT = 100;

/** One page of the alerts of the instances that the person may see, newest first. */
export const listAlerts = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, query: AlertsQuery): Promise<AlertsAnswer> => {
    const { state = 'open', instanceId, limit = DEFAULT_LIMIT } = query;
    const visible = await listVisibleInstanceIds(actor);
    const instanceIds =
      instanceId === undefined ? visible : visible === undefined || visible.includes(instanceId) ? [instanceId] : [];
    const states = state === 'open' ? (['pending', 'firing'] as const) : (['resolved'] as const);
    const after = parseCursor(query.cursor);
    const rows = await listAlertRows({ instanceIds, states, after, limit: limit + 1 });
    const silences = await listSilenceRows(Date.now());
    const alerts = rows.slice(0, limit).map((row) => toAlert(row, silences));
    const last = rows.length > limit ? alerts.at(-1) : undefined;
    return {
      alerts,
      nextCursor: last ? `${last.since}.${last.id}` : null,
      open: await countAlerts(visible),
    };
  },
);

function parseCursor(cursor: string | undefined): { since: number; id: string } | null {
  if (cursor === undefined) return null;
  const [, since, id] = /^(\d{1,15})\.([a-z0-9]{1,40})$/.exec(cursor) ?? [];
  if (since === undefined || id === undefined)
    throw new AppError('bad_request', 'This is no cursor of a former answer.', { field: 'cursor' });
  return { since: Number(since), id };
}

const toAlert = (row: StoredAlert, silences: readonly Silence[]): ShownAlert => {
  const { bad: _, good: __, queuedAt: ___, ...alert } = row;
  return {
    ...alert,
    ruleTitle: findRuleTitle(alert),
    silencedBy: row.state === 'resolved' ? null : (findSilence(row, silences)?.reason ?? null),
  };
};

/** Says that somebody is at work on an alert, so that it is not sent again. Errors: `not_found`, `conflict` (it ended). */
export const acknowledgeAlert = verb(
  { needs: 'policy.edit', on: findAlertScope, action: 'alert.acknowledge' },
  async (actor: Actor, id: string): Promise<ShownAlert> =>
    runTransaction(async (tx) => {
      const alert = await requireAlert(id, tx);
      if (alert.state === 'resolved') throw new AppError('conflict', 'The alert has ended already.', { id });
      const next = {
        ...alert,
        acknowledgedAt: alert.acknowledgedAt ?? Date.now(),
        acknowledgedBy: alert.acknowledgedBy ?? actor.name,
      };
      await updateAlertRow(next, tx);
      const { instanceId, ruleName: name, subject } = alert;
      await recordAudit(tx, {
        actor,
        action: 'alert.acknowledge',
        subject: id,
        instanceId,
        details: { name, key: subject },
      });
      return toAlert(next, []);
    }),
);

async function findAlertScope(id: string): Promise<VerbScope | null> {
  const alert = await getAlertRow(id);
  return alert && { instanceId: alert.instanceId };
}

async function requireAlert(id: string, tx: Tx): Promise<StoredAlert> {
  const alert = await getAlertRow(id, tx);
  if (alert === null) throw new AppError('not_found', 'There is no such alert. It may have been forgotten.', { id });
  return alert;
}

/** Silences that have not ended, of all instances and of those that the person may see. */
export const listSilences = verb({ needs: 'account.use', on: scopeToOwn }, async (actor: Actor): Promise<Silence[]> => {
  const sees = await createVisibilityFilter(actor);
  return (await listSilenceRows(Date.now())).filter(({ instanceId }) => instanceId === null || sees(instanceId));
});

/** Errors: `bad_request` (its end), `too_large`. */
export const addSilence = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: SilenceInput) => scopeToInstance(instanceId),
    action: 'silence.add',
    subject: ({ reason }: SilenceInput) => reason,
  },
  async (actor: Actor, input: SilenceInput): Promise<Silence> => {
    const now = Date.now();
    if (input.endsAt <= now || input.endsAt > now + MAX_SILENCE_MS)
      throw new AppError('bad_request', 'A silence ends in the future, at most 90 days from now.', { field: 'endsAt' });
    return runTransaction(async (tx) => {
      if ((await listSilenceRows(now, tx)).length >= MAX_SILENCES)
        throw new AppError('too_large', `There are ${MAX_SILENCES} silences already.`);
      const silence = { ...input, id: generateId(now), author: actor.name, createdAt: now };
      await insertSilenceRow(silence, tx);
      const { reason, instanceId, endsAt } = input;
      const details = { rule: input.ruleId, team: input.team, key: input.subject, expiresAt: endsAt };
      await recordAudit(tx, { actor, action: 'silence.add', subject: reason, instanceId, details });
      return silence;
    });
  },
);

/** Ends a silence now. What still fires is then sent. Errors: `not_found`. */
export const endSilence = verb(
  { needs: 'policy.edit', on: findSilenceScope, action: 'silence.end' },
  async (actor: Actor, id: string): Promise<{ id: string }> =>
    runTransaction(async (tx) => {
      const silence = await getSilenceRow(id, tx);
      if (silence === null) throw new AppError('not_found', 'There is no such silence.', { id });
      await endSilenceRow(id, Date.now(), tx);
      const { reason, instanceId } = silence;
      await recordAudit(tx, { actor, action: 'silence.end', subject: reason, instanceId });
      return { id };
    }),
);

async function findSilenceScope(id: string): Promise<VerbScope | null> {
  const silence = await getSilenceRow(id);
  return silence && { instanceId: silence.instanceId };
}
