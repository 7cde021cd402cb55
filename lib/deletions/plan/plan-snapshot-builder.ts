import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { Hazard } from '@/lib/model/deletions/deletion-item';
import type { DeletionPlan, PlanEstimate, PlanTotals } from '@/lib/model/deletions/deletion-plan';
import type {
  Consent,
  DeletionMode,
  DeletionOptions,
  ExpireOptions,
  PlanRequest,
} from '@/lib/model/deletions/plan-request';
import type { RedisSession } from '@/lib/redis/connection/session';
import { insertItems, type NewItem } from '@/lib/store/deletions/deletion-items';
import { runTransaction } from '@/lib/store/open-store';
import type { Candidate } from './candidate';
import { chooseMode } from './choose-mode';
import { Estimator, toEstimateRanges } from './estimate-plan';
import { ExpiryPlan, listExpiryHazards } from './expiry-plan';
import type { MeasuredSpeeds } from './measured-speed';
import type { ServerConstraints } from './server-constraints';

/** For each of these modes the plan shows what the deletion would cost if all keys were deleted in it. */
const COMPARED_MODES: DeletionMode[] = ['archive', 'quarantine', 'drain', 'unlink'];
/** How many names are kept as examples of each reason. */
const MAX_EXAMPLES = 5;
/** How many items are written at once. Each write is synced, which takes about 20 ms for this many. */
const ITEMS_PER_WRITE = 4000;

export interface PlanSnapshot {
  totals: Omit<PlanTotals, 'instanceKeys'>;
  estimate: PlanEstimate;
  prices: NonNullable<DeletionPlan['prices']>;
  hazards: DeletionPlan['hazards'];
  excluded: DeletionPlan['excluded'];
  notices: CodedMessage[];
  consents: Set<Consent>;
  modes: Set<DeletionMode>;
  types: Set<string>;
  expiries: DeletionPlan['expiries'];
}

export interface PlanSnapshotInput {
  id: string;
  request: PlanRequest;
  session: RedisSession;
  constraints: ServerConstraints;
  measured: MeasuredSpeeds;
  /** Aborts when the caller is gone. */
  signal: AbortSignal | undefined;
}

/** Adds up the totals of a plan, and buffers its items until they are written to the store. */
export class PlanSnapshotBuilder {
  readonly notices: CodedMessage[] = [];
  private seq = 0;
  private unwrittenItems: NewItem[] = [];
  private elements: number | null = 0;
  private bytes: number | null = 0;
  private readonly keysByMode = new Map<DeletionMode, number>();
  private readonly keysByType = new Map<string, number>();
  private readonly hazards = new Map<Hazard, { keys: number; bytes: number | null }>();
  private readonly excluded = new Map<string, { reason: CodedMessage; keys: number; examples: string[] }>();
  private readonly consents = new Set<Consent>();
  private readonly estimator: Estimator;
  private readonly prices: { mode: DeletionMode; estimator: Estimator }[];
  private readonly expiryPlan: ExpiryPlan | null;

  constructor(private readonly input: PlanSnapshotInput) {
    const { request } = this.input;
    const createEstimator = (mode: DeletionMode | 'expire') =>
      new Estimator(request.options.speed, {
        roundTripMs: input.constraints.roundTripMs,
        measured: input.measured.get(mode) ?? null,
      });
    this.estimator = createEstimator('mode' in request.options ? request.options.mode : 'expire');
    this.prices = COMPARED_MODES.map((mode) => ({ mode, estimator: createEstimator(mode) }));
    this.expiryPlan = request.task === 'expire' ? new ExpiryPlan(input.id, request.options as ExpireOptions) : null;
  }

  exclude(reason: CodedMessage, example: string): void {
    const id = JSON.stringify(reason);
    const exclusion = this.excluded.get(id) ?? { reason, keys: 0, examples: [] };
    exclusion.keys++;
    if (exclusion.examples.length < MAX_EXAMPLES) exclusion.examples.push(example);
    this.excluded.set(id, exclusion);
  }

  async addKeys(keys: readonly Candidate[]): Promise<void> {
    for (const key of keys) {
      const item =
        key.isGone || key.isDenied
          ? this.excludeAbsent(key)
          : this.expiryPlan
            ? this.planExpiry(key)
            : this.planDeletion(key);
      if (item) this.unwrittenItems.push(item);
    }
    if (this.unwrittenItems.length >= ITEMS_PER_WRITE) await this.writeItems();
  }

  /** Writes the items that were added since the last write. */
  async writeItems(): Promise<void> {
    const items = this.unwrittenItems;
    this.unwrittenItems = [];
    if (items.length > 0) await runTransaction((tx) => insertItems(this.input.id, items, tx));
  }

  private excludeAbsent(key: Candidate): null {
    this.exclude(createCodedMessage(key.isDenied ? 'denied_key' : 'gone'), key.name);
    return null;
  }

