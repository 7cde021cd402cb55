import { createCodedMessage } from '@/lib/deletions/journal/item-journal';
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

/** The modes of which the plan shows what all keys would cost in them. */
const CHOICES: DeletionMode[] = ['archive', 'quarantine', 'drain', 'unlink'];
/** How many names are kept as examples of each reason. */
const MAX_EXAMPLES = 5;
/** How many items one write has: each write is synced, about 20 ms for this many. */
const WRITTEN_AT_ONCE = 4000;

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

export interface SnapshotInput {
  id: string;
  request: PlanRequest;
  session: RedisSession;
  constraints: ServerConstraints;
  measured: MeasuredSpeeds;
  /** Aborts when the caller is gone. */
  signal: AbortSignal | undefined;
}

/** Adds up the totals of a plan, and buffers its items until they are written to the store. */
export class SnapshotTotals {
  readonly notices: CodedMessage[] = [];
  private seq = 0;
  private unwritten: NewItem[] = [];
  private elements: number | null = 0;
  private bytes: number | null = 0;
  private readonly byMode = new Map<DeletionMode, number>();
  private readonly byType = new Map<string, number>();
  private readonly hazards = new Map<Hazard, { keys: number; bytes: number | null }>();
  private readonly excluded = new Map<string, { reason: CodedMessage; keys: number; examples: string[] }>();
  private readonly consents = new Set<Consent>();
  private readonly estimator: Estimator;
  private readonly prices: { mode: DeletionMode; estimator: Estimator }[];
  private readonly expiry: ExpiryPlan | null;

  constructor(private readonly input: SnapshotInput) {
    const { request } = this.input;
    const createEstimator = (mode: DeletionMode | 'expire') =>
      new Estimator(request.options.speed, {
        roundTripMs: input.constraints.roundTripMs,
        measured: input.measured.get(mode) ?? null,
      });
    this.estimator = createEstimator('mode' in request.options ? request.options.mode : 'expire');
    this.prices = CHOICES.map((mode) => ({ mode, estimator: createEstimator(mode) }));
    this.expiry = request.task === 'expire' ? new ExpiryPlan(input.id, request.options as ExpireOptions) : null;
  }

  exclude(reason: CodedMessage, example: string): void {
    const id = JSON.stringify(reason);
    const known = this.excluded.get(id) ?? { reason, keys: 0, examples: [] };
    known.keys++;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(example);
    this.excluded.set(id, known);
  }

  async add(keys: readonly Candidate[]): Promise<void> {
    for (const key of keys) {
      const item =
        key.gone || key.denied ? this.excludeAbsent(key) : this.expiry ? this.planExpiry(key) : this.planDeletion(key);
      if (item) this.unwritten.push(item);
    }
    if (this.unwritten.length >= WRITTEN_AT_ONCE) await this.write();
  }

  /** Writes the items that were added since the last write. */
  async write(): Promise<void> {
    const items = this.unwritten;
    this.unwritten = [];
    if (items.length > 0) await runTransaction((tx) => insertItems(this.input.id, items, tx));
  }

  private excludeAbsent(key: Candidate): null {
    this.exclude(createCodedMessage(key.denied ? 'denied_key' : 'gone'), key.name);
    return null;
  }

  private planDeletion(key: Candidate): NewItem | null {
    const options = this.input.request.options as DeletionOptions;
    const chosen = chooseMode(key, options, this.input.constraints, Date.now());
    if (chosen.excluded || !chosen.mode) {
      this.exclude(chosen.excluded ?? createCodedMessage('unknown'), key.name);
      return null;
    }
    for (const consent of chosen.consents) this.consents.add(consent);
    for (const hazard of chosen.hazards) this.count(hazard, key);
    this.byMode.set(chosen.mode, (this.byMode.get(chosen.mode) ?? 0) + 1);
    this.estimator.add(key, chosen.mode);
    // A key that cannot be deleted in the chosen mode gets its own mode in each of the prices.
    for (const { mode, estimator } of this.prices) estimator.add(key, chosen.modeReason ? chosen.mode : mode);
    return this.toItem(key, {
      mode: chosen.mode,
      modeReason: chosen.modeReason,
      hazards: chosen.hazards,
      newExpireAt: null,
    });
  }

  private count(hazard: Hazard, key: Candidate): void {
    const known = this.hazards.get(hazard) ?? { keys: 0, bytes: 0 };
    known.keys++;
    known.bytes = addKnown(known.bytes, key.bytes);
    this.hazards.set(hazard, known);
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
      this.expiry?.keep(key);
      return null;
    }
    const newExpireAt = this.expiry?.give(key) ?? null;
    const hazards = listExpiryHazards(key, newExpireAt, this.input.constraints);
    for (const hazard of hazards) {
      this.count(hazard, key);
      this.consents.add(hazard);
    }
    return this.toItem(key, { mode: null, modeReason: null, hazards, newExpireAt });
  }

  /** Adds a key to the totals and returns its item. */
  private toItem(
    key: Candidate,
    more: { mode: DeletionMode | null } & Pick<NewItem['facts'], 'modeReason' | 'hazards' | 'newExpireAt'>,
  ): NewItem {
    const { mode, modeReason, hazards, newExpireAt } = more;
    // The length of a string is bytes, so it counts as one element.
    this.elements = addKnown(this.elements, key.type === 'string' ? 1 : key.length);
    this.bytes = addKnown(this.bytes, key.bytes);
    const type = key.type ?? 'unknown';
    this.byType.set(type, (this.byType.get(type) ?? 0) + 1);
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

  result(): PlanSnapshot {
    const expire = this.expiry !== null;
    return {
      totals: {
        keys: this.seq,
        elements: this.elements,
        bytes: this.bytes,
        byMode: [...this.byMode].map(([mode, keys]) => ({ mode, keys })),
        byType: [...this.byType].map(([type, keys]) => ({ type, keys })),
      },
      estimate: expire ? estimateExpiries(this.seq, this.input) : this.estimator.result(),
      prices: expire ? [] : this.prices.map(({ mode, estimator }) => ({ mode, ...estimator.result() })),
      hazards: [...this.hazards].map(([hazard, sums]) => ({ hazard, ...sums })),
      excluded: [...this.excluded.values()],
      notices: this.notices,
      consents: this.consents,
      modes: new Set(this.byMode.keys()),
      types: new Set(this.byType.keys()),
      expiries: this.expiry?.buildHistogram() ?? null,
    };
  }
}

/**
 * The estimate of setting expiries, measured in batches of 100: about 8 µs of server time and 80 µs in total per key.
 */
const estimateExpiries = (keys: number, { constraints, measured }: SnapshotInput): PlanEstimate =>
  toEstimateRanges(
    { seconds: (keys * 80) / 1e6, serverMs: (keys * 8) / 1000 },
    { roundTripMs: constraints.roundTripMs, measured: measured.get('expire') ?? null },
    { answers: (3 * keys) / 100, replicationBytes: keys * 90, archiveBytes: { from: 0, to: 0 } },
  );

const addKnown = (sum: number | null, more: number | null) => (sum === null || more === null ? null : sum + more);
