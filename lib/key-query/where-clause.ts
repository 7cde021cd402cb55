import { append } from '@/lib/model/text/append';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { nextPrefix } from './next-prefix';

/**
 * A WHERE clause in the making: terms of Colonnade, values bound. A prefix is a range of the sorted names, never LIKE.
 */
export class Where {
  private readonly terms: string[] = [];
  /** What names begin with, as asked by `prefix`. */
  readonly prefixes: string[] = [];

  /**
   * @param values those of the clause that this one becomes a part of
   * @param inPrefix the rows are known to begin with every prefix
   */
  constructor(
    readonly values: SqlValue[] = [],
    private readonly inPrefix = false,
  ) {}

  /** Binds a value and answers its placeholder. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  and(term: string): this {
    this.terms.push(term);
    return this;
  }

  prefix(prefix: string): this {
    if (prefix === '') return this;
    this.prefixes.push(prefix);
    if (this.inPrefix) return this;
    this.and(`name >= ${this.bind(prefix)}::VARCHAR`);
    const next = nextPrefix(prefix);
    if (next !== null) this.and(`name < ${this.bind(next)}::VARCHAR`);
    return this;
  }

  /** One of several, each a clause of its own. */
  anyOf(some: readonly ((where: Where) => void)[]): this {
    const clauses = some.map((make) => {
      const one = new Where(this.values);
      make(one);
      return one.terms.length === 0 ? 'true' : `(${one.terms.join(' AND ')})`;
    });
    return this.and(clauses.length === 0 ? 'false' : `(${clauses.join(' OR ')})`);
  }

  /** Another one that begins with the same terms and values. */
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
