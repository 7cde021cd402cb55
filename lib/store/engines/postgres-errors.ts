import { AppError } from '@/lib/model/errors';

/** Codes of connections that were lost or could not be opened. Interrupted work continues when the database is back. */
const LOST = /^(08|57P0|53300)|^E(CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)|^ENOENT$/;
const LOST_TEXT =
  /connection (was )?(terminated|ended|timeout)|timeout exceeded when trying to connect|not queryable|query read timeout/i;
/**
 * Codes of locks that were held for too long, deadlocks and serialization failures, and of a holder that was cut off.
 */
const BUSY = /^(55P03|25P03|40P01|40001)$/;

/** Statements that work on a database which cannot be written. `select … for update` does not. */
const READS = /^\s*(select|with|show)\b(?!.*\bfor update\b)/is;
const WHY: Record<string, [why: string, mend: string]> = {
  '25006': [
    'it can only be read: a standby, or default_transaction_read_only',
    'Make it writable, or give the address of the primary in COLONNADE_DATABASE_URL.',
  ],
  '53100': ['its disk is full', 'Free space there; no restart is needed.'],
};

/** Translates the refusal of a write by a database that can still be read; null = another kind of error. */
export function toRefusedWrite(error: unknown, sql: unknown, database: string): AppError | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = WHY[code];
  if (!known || (typeof sql === 'string' && READS.test(sql))) return null;
  const [why, mend] = known;
  return new AppError(
    'store_read_only',
    `The control database ${database} cannot be written: ${why}. Nothing was changed, and reading goes on. ${mend}`,
    { database, cause: code },
    { cause: error },
  );
}

/** Turns an error of PostgreSQL into one that says what to do. It never contains the password. */
export function translatePostgres(error: unknown, database: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = 'code' in error ? String(error.code) : '';
  const details = { database, cause: code || 'connection' };
  const createRefusal = (text: string) => new AppError('database_refused', text, { ...details }, { cause: error });
  if (/does not support SSL/.test(error.message))
    return createRefusal(
      `The database ${database} offers no encrypted connection. Enable TLS there, or add sslmode=disable to COLONNADE_DATABASE_URL if nobody can listen on the way.`,
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return createRefusal(
      `The certificate of the database ${database} was made for another name. Give the host in COLONNADE_DATABASE_URL as the certificate names it.`,
    );
  if (/CERT|SIGNATURE/.test(code))
    return createRefusal(
      `The certificate of the database ${database} is not trusted (${code}). Name its authority by sslrootcert=<file> in COLONNADE_DATABASE_URL.`,
    );
  if (code === '28P01' || code === '28000' || /SASL|password must be a string/.test(error.message))
    return createRefusal(
      `The database ${database} refuses the user or password of COLONNADE_DATABASE_URL (${code || 'no password'}).`,
    );
  if ('constraint' in error && error.constraint === 'jobs_active') {
    const [, instance = '', kind = 'job'] = /=\((.*), (.*)\)/.exec('detail' in error ? String(error.detail) : '') ?? [];
    const busy = { job: null, kind, state: 'running', instance };
    return new AppError('job_running', `Another ${kind} of this instance is active.`, busy, { cause: error });
  }
  if (code === '3D000')
    return createRefusal(`There is no database ${database}. Make it (createdb), or correct COLONNADE_DATABASE_URL.`);
  if (code === '42501')
    return createRefusal(
      `The user of COLONNADE_DATABASE_URL may not make or write tables in ${database}. Grant it: grant create, usage on schema public to <user>.`,
    );
  if (code === '53100')
    return new AppError('disk_full', `The disk of the database ${database} is full. Free space and try again.`, {
      folder: database,
    });
  if (code === '25006')
    return createRefusal(`The database ${database} can only be read (a standby?). Give the address of the primary.`);
  if (BUSY.test(code))
    return new AppError(
      'database_unreachable',
      `Another Colonnade held the lock of the database ${database} for too long. Wake or end the one that is frozen, and try again.`,
      details,
      { cause: error },
    );
  if (LOST.test(code) || LOST_TEXT.test(error.message))
    return new AppError(
      'database_unreachable',
      `The database ${database} cannot be reached (${details.cause}). Check that it runs, and the host and port of COLONNADE_DATABASE_URL.`,
      details,
      { cause: error },
    );
  return error;
}
