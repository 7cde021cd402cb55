import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { nextPrefix } from './next-prefix';

/**
 * A WHERE clause in the making: terms of Colonnade, values bound. A prefix is a range of the sorted names, never LIKE.
 */
export class Where {
  readonly values: SqlValue[] = [];
  private readonly terms: string[] = [];

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
    this.and(`name >= ${this.bind(prefix)}::VARCHAR`);
    const next = nextPrefix(prefix);
    if (next !== null) this.and(`name < ${this.bind(next)}::VARCHAR`);
    return this;
  }

  /** Another one that begins with the same terms and values. */
  copy(): Where {
    const copied = new Where();
    copied.values.push(...this.values);
    copied.terms.push(...this.terms);
    return copied;
  }

  get sql(): string {
    return this.terms.length === 0 ? '' : `WHERE ${this.terms.join(' AND ')}`;
  }
}
