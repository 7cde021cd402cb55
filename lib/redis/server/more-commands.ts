import { COMMAND_NAMES } from '@/lib/model/servers/command-names';

type Ask = <T>(name: string, ...args: string[]) => Promise<T | null>;

const MAX_NAMES = 2000;
/** A server chooses what it answers: only what can be a command and a segment of a name. */
const COMMAND = /^[a-z][a-z0-9_.-]{0,63}$/;

/**
 * Commands of this server that `known` lacks: of modules, of versions after it. A command that was renamed stands here
 * under its old name, on every version: the new one is secret. null: refused. Source: COMMAND LIST (7.0), COMMAND.
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
