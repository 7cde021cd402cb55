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
const ITEMS_PER_PAGE = 1000;
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
  const newPlan = await makeUnrecordedPlan(actor, request).catch(async (error) => {
    // If somebody else confirmed the plan meanwhile, its deletion may have left nothing to plan; that is the error to
    // report.
    await runTransaction((tx) => assertPlanUnchanged(plan, tx));
    throw error;
  });
  try {
    const difference = await compareItems(plan, newPlan);
    const newConsents = newPlan.consents.filter((consent) => !plan.consents.includes(consent));
    if (difference.keys === 0 && newConsents.length === 0)
      await runTransaction(async (tx) => {
        await assertPlanUnchanged(plan, tx);
        const server = newPlan.server && { server: newPlan.server };
        await updateDeletion(plan.id, { plan: { ...plan, lookedAt: newPlan.lookedAt, ...server } }, tx);
      });
    else {
      await replaceOldPlan(actor, plan, newPlan);
      throw new AppError('plan_outdated', 'The keys have changed since the plan was made; it was made again.', {
        keysBefore: plan.totals.keys,
        keysNow: newPlan.totals.keys,
        changed: difference.keys,
        examples: difference.examples,
        consents: newConsents,
      });
    }
  } finally {
    await deleteDeletion(newPlan.id);
  }
}

/**
 * Replaces the items under the id of the old plan. It may have a million items, so they are deleted and moved in
 * pieces. Until then neither plan can be confirmed; after an interruption both are swept, and nothing was decided.
 */
async function replaceOldPlan(actor: Actor, plan: DeletionPlan, newPlan: DeletionPlan): Promise<void> {
  await runTransaction(async (tx) => {
    await assertPlanUnchanged(plan, tx);
    const replacing = Date.now();
    await updateDeletion(plan.id, { plan: { ...plan, replacing } }, tx);
    await updateDeletion(newPlan.id, { plan: { ...newPlan, replacing } }, tx);
  });
  await deleteItems(plan.id);
  await moveItems(newPlan.id, plan.id);
  const wasReplaced = await runTransaction(async (tx) => {
    const stored = await getStoredDeletion(plan.id, tx);
    if (!stored) return false;
    await recordPlan(actor, { ...newPlan, id: plan.id }, tx);
    await replacePlan({ ...newPlan, id: plan.id }, tx);
    return true;
  });
  // Somebody discarded the plan meanwhile.
  if (!wasReplaced) await deleteItems(plan.id);
}

async function assertPlanUnchanged({ id, createdAt }: DeletionPlan, tx: Tx): Promise<void> {
  const stored = await getStoredDeletion(id, tx);
  if (stored?.state === 'planned' && stored.plan.createdAt === createdAt && stored.plan.replacing === undefined) return;
  throw new AppError('conflict', 'This plan was decided or made again meanwhile. Reload it.', { deletion: id });
}

/**
 * Compares two lists that follow the same selection: a key that is only in the old one is gone, and a key that differs
 * has changed.
 */
async function compareItems(plan: DeletionPlan, newPlan: DeletionPlan): Promise<{ keys: number; examples: string[] }> {
  const tolerancePercent = 'tolerancePercent' in plan.options ? plan.options.tolerancePercent : 10;
  const examples: string[] = [];
  let changedKeys = 0;
  const count = (item: StoredItem) => {
    changedKeys++;
    if (examples.length < MAX_EXAMPLES) examples.push(item.facts.name);
  };
  const newItems = walkPlanItems(newPlan.id);
  let newItem = (await newItems.next()).value;
  for await (const oldItem of walkPlanItems(plan.id)) {
    if (!newItem || newItem.db !== oldItem.db || !newItem.name.equals(oldItem.name)) {
      count(oldItem);
      continue;
    }
    const facts = { type: newItem.type, length: newItem.facts.length, bytes: newItem.facts.bytes };
    if (newItem.mode !== oldItem.mode || describeChange(oldItem, facts, tolerancePercent)) count(oldItem);
    newItem = (await newItems.next()).value;
  }
  for (; newItem; newItem = (await newItems.next()).value) count(newItem);
  return { keys: changedKeys, examples };
}

async function* walkPlanItems(deletionId: string): AsyncGenerator<StoredItem, undefined> {
  for (let afterSeq: number | undefined; ; ) {
    const page = await listItems({ deletionId, afterSeq, limit: ITEMS_PER_PAGE });
    yield* page;
    if (page.length < ITEMS_PER_PAGE) return undefined;
    afterSeq = page.at(-1)?.seq;
  }
}
