import { createCodedMessage } from '@/lib/deletions/journal/item-journal';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import type { Candidate } from './candidate';
import { CandidateReader } from './candidate-reader';
import { chooseKeys, countChosen } from './choose-keys';
import { createProtectionCheck } from './protected-names';
import { type PlanSnapshot, type SnapshotInput, SnapshotTotals } from './snapshot-totals';

/**
 * Large keys are revalidated one by one, up to this many. Small keys are counted if the scan has not counted them, and
 * a sample of them is read.
 */
const MAX_REVALIDATED = 1000;
const LARGE_BYTES = 1024 * 1024;
const LARGE_ELEMENTS = 5000;
/** How many small keys the sample has. */
const SAMPLE = 200;

/** Writes the items of a plan page by page: it takes the same memory for ten keys or a million. */
export async function takePlanSnapshot(input: SnapshotInput): Promise<PlanSnapshot> {
  const { request, session } = input;
  const live = new CandidateReader(session, request.options.speed, request.instanceId);
  try {
    return await fillPlanSnapshot(live, input);
  } finally {
    await live.close();
  }
}

async function fillPlanSnapshot(live: CandidateReader, input: SnapshotInput): Promise<PlanSnapshot> {
  const { request, signal } = input;
  const totals = new SnapshotTotals(input);
  const protectedBy = createProtectionCheck();
  const limit = config.deleteMaxKeys;
  await refuseMore(input, limit);
  const sample: Candidate[] = [];
  let seen = 0;
  let revalidated = 0;
  /** How many keys were candidates for the sample. */
  let drawn = 0;
  const write = async (keys: readonly Candidate[]) => {
    if (request.selection.by === 'filter')
      for (const key of keys) if (!key.live) drawn = drawSample(sample, key, drawn);
    await totals.add(keys);
  };
  /** The server counts one page while the previous page is written. */
  let counting: { keys: Candidate[]; counted: Promise<void> } | null = null;
  for await (const page of chooseKeys(request.instanceId, request.selection, signal)) {
    signal?.throwIfAborted();
    const keys: Candidate[] = [];
    for (const key of page) {
      if ('tooLong' in key) totals.exclude(createCodedMessage('name_too_long'), key.tooLong);
      else {
        const why = protectedBy(key);
        if (why) totals.exclude(createCodedMessage(why), key.name);
        else keys.push(key);
      }
    }
    seen += keys.length;
    // The count goes on to the end: how far it is above the limit helps to decide whether to narrow the selection or to
    // raise the limit.
    if (seen > limit) continue;
    const before: typeof counting = counting;
    await before?.counted;
    const isByFilter = request.selection.by === 'filter';
    const toRead = isByFilter ? keys.filter(isLarge).slice(0, Math.max(0, MAX_REVALIDATED - revalidated)) : keys;
    await live.readFactsInto(toRead);
    revalidated += toRead.length;
    // Type alone would not distinguish the approved key from another one later, because many keys have the same type.
    const counted = live.count(keys.filter((key) => !key.live && (key.type === null || key.length === null)));
    // The result is awaited below, unless something else fails first.
    counted.catch(() => {});
    counting = { keys, counted };
    if (before) await write(before.keys);
  }
  await counting?.counted;
  if (seen > limit) throw createTooManyError(seen, limit);
  if (counting) await write(counting.keys);
  if (sample.length > 0) {
    await live.readFactsInto(sample);
    const gone = sample.filter((key) => key.gone).length;
    totals.notices.push(createCodedMessage('sample', { gone, sample: sample.length }));
    const denied = sample.filter((key) => key.denied).length;
    if (denied > 0) totals.notices.push(createCodedMessage('sample_denied', { denied, sample: sample.length }));
  }
  await totals.write();
  return totals.result();
}

const createTooManyError = (found: number, limit: number) =>
  new AppError('too_many_keys', `The selection holds ${found} keys; one plan takes at most ${limit}.`, {
    limit,
    found,
  });

/**
 * Refuses a selection that is too large before listing it: counting takes a second, listing so many keys takes minutes.
 * With protected patterns this is not possible, because only the list shows which names they match.
 */
async function refuseMore({ request, signal }: SnapshotInput, limit: number): Promise<void> {
  if (config.protectedPatterns.length > 0) return;
  const found = await countChosen(request.instanceId, request.selection, { over: limit, signal });
  if (found !== null && found > limit) throw createTooManyError(found, limit);
}

/**
 * Puts a key into the sample or not. Every key has the same chance, whatever its position in the order of names.
 * `drawn`: how many keys were candidates before; returns that number with this key.
 */
function drawSample(sample: Candidate[], key: Candidate, drawn: number): number {
  const index = drawn < SAMPLE ? drawn : Math.floor(Math.random() * (drawn + 1));
  if (index < SAMPLE) sample[index] = { ...key };
  return drawn + 1;
}

const isLarge = (key: Candidate) => (key.bytes ?? 0) >= LARGE_BYTES || (key.length ?? 0) >= LARGE_ELEMENTS;
