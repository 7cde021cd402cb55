import { COMMAND_NAMES } from '@/lib/model/servers/command-names';

type Ask = <T>(name: string, ...args: string[]) => Promise<T | null>;

const MAX_NAMES = 2000;
/** Names of commands that are accepted: a server may answer anything, and only what can be a command name is kept. */
const COMMAND = /^[a-z][a-z0-9_.-]{0,63}$/;

/**
 * Returns the commands of this server that `known` lacks: those of modules and of later versions. A renamed command is
 * listed under its old name, on every version, because the new name is secret. null = refused. Source: COMMAND LIST
 * (7.0) or COMMAND.
 */
export async function readMoreCommands(
  ask: Ask,
  version: string | null,
  known: readonly string[] = COMMAND_NAMES,
): Promise<string[] | null> {
  const briefly = Number.parseInt(version ?? '', 10) >= 7;
  const answer = await ask<unknown>(briefly ? 'COMMAND LIST' : 'COMMAND');
  if (!Array.isArray(answer)) return null;
  const names = answer.map((one: unknown) => String(Array.isArray(one) ? one[0] : one).toLowerCase());
  const listed = new Set(known);
  return [...new Set(names)].filter((name) => COMMAND.test(name) && !listed.has(name)).slice(0, MAX_NAMES);
}