  private planDeletion(key: Candidate): NewItem | null {
    const options = this.input.request.options as DeletionOptions;
    const choice = chooseMode(key, options, this.input.constraints, Date.now());
    if (choice.excluded || !choice.mode) {
      this.exclude(choice.excluded ?? createCodedMessage('unknown'), key.name);
      return null;
    }
    for (const consent of choice.consents) this.consents.add(consent);
    for (const hazard of choice.hazards) this.countHazard(hazard, key);
    this.keysByMode.set(choice.mode, (this.keysByMode.get(choice.mode) ?? 0) + 1);
    this.estimator.add(key, choice.mode);
    // A key that cannot be deleted in the requested mode has its own mode in each of the prices.
    for (const { mode, estimator } of this.prices) estimator.add(key, choice.modeReason ? choice.mode : mode);
    return this.addItem(key, {
      mode: choice.mode,
      modeReason: choice.modeReason,
      hazards: choice.hazards,
      newExpireAt: null,
    });
  }

  private countHazard(hazard: Hazard, key: Candidate): void {
    const sums = this.hazards.get(hazard) ?? { keys: 0, bytes: 0 };
    sums.keys++;
    sums.bytes = addKnown(sums.bytes, key.bytes);
    this.hazards.set(hazard, sums);
  }

  private planExpiry(key: Candidate): NewItem | null {
    const { only } = this.input.request.options as ExpireOptions;
    if (!this.input.constraints.scripts) {
      this.exclude(createCodedMessage('scripts_denied'), key.name);
      return null;
    }
    if (!key.expiryKnown) {
      this.exclude(createCodedMessage('expiry_unknown'), key.name);
      return null;
    }
    if (only === 'none' && key.expireAt !== null) {
      this.exclude(createCodedMessage('has_expiry'), key.name);
      this.expiryPlan?.countUnchanged(key);
      return null;
    }
    const newExpireAt = this.expiryPlan?.assignOffset(key) ?? null;
    const hazards = listExpiryHazards(key, newExpireAt, this.input.constraints);
    for (const hazard of hazards) {
      this.countHazard(hazard, key);
      this.consents.add(hazard);
    }
    return this.addItem(key, { mode: null, modeReason: null, hazards, newExpireAt });
  }

  /** Adds a key to the totals and returns its item. */
  private addItem(
    key: Candidate,
    planned: { mode: DeletionMode | null } & Pick<NewItem['facts'], 'modeReason' | 'hazards' | 'newExpireAt'>,
  ): NewItem {
    const { mode, modeReason, hazards, newExpireAt } = planned;
    // The length of a string is bytes, so it counts as one element.
    this.elements = addKnown(this.elements, key.type === 'string' ? 1 : key.length);
    this.bytes = addKnown(this.bytes, key.bytes);
    const type = key.type ?? 'unknown';
    this.keysByType.set(type, (this.keysByType.get(type) ?? 0) + 1);
    const facts = {
      name: key.name,
      nameBytes: key.nameBytes,
      address: key.address,
      encoding: key.encoding,
      length: key.length,
      bytes: key.bytes,
      expireAt: key.expireAt,
      expiryKnown: key.expiryKnown,
      idleSeconds: key.idleSeconds,
      modeReason,
      hazards,
      newExpireAt,
    };
    return { seq: this.seq++, name: key.raw, db: key.db, slot: key.slot, mode, type: key.type, facts };
  }

  buildSnapshot(): PlanSnapshot {
    const expire = this.expiryPlan !== null;
    return {
      totals: {
        keys: this.seq,
        elements: this.elements,
        bytes: this.bytes,
        byMode: [...this.keysByMode].map(([mode, keys]) => ({ mode, keys })),
        byType: [...this.keysByType].map(([type, keys]) => ({ type, keys })),
      },
      estimate: expire ? estimateExpiries(this.seq, this.input) : this.estimator.buildEstimate(),
      prices: expire ? [] : this.prices.map(({ mode, estimator }) => ({ mode, ...estimator.buildEstimate() })),
      hazards: [...this.hazards].map(([hazard, sums]) => ({ hazard, ...sums })),
      excluded: [...this.excluded.values()],
      notices: this.notices,
      consents: this.consents,
      modes: new Set(this.keysByMode.keys()),
      types: new Set(this.keysByType.keys()),
      expiries: this.expiryPlan?.buildHistogram() ?? null,
    };
  }
}

/**
 * The estimate of setting expiries, measured in batches of 100: about 8 µs of server time and 80 µs in total per key.
 */
const estimateExpiries = (keys: number, { constraints, measured }: PlanSnapshotInput): PlanEstimate =>
  toEstimateRanges(
    { seconds: (keys * 80) / 1e6, serverMs: (keys * 8) / 1000 },
    { roundTripMs: constraints.roundTripMs, measured: measured.get('expire') ?? null },
    { answers: (3 * keys) / 100, replicationBytes: keys * 90, archiveBytes: { from: 0, to: 0 } },
  );

const addKnown = (sum: number | null, more: number | null) => (sum === null || more === null ? null : sum + more);
