import { describeChange } from '@/lib/deletions/journal/describe-change';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { PlanRequest } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { listItems, type StoredItem } from '@/lib/store/deletions/deletion-items';
import {
  deleteDeletion,
  deleteItems,
  getStoredDeletion,
  moveItems,
  replacePlan,
  updateDeletion,
} from '@/lib/store/deletions/deletions';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { makeUnrecordedPlan, recordPlan } from './make-plan';

/** How many items are read at once. */
const PAGE = 1000;
/** How many names of changed keys the error shows. */
const MAX_EXAMPLES = 5;

/**
 * Makes an old plan again and compares the two key by key, because equal sums can hide that every key is a different
 * one. If nothing changed, the approved list stays. Otherwise the new one replaces it, for a person to decide again.
 * Until then the old one stays valid, whatever fails. Errors: `plan_outdated`, `conflict`, and those of making a plan.
 */
export async function revalidatePlan(actor: Actor, plan: DeletionPlan): Promise<void> {
  const { task, instanceId, selection, options } = plan;
  const request = { task, instanceId, selection, options } as PlanRequest;
  const fresh = await makeUnrecordedPlan(actor, request).catch(async (error) => {
    // If somebody else confirmed the plan meanwhile, its deletion may have left nothing to plan; that is the error to
    // report.
    await runTransaction((tx) => assertPlanUnchanged(plan, tx));
    throw error;
  });
  try {
    const change = await compareItems(plan, fresh);
    const consents = fresh.consents.filter((consent) => !plan.consents.includes(consent));
    if (change.keys === 0 && consents.length === 0)
      await runTransaction(async (tx) => {
        await assertPlanUnchanged(plan, tx);
        const server = fresh.server && { server: fresh.server };
        await updateDeletion(plan.id, { plan: { ...plan, lookedAt: fresh.lookedAt, ...server } }, tx);
      });
    else {
      await replaceOldPlan(actor, plan, fresh);
      throw new AppError('plan_outdated', 'The keys have changed since the plan was made; it was made again.', {
        keysBefore: plan.totals.keys,
        keysNow: fresh.totals.keys,
        changed: change.keys,
        examples: change.examples,
        consents,
      });
    }
  } finally {
    await deleteDeletion(fresh.id);
  }
}

/**
 * Replaces the items under the id of the old plan. It may have a million items, so they are deleted and moved in
 * pieces. Until then neither plan can be confirmed; after an interruption both are swept, and nothing was decided.
 */
async function replaceOldPlan(actor: Actor, plan: DeletionPlan, fresh: DeletionPlan): Promise<void> {
  await runTransaction(async (tx) => {
    await assertPlanUnchanged(plan, tx);
    const replacing = Date.now();
    await updateDeletion(plan.id, { plan: { ...plan, replacing } }, tx);
    await updateDeletion(fresh.id, { plan: { ...fresh, replacing } }, tx);
  });
  await deleteItems(plan.id);
  await moveItems(fresh.id, plan.id);
  const isThere = await runTransaction(async (tx) => {
    const now = await getStoredDeletion(plan.id, tx);
    if (!now) return false;
    await recordPlan(actor, { ...fresh, id: plan.id }, tx);
    await replacePlan({ ...fresh, id: plan.id }, tx);
    return true;
  });
  // Somebody discarded the plan meanwhile.
  if (!isThere) await deleteItems(plan.id);
}

async function assertPlanUnchanged({ id, createdAt }: DeletionPlan, tx: Tx): Promise<void> {
  const now = await getStoredDeletion(id, tx);
  if (now?.state === 'planned' && now.plan.createdAt === createdAt && now.plan.replacing === undefined) return;
  throw new AppError('conflict', 'This plan was decided or made again meanwhile. Reload it.', { deletion: id });
}

/**
 * Compares two lists that follow the same selection: a key that is only in the old one is gone, and a key that differs
 * has changed.
 */
async function compareItems(plan: DeletionPlan, fresh: DeletionPlan): Promise<{ keys: number; examples: string[] }> {
  const tolerance = 'tolerancePercent' in plan.options ? plan.options.tolerancePercent : 10;
  const examples: string[] = [];
  let keys = 0;
  const count = (item: StoredItem) => {
    keys++;
    if (examples.length < MAX_EXAMPLES) examples.push(item.facts.name);
  };
  const now = walkPlanItems(fresh.id);
  let is = (await now.next()).value;
  for await (const was of walkPlanItems(plan.id)) {
    if (!is || is.db !== was.db || !is.name.equals(was.name)) {
      count(was);
      continue;
    }
    const look = { type: is.type, length: is.facts.length, bytes: is.facts.bytes };
    if (is.mode !== was.mode || describeChange(was, look, tolerance)) count(was);
    is = (await now.next()).value;
  }
  for (; is; is = (await now.next()).value) count(is);
  return { keys, examples };
}

async function* walkPlanItems(deletionId: string): AsyncGenerator<StoredItem, undefined> {
  for (let afterSeq: number | undefined; ; ) {
    const page = await listItems({ deletionId, afterSeq, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return undefined;
    afterSeq = page.at(-1)?.seq;
  }
}
