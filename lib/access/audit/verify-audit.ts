import { findAuditKey } from '@/lib/access/vault/audit-keys';
import { listAuditRowsAfter, type StoredAuditRow } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting } from '@/lib/store/settings/settings';
import {
  CHECKPOINT_SETTING,
  computeLinkHash,
  findChainStart,
  HEAD_SETTING,
  KEY_CHANGED,
  KEY_LOST,
  parseHashKid,
  signHead,
} from './chain';
import { readLostKeys } from './lost-keys';

export type AuditProblem = 'missing' | 'changed' | 'other_key' | 'cut' | 'checkpoint';

/** Rows signed by a key that was given up as lost: whether they were changed is unknown. */
interface UncheckedRows {
  from: number;
  upTo: number;
  key: string;
}

export interface AuditVerdict {
  ok: boolean;
  rows: number;
  /** The first row that fails the check, and why; null = all rows pass. */
  firstBad: { seq: number; problem: AuditProblem } | null;
  /** Number of the last row that retention removed; 0 = none. */
  cutUpTo: number;
  /** Absent = every row was checked. */
  unchecked?: UncheckedRows[];
}

/**
 * Checks the chain row by row: each row continues the one before, under its key or one that replaced it. `lost` = keys
 * that were given up → number of the row that says so; rows that they signed before it are accepted unchecked.
 */
export class ChainWalk {
  readonly unchecked: UncheckedRows[] = [];
  private kid: string | null = null;
  private readonly former = new Set<string>();
  private readonly keys = new Map<string, Buffer | null>();

  constructor(
    public seq: number,
    public prev: string,
    private readonly lost: ReadonlyMap<string, number> = new Map(),
  ) {
    if (seq > 0) this.kid = parseHashKid(prev);
  }

  /** Checks the next row; null = it passes. */
  next(row: StoredAuditRow): { seq: number; problem: AuditProblem } | null {
    if (row.seq !== this.seq + 1) return { seq: this.seq + 1, problem: 'missing' };
    const kid = parseHashKid(row.hash);
    const key = this.findKey(kid);
    const isGivenUp = key === null && row.seq < (this.lost.get(kid) ?? 0);
    if ((key === null && !isGivenUp) || !this.mayFollow(row, kid)) return { seq: row.seq, problem: 'other_key' };
    if (row.prev !== this.prev || (key !== null && row.hash !== computeLinkHash(row.seq, row, { kid, key })))
      return { seq: row.seq, problem: 'changed' };
    if (isGivenUp) this.noteUnchecked(row.seq, kid);
    if (this.kid !== null && this.kid !== kid) this.former.add(this.kid);
    Object.assign(this, { seq: row.seq, prev: row.hash, kid });
    return null;
  }

  /** A replaced key may be known to others, so rows that it signs afterwards are refused. */
  private mayFollow({ action, subject }: StoredAuditRow, kid: string): boolean {
    if (this.kid === null || kid === this.kid) return true;
    return !this.former.has(kid) && (action === KEY_CHANGED || (action === KEY_LOST && subject === this.kid));
  }

  private noteUnchecked(seq: number, key: string): void {
    const last = this.unchecked.at(-1);
    if (last?.key === key && last.upTo === seq - 1) last.upTo = seq;
    else this.unchecked.push({ from: seq, upTo: seq, key });
  }

  private findKey(kid: string): Buffer | null {
    const known = this.keys.get(kid);
    if (known !== undefined) return known;
    const key = findAuditKey(kid);
    this.keys.set(kid, key);
    return key;
  }
}

/** Checks the whole chain in pages, so memory does not grow with the log. */
export async function verifyAudit(tx?: Tx): Promise<AuditVerdict> {
  const begin = findChainStart(await getSetting(CHECKPOINT_SETTING, tx));
  const cutUpTo = begin?.seq ?? 0;
  const reportBad = (rows: number, firstBad: AuditVerdict['firstBad']) => ({ ok: false, rows, firstBad, cutUpTo });
  if (begin === null) {
    const [first] = await listAuditRowsAfter(0, 1, tx);
    return reportBad(0, { seq: first?.seq ?? 1, problem: 'checkpoint' });
  }
  const walk = new ChainWalk(begin.seq, begin.prev, await readLostKeys(tx));
  for (;;) {
    const rows = await listAuditRowsAfter(walk.seq, 1000, tx);
    for (const row of rows) {
      const problem = walk.next(row);
      if (problem) return reportBad(walk.seq - cutUpTo, problem);
    }
    if (rows.length === 0) break;
  }
  const head = await getSetting(HEAD_SETTING, tx);
  const rows = walk.seq - cutUpTo;
  if (walk.seq === 0 && head === null) return { ok: true, rows: 0, firstBad: null, cutUpTo };
  if (walk.seq === 0 || head !== signHead(walk.seq, walk.prev))
    return reportBad(rows, { seq: walk.seq + 1, problem: 'cut' });
  const { unchecked } = walk;
  return { ok: true, rows, firstBad: null, cutUpTo, ...(unchecked.length > 0 && { unchecked }) };
}
