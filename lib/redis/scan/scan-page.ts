import { createHash } from 'node:crypto';
import { type FactsPage, MAX_EXPIRE_AT, NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import {
  isSizedType,
  type LengthThresholds,
  MAX_KEY_BYTES,
  mayExceed,
  type SizedType,
} from '@/lib/redis/keys/length-commands';
import { computeSlot } from '@/lib/redis/keys/slot';
import { toEncoding } from '@/lib/redis/keys/to-encoding';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { findServerRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { CommandBatch } from '@/lib/redis/protocol/encode-page';
import { RAW_ERROR, RAW_NIL, type RespColumn } from '@/lib/redis/protocol/resp-columns';
import { NAME_HEAD_BYTES, type PartialName } from './partial-name';
import { type FactsPlan, isPossibleEncoding } from './plan-facts';
import { OVERSIZE_NAME_BYTES } from './scan-reply';

/** Names longer than this are stored as their beginning, their length and a digest. */
const LONG_NAME_BYTES = 4096;

const NONE_SKIMMED: ReadonlyMap<number, PartialName> = new Map();

/**
 * One page in progress: first names, then facts, then the permitted lengths, then a retry (only one) of keys that
 * changed in between. It does no I/O: it lists the rows that need requests, and is called when replies have arrived.
 *
 * The file is long because every step fills or judges the same columns by row; apart, each column would be public.
 */
export class ScanPage {
  readonly count: number;
  readonly slot: Uint16Array;
  /** Rows whose facts are requested. */
  readonly rows: Int32Array;
  readonly length: Float64Array;
  readonly factColumns: RespColumn[];
  /** `factColumns`, each preceded by a column for the reply to ASKING, which nobody reads. */
  readonly askingColumns: RespColumn[];
  readonly lengthColumns: RespColumn[];
  /** Rows whose length is to be requested now. */
  lengthRows: number[] = [];
  /** Rows whose facts are requested once more. */
  retryRows: number[] = [];
  /** An error about the state of the whole server: nothing read now can be trusted, so the page is discarded. */
  fatal: RedisReplyError | null = null;
  /** How many keys were gone, on another node, not asked for their length, or of a name too long to be asked. */
  vanished = 0;
  moved = 0;
  lengthNotAsked = 0;
  readonly oversize: number;

  private readonly bytes: Float64Array;
  private readonly expiry: Float64Array;
  private readonly idleSeconds: Float64Array;
  private readonly freq: Float64Array;
  private readonly types: (string | null)[];
  private readonly encodings: (string | null)[];
  /** 1 for each row whose key no longer exists. */
  private readonly gone: Uint8Array;
  /** MOVED or ASK, by row: the slot of the key is being moved to another node. */
  private readonly redirect = new Map<number, string>();
  /** Rows whose key had another type when its length was requested. */
  private readonly changed = new Set<number>();
  /** Rows whose `length` holds a reference count. */
  private readonly refcounted = new Set<number>();
  private readAtMs = 0;

  constructor(
    readonly names: Buffer[],
    readonly cursorAfter: string,
    private readonly plan: FactsPlan,
    private readonly thresholds: LengthThresholds,
    /** Names too long to hold, by row: `names` holds only their beginning. */
    private readonly skimmed: ReadonlyMap<number, PartialName> = NONE_SKIMMED,
  ) {
    const count = names.length;
    this.count = count;
    this.slot = new Uint16Array(count);
    const rows = new Int32Array(count);
    let asked = 0;
    for (let i = 0; i < count; i++) {
      const name = names[i]!;
      const partial = skimmed.size === 0 ? undefined : skimmed.get(i);
      this.slot[i] = partial ? partial.slot : computeSlot(name);
      if (!partial && name.length <= OVERSIZE_NAME_BYTES) rows[asked++] = i;
    }
    this.rows = asked === count ? rows : rows.subarray(0, asked);
    this.oversize = count - asked;
    const createColumn = (column: string) => {
      const numbers = new Float64Array(count);
      if (asked < count || !(plan.columns as string[]).includes(column)) numbers.fill(RAW_ERROR);
      return numbers;
    };
    this.bytes = createColumn('bytes');
    this.expiry = createColumn('expiry');
    this.idleSeconds = createColumn('idleSeconds');
    this.freq = createColumn('freq');
    this.length = new Float64Array(count).fill(RAW_ERROR);
    this.types = new Array(count).fill(null);
    this.encodings = new Array(count).fill(null);
    this.gone = new Uint8Array(count);
    this.factColumns = plan.columns.map((column) =>
      column === 'types' || column === 'encodings'
        ? { numbers: null, words: this[column] }
        : { numbers: this[column], words: null },
    );
    const answered: RespColumn = { numbers: null, words: [] };
    this.askingColumns = this.factColumns.flatMap((column) => [answered, column]);
    this.lengthColumns = [{ numbers: this.length, words: null }];
  }

  readonly onFactError = (row: number, _column: number, message: string) => {
    const [code = ''] = message.split(' ', 1);
    if (findServerRefusal(code)) this.fatal ??= new RedisReplyError(message);
    else if (code === 'MOVED' || code === 'ASK') this.redirect.set(row, code);
    else if (code === 'WRONGTYPE') this.changed.add(row);
  };

  /** Called when the facts of all rows have arrived. */
  onFactsRead(): void {
    this.readAtMs = Date.now();
    this.moved = this.redirect.size;
    const retry: number[] = [];
    const { rows } = this;
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r]!;
      const state = this.judge(row);
      if (state === GONE) this.gone[row] = 1;
      else if (state === CHANGED) retry.push(row);
      else this.wantLength(row);
    }
    this.retryRows = retry;
  }

  /** Called when the requested lengths have arrived. The facts of a key that became another type are read again. */
  onLengthsRead(): void {
    this.lengthRows = [];
    for (const row of this.changed) this.retryRows.push(row);
    this.changed.clear();
  }

  /** Called when the replies of the retry have arrived: the type of a key whose facts still do not fit is unknown. */
  onRetryRead(): void {
    const rows = this.retryRows;
    this.retryRows = [];
    for (const row of rows) {
      const state = this.judge(row);
      if (state === GONE || this.redirect.get(row) === 'ASK') this.gone[row] = 1;
      else if (state === CHANGED) {
        this.types[row] = null;
        this.encodings[row] = null;
      } else this.wantLength(row);
    }
  }

  /** Called before the retry: old answers must not be taken for new ones. */
  beginRetry(): void {
    for (const row of this.retryRows) {
      this.length[row] = RAW_ERROR;
      this.refcounted.delete(row);
      this.redirect.delete(row);
    }
  }

  /** Called at the end, when nothing is requested again: a key that changed once more is unknown. */
  endRetry(): void {
    this.lengthRows = [];
    for (const row of this.changed) {
      this.types[row] = null;
      this.encodings[row] = null;
      this.length[row] = RAW_ERROR;
    }
    this.changed.clear();
  }

  get needsAsking(): boolean {
    return this.moved > 0;
  }

  getLengthGroup(row: number): CommandBatch {
    return this.refcounted.has(row) ? this.plan.refcount! : this.plan.lengths.get(this.types[row] as SizedType)!;
  }

  private judge(row: number): 0 | typeof GONE | typeof CHANGED {
    const type = this.types[row]!;
    const expiry = this.expiry[row]!;
    const bytes = this.bytes[row]!;
    // This is no valid memory value, and it must not make the key look small.
    if (bytes === 0 || bytes > MAX_KEY_BYTES) this.bytes[row] = RAW_ERROR;
    if (type === 'none') return GONE;
    if (this.redirect.size > 0 && this.redirect.has(row)) return CHANGED;
    if (type === null) {
      // TYPE was not read here: any other command that did not find the key shows that it is gone.
      return expiry === -2 || bytes === RAW_NIL ? GONE : 0;
    }
    if (expiry === -2 || bytes === RAW_NIL || !isPossibleEncoding(this.encodings[row]!, type)) return CHANGED;
    return 0;
  }

  /** Adds the row to those whose length is requested, if it may be asked and could matter. */
  private wantLength(row: number): void {
    const type = this.types[row]!;
    if (this.plan.refcount && this.isInteger(row)) {
      this.refcounted.add(row);
      this.lengthRows.push(row);
      this.lengthNotAsked++;
      return;
    }
    if (!isSizedType(type) || !this.plan.lengths.has(type)) return;
    if (this.plan.lengthsAreFree || mayExceed(type, this.encodings[row]!, this.bytes[row]!, this.thresholds)) {
      this.lengthRows.push(row);
    } else this.lengthNotAsked++;
  }

  private isInteger(row: number): boolean {
    return this.encodings[row] === 'int' && this.types[row] === 'string';
  }

  /**
   * The strings 0…9999 are shared objects of the server: they report the idle time of the shared object, whatever the
   * key.
   */
  private isShared(row: number): boolean {
    if (!this.plan.sharedIntegers || !this.isInteger(row)) return false;
    const reported = this.length[row]!;
    if (this.refcounted.has(row)) return reported !== 1;
    return reported < 0 || reported <= SHARED_DIGITS;
  }

  /**
   * Returns the page as FactsPage: vanished keys are removed, and raw replies become values or states such as UNKNOWN.
   */
  finish(node: number, db: number): FactsPage {
    const { count, gone } = this;
    let long: FactsPage['long'] = null;
    let to = 0;
    for (let row = 0; row < count; row++) {
      if (gone[row] === 1) continue;
      const name = this.names[row]!;
      const partial = this.skimmed.size === 0 ? undefined : this.skimmed.get(row);
      if (partial) {
        long ??= new Map();
        long.set(to, { nameBytes: partial.nameBytes, sha256: partial.sha256 });
        this.names[to] = name;
      } else if (name.length > LONG_NAME_BYTES) {
        long ??= new Map();
        long.set(to, { nameBytes: name.length, sha256: createHash('sha256').update(name).digest('hex') });
        this.names[to] = Buffer.from(name.subarray(0, NAME_HEAD_BYTES));
      } else this.names[to] = name;
      const shared = this.isShared(row);
      this.types[to] = this.types[row]!;
      this.encodings[to] = toEncoding(this.types[row]!, this.encodings[row]!);
      this.bytes[to] = toKnown(this.bytes[row]!);
      this.expiry[to] = this.expireAt(this.expiry[row]!);
      this.idleSeconds[to] = shared ? UNKNOWN : toKnown(this.idleSeconds[row]!, MAX_IDLE_SECONDS);
      this.freq[to] = toKnown(this.freq[row]!, MAX_FREQ);
      this.length[to] = this.refcounted.has(row) ? UNKNOWN : toKnownLength(this.types[row]!, this.length[row]!);
      this.slot[to] = this.slot[row]!;
      to++;
    }
    this.vanished = count - to;
    this.names.length = to;
    this.types.length = to;
    this.encodings.length = to;
    return {
      node,
      db,
      count: to,
      names: this.names,
      types: this.types,
      encodings: this.encodings,
      expireAt: this.expiry,
      bytes: this.bytes,
      length: this.length,
      idleSeconds: this.idleSeconds,
      freq: this.freq,
      slot: this.slot,
      long,
    };
  }

  private expireAt(raw: number): number {
    if (raw === -1) return NO_EXPIRY;
    if (raw < 0) return UNKNOWN;
    return Math.min(MAX_EXPIRE_AT, this.plan.expiryIsRelative ? this.readAtMs + raw : raw);
  }
}

/** Results of `judge`: a key no longer exists, or it was replaced between two commands. */
const GONE = 1;
const CHANGED = 2;

/** The largest shared integer, 9999, has 4 digits. */
const SHARED_DIGITS = 4;

/** The largest values that the snapshot columns hold; a server may report more. */
const MAX_IDLE_SECONDS = 2 ** 31 - 1;
const MAX_FREQ = 255;

/** A collection disappears with its last element, so a count of 0 means that it was already gone. */
const toKnownLength = (type: string | null, raw: number) =>
  raw === 0 && type !== 'string' && type !== 'stream' ? UNKNOWN : toKnown(raw);

function toKnown(raw: number, max: number = Number.MAX_SAFE_INTEGER): number {
  return raw < 0 ? UNKNOWN : Math.min(raw, max);
}
