import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { TrendPin } from '@/lib/model/snapshots/trends';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { listSeries, pinSeries, unpinSeries } from '@/lib/store/trends/trends';

/** Each pinned path that is not among the largest costs a question after each scan. */
const MAX_PINS = 20;

const subject = (_instanceId: string, { key }: TrendPin) => key;

/**
 * Pins a prefix or template: it gets a point after each scan, however small it is, and a chart on the page of trends.
 * Errors: `not_found`; `too_large` if too many are pinned.
 */
export const pinTrend = verb(
  { needs: 'policy.edit', on: scopeToInstance, action: 'trend.pin', subject },
  async (actor: Actor, instanceId: string, pin: TrendPin): Promise<TrendPin> => {
    await runTransaction(async (tx) => {
      if ((await getInstanceRow(instanceId, tx)) === null)
        throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
      const pinned = (await listSeries(instanceId, ['prefix', 'template'], tx)).filter((one) => one.pinnedAt !== null);
      if (pinned.some(({ dim, key }) => dim === pin.dim && key === pin.key)) return;
      if (pinned.length >= MAX_PINS)
        throw new AppError('too_large', `At most ${MAX_PINS} can be pinned. Unpin one that is no longer needed.`);
      await recordAudit(tx, {
        actor,
        action: 'trend.pin',
        subject: pin.key,
        instanceId,
        details: { dim: pin.dim },
      });
      await pinSeries(instanceId, pin, Date.now(), tx);
    });
    return pin;
  },
);

/** Errors: `not_found` if it is not pinned. */
export const unpinTrend = verb(
  { needs: 'policy.edit', on: scopeToInstance, action: 'trend.unpin', subject },
  async (actor: Actor, instanceId: string, pin: TrendPin): Promise<TrendPin> => {
    await runTransaction(async (tx) => {
      if (!(await unpinSeries(instanceId, pin, tx)))
        throw new AppError('not_found', 'This is not pinned. It may have been unpinned.', { id: instanceId });
      await recordAudit(tx, {
        actor,
        action: 'trend.unpin',
        subject: pin.key,
        instanceId,
        details: { dim: pin.dim },
      });
    });
    return pin;
  },
);
