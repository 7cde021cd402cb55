import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import type { Candidate } from './candidate';
import { CandidateReader } from './candidate-reader';
import { type PlanSnapshot, PlanSnapshotBuilder, type PlanSnapshotInput } from './plan-snapshot-builder';
import { createProtectionCheck } from './protected-names';
import { countSelectedKeys, readSelectedKeys } from './read-selected-keys';

/**
 * Large keys are revalidated one by one, up to this many. Small keys are counted if the scan has not counted them, and
 * a sample of them is read.
 */
const MAX_REVALIDATED = 1000;
const LARGE_BYTES = 1024 * 1024;
const LARGE_ELEMENTS = 5000;
/** How many small keys the sample has. */
const SAMPLE_SIZE = 200;

/** Writes the items of a plan page by page: it takes the same memory for ten keys or a million. */
export async function takePlanSnapshot(input: PlanSnapshotInput): Promise<PlanSnapshot> {
  const { request, session } = input;
  const reader = new CandidateReader(session, request.options.speed, request.instanceId);
  try {
    return await fillPlanSnapshot(reader, input);
  } finally {
    await reader.close();
  }
}

async function fillPlanSnapshot(reader: CandidateReader, input: PlanSnapshotInput): Promise<PlanSnapshot> {
  const { request, signal } = input;
  const builder = new PlanSnapshotBuilder(input);
  const findProtection = createProtectionCheck();
  const limit = config.deleteMaxKeys;
  await refuseTooManyKeys(input, limit);
  const sample: Candidate[] = [];
  let seenKeys = 0;
  let revalidated = 0;
  /** How many keys were candidates for the sample. */
  let sampleCandidates = 0;
  const addPage = async (keys: readonly Candidate[]) => {
    if (request.selection.by === 'filter')
      for (const key of keys) if (!key.isRead) sampleCandidates = drawIntoSample(sample, key, sampleCandidates);
    await builder.addKeys(keys);
  };
  /** The page whose elements the server counts while the previous page is written. */
  let counting: { keys: Candidate[]; counted: Promise<void> } | null = null;
  for await (const page of readSelectedKeys(request.instanceId, request.selection, signal)) {
    signal?.throwIfAborted();
    const keys: Candidate[] = [];
    for (const key of page) {
      if ('tooLong' in key) builder.exclude(createCodedMessage('name_too_long'), key.tooLong);
      else {
        const protection = findProtection(key);
        if (protection) builder.exclude(createCodedMessage(protection), key.name);
        else keys.push(key);
      }
    }
    seenKeys += keys.length;
    // The count goes on to the end: how far it is above the limit helps to decide whether to narrow the selection or to
    // raise the limit.
    if (seenKeys > limit) continue;
    const previousPage: typeof counting = counting;
    await previousPage?.counted;
    const isByFilter = request.selection.by === 'filter';
    const toRead = isByFilter ? keys.filter(isLarge).slice(0, Math.max(0, MAX_REVALIDATED - revalidated)) : keys;
    await reader.readFactsInto(toRead);
    revalidated += toRead.length;
    // Type alone would not distinguish the approved key from another one later, because many keys have the same type.
    const counted = reader.countElements(
      keys.filter((key) => !key.isRead && (key.type === null || key.length === null)),
    );
    // The result is awaited below, unless something else fails first.
    counted.catch(() => {});
    counting = { keys, counted };
    if (previousPage) await addPage(previousPage.keys);
  }
  await counting?.counted;
  if (seenKeys > limit) throw createTooManyError(seenKeys, limit);
  if (counting) await addPage(counting.keys);
  if (sample.length > 0) {
    await reader.readFactsInto(sample);
    const gone = sample.filter((key) => key.isGone).length;
    builder.notices.push(createCodedMessage('sample', { gone, sample: sample.length }));
    const denied = sample.filter((key) => key.isDenied).length;
    if (denied > 0) builder.notices.push(createCodedMessage('sample_denied', { denied, sample: sample.length }));
  }
  await builder.writeItems();
  return builder.buildSnapshot();
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
async function refuseTooManyKeys({ request, signal }: PlanSnapshotInput, limit: number): Promise<void> {
  if (config.protectedPatterns.length > 0) return;
  const found = await countSelectedKeys(request.instanceId, request.selection, { over: limit, signal });
  if (found !== null && found > limit) throw createTooManyError(found, limit);
}

/**
 * Puts a key into the sample or not. Every key has the same chance, whatever its position in the order of names.
 * `candidatesBefore`: how many keys were candidates before; returns that number with this key.
 */
function drawIntoSample(sample: Candidate[], key: Candidate, candidatesBefore: number): number {
  const index = candidatesBefore < SAMPLE_SIZE ? candidatesBefore : Math.floor(Math.random() * (candidatesBefore + 1));
  if (index < SAMPLE_SIZE) sample[index] = { ...key };
  return candidatesBefore + 1;
}

const isLarge = (key: Candidate) => (key.bytes ?? 0) >= LARGE_BYTES || (key.length ?? 0) >= LARGE_ELEMENTS;
