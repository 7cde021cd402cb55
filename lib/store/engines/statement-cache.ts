/**
 * Prepared statements of one connection, those used last. Each one made anew is memory of SQLite that goes only when
 * Node's garbage is collected, of which Node knows nothing: the process grows by megabytes an hour, and parses the same
 * texts for ever. What changes tables is not kept, and lets go of all.
 */
const MOST = 300;
const CHANGES_TABLES = /^\s*(?:create|alter|drop|pragma|vacuum|attach|detach|reindex|analyze)\b/i;

export class StatementCache<Statement> {
  private readonly kept = new Map<string, Statement>();

  constructor(private readonly prepare: (sql: string) => Statement) {}

  get(sql: string): Statement {
    const known = this.kept.get(sql);
    if (known !== undefined) {
      this.kept.delete(sql);
      this.kept.set(sql, known);
      return known;
    }
    const statement = this.prepare(sql);
    if (CHANGES_TABLES.test(sql)) {
      this.kept.clear();
      return statement;
    }
    this.kept.set(sql, statement);
    if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value as string);
    return statement;
  }
}
