import { append } from '@/lib/model/text/append';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { findNextPrefix } from './next-prefix';

/**
 * Builds a WHERE clause: the terms are text of Colonnade, all values are bound. A prefix is a range of the sorted
 * names, never LIKE.
 */
export class Where {
  private readonly terms: string[] = [];
  /** The prefixes that were added by `andBeginsWith`. */
  readonly prefixes: string[] = [];

  /**
   * @param values those of the clause that this one becomes a part of
   * @param inPrefix whether the rows are known to begin with every prefix
   */
  constructor(
    readonly values: SqlValue[] = [],
    private readonly inPrefix = false,
  ) {}

  /** Binds a value and returns its placeholder. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  and(term: string): this {
    this.terms.push(term);
    return this;
  }

  andBeginsWith(prefix: string): this {
    if (prefix === '') return this;
    this.prefixes.push(prefix);
    if (this.inPrefix) return this;
    this.and(`name >= ${this.bind(prefix)}::VARCHAR`);
    const next = findNextPrefix(prefix);
    if (next !== null) this.and(`name < ${this.bind(next)}::VARCHAR`);
    return this;
  }

  /** Adds a term that is true if one of several clauses is. Each addition gets an empty clause to add terms to. */
  andAny(additions: readonly ((clause: Where) => void)[]): this {
    const alternatives = additions.map((add) => {
      const clause = new Where(this.values);
      add(clause);
      return clause.terms.length === 0 ? 'true' : `(${clause.terms.join(' AND ')})`;
    });
    return this.and(alternatives.length === 0 ? 'false' : `(${alternatives.join(' OR ')})`);
  }

  /** A new clause with the same terms and values. */
  copy(): Where {
    const copied = new Where();
    append(copied.values, this.values);
    append(copied.terms, this.terms);
    return copied;
  }

  get sql(): string {
    return this.terms.length === 0 ? '' : `WHERE ${this.terms.join(' AND ')}`;
  }
}
