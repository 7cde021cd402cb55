import type { ParseArgsConfig } from 'node:util';
import { UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { API_TOKEN } from '@/lib/model/accounts/api-tokens';
import { Secret } from '@/lib/model/secret';

/** The Colonnade server to ask, and the token for it. */
export interface ServerAccess {
  origin: URL;
  /** null: the server is in single-user mode, without sign-in. */
  token: Secret | null;
}

/** Options of every command that asks a server. */
const SERVER_OPTIONS = {
  server: { type: 'string' },
  'insecure-http': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** The arguments of a command that asks a server. Throws UsageError. */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  refuseTokenArguments(args);
  return parseArguments({ args, options: { ...SERVER_OPTIONS, ...options }, allowPositionals: true });
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const readSetting = (name: string): string | null => process.env[name]?.trim() || null;

/** Reads address and token from options and environment. Errors: UsageError, never with the token. */
export function readServerAccess(values: {
  server?: string | undefined;
  'insecure-http'?: boolean | undefined;
}): ServerAccess {
  const text = values.server?.trim() || readSetting('COLONNADE_SERVER');
  if (!text) throw new UsageError('Which server? --server https://colonnade.example.com, or COLONNADE_SERVER.');
  const origin = URL.canParse(text) ? new URL(text) : null;
  // Checked before an error repeats the address, because the text before an @ is a secret.
  if (origin !== null && (origin.username || origin.password))
    throw new UsageError('The address of the server holds a user or password. The token comes from COLONNADE_TOKEN.');
  if (origin === null || !/^https?:$/.test(origin.protocol) || origin.pathname !== '/' || origin.search || origin.hash)
    throw new UsageError(`"${text}" is not the address of a server, such as https://colonnade.example.com.`);
  const token = readToken();
  if (origin.protocol === 'http:' && !LOOPBACK.test(origin.hostname) && !values['insecure-http'])
    throw new UsageError(
      `With ${origin.origin} the token would cross the network unencrypted. Use https, or accept that with --insecure-http.`,
    );
  return { origin, token };
}

function readToken(): Secret | null {
  const text = readSetting('COLONNADE_TOKEN');
  if (text === null) return null;
  if (!API_TOKEN.test(text))
    throw new UsageError(
      'COLONNADE_TOKEN is no API token (colonnade_ and 43 letters). They are made under Your account.',
    );
  return new Secret(text);
}

/**
 * Arguments are visible to all users of the machine and are stored in the history of the shell, so a token there is
 * refused.
 */
function refuseTokenArguments(args: readonly string[]): void {
  if (args.some((arg) => /^--token\b/.test(arg) || /colonnade_[A-Za-z0-9_-]{43}/.test(arg)))
    throw new UsageError(
      'A token is never an argument: others on this machine can read it there. Set COLONNADE_TOKEN, and revoke one that was typed.',
    );
}
