/**
 * The structured log on standard output, or on standard error if standard output is the answer of a command. The
 * message of a line is an event id in dots (`job.lease_lost`) and the details are fields, so that a person can search
 * for the id (docs/OPERATIONS.md lists all ids; a test keeps the list complete). Names of keys may contain anything,
 * also characters that move a terminal's cursor or reverse text: such characters are written as \uXXXX. Errors are
 * reduced to what cannot contain a secret, because ioredis attaches the failed command with its arguments (AUTH!) to
 * its errors.
 */

import pino from 'pino';
import { escapeForeign } from '@/lib/model/text/escape-foreign';
import { config } from '@/lib/runtime/config';

/** Returns a copy of a field that is safe to print. Long texts and lists and deep objects are cut. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return escapeForeign(value.length > 4096 ? `${value.slice(0, 4096)}…` : value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return toPlainError(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > 4) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => clean(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return clean(value.toJSON(), depth + 1);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, depth + 1)]));
}

function toPlainError(error: Error, depth = 0): Record<string, unknown> {
  const code = 'code' in error ? { code: String(error.code) } : {};
  const cause = error.cause instanceof Error && depth < 3 ? { cause: toPlainError(error.cause, depth + 1) } : {};
  // The stack keeps its line breaks, as \n in JSON; each line is cleaned.
  const stack = error.stack?.split('\n').map(escapeForeign).join('\n');
  return { type: error.name, message: escapeForeign(error.message), ...code, stack, ...cause };
}

const SECRET_FIELDS = ['password', 'sentinelPassword', 'writePassword', 'tlsKey', 'secrets', 'authorization', 'cookie'];

export const createLog = (destination?: pino.DestinationStream): pino.Logger =>
  pino(
    {
      level: config.logLevel,
      // Names the program, because several share one output.
      base: config.hasParent ? { program: config.role } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
      // The formatter below already reduces errors; pino's own serializer would add every field again.
      serializers: { err: (err) => err },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => clean(fields, 0) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          method.apply(this, args.map((arg) => (typeof arg === 'string' ? escapeForeign(arg) : arg)) as typeof args);
        },
      },
    },
    destination ?? pino.destination({ dest: descriptor, sync: true }),
  );

/** The output: 1 = standard output, 2 = standard error. */
let descriptor = 1;
let logger: pino.Logger | null = null;

/** Commands whose standard output is parsed by programs use this. It must be called before the first line is logged. */
export function logOnStandardError(): void {
  descriptor = 2;
  logger = null;
}

/**
 * The log. It is created on first use: the level comes from the environment of the running process, not of the build.
 */
export const log = (): pino.Logger => {
  logger ??= createLog();
  return logger;
};
