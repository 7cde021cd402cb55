import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { ALWAYS_ASKED } from '@/lib/model/servers/server-audit';

/** Sends a command of an audit, such as `CONFIG GET`. null = it was refused, which the audit lists by itself. */
export type AuditAsk = <T>(command: string, ...args: (string | number)[]) => Promise<T | null>;

/** The used part of COMMAND INFO for one command: [name, arity, …, subcommands]; subcommands exist since 7.0. */
type CommandRow = [name: string, arity: number, ...rest: unknown[]];
const SUBCOMMANDS = 9;

export interface AuditedCommands {
  /** The commands that were looked up. */
  asked: string[];
  /** Commands that the server does not have, renamed or disabled ones included; null = COMMAND INFO was refused. */
  unknown: string[] | null;
  /** Forms of a command for ACL DRYRUN, which requires as many arguments as the command takes and executes nothing. */
  getForms(command: string): string[][];
}

const isRow = (row: unknown): row is CommandRow | null => row === null || Array.isArray(row);

/** Forms that are used whatever COMMAND INFO returns; every other command gets made-up arguments. */
const FIXED: Record<string, string[]> = { keys: ['*'], config: ['get', 'maxmemory'], debug: ['jmap'] };

/** Reads COMMAND INFO for the commands that rules always check, and for `more` (`config|set` is a subcommand). */
export async function readCommands(
  ask: AuditAsk,
  more: readonly string[],
  version: string | null,
): Promise<AuditedCommands> {
  const asked = [...new Set([...ALWAYS_ASKED, ...more])];
  const names = [...new Set([...asked, ...asked.map(toCommandName)])];
  const reply = await ask<unknown>('COMMAND INFO', ...names);
  const rows = Array.isArray(reply) && reply.every(isRow) ? reply : null;
  const rowByName = new Map(names.map((name, i) => [name, rows?.[i]]));
  // Before 7.0 servers do not know subcommands by name.
  const knowsSubcommands = isSince7(version);
  const isUnknown = (name: string) =>
    rowByName.get(toCommandName(name)) === null ||
    (name.includes('|') && knowsSubcommands && rowByName.get(name) === null);
  return {
    asked,
    unknown: rows === null ? null : asked.filter(isUnknown),
    getForms(command) {
      const fixed = FIXED[command];
      if (fixed) return [[command, ...fixed]];
      const row = rowByName.get(command) ?? ([command, 1] satisfies CommandRow);
      const listed = row[SUBCOMMANDS];
      const subcommands = (Array.isArray(listed) ? listed : [])
        .filter((subcommand): subcommand is CommandRow => Array.isArray(subcommand))
        .filter(([name]) => !String(name).endsWith('|help'));
      // A user who may run one of the subcommands may run the command.
      return (subcommands.length > 0 ? subcommands : [row]).map((each) => buildForm(each, command));
    },
  };
}

const toCommandName = (name: string) => name.split('|')[0]!;
const isSince7 = (version: string | null) => Number.parseInt(version ?? '', 10) >= 7;

function buildForm([name, arity]: CommandRow, command: string): string[] {
  const words = String(name ?? command)
    .toLowerCase()
    .split('|');
  const length = Math.abs(Number(arity)) || words.length;
  return [...words, ...Array.from({ length: Math.max(0, length - words.length) }, () => '1')];
}

/** The most commands that are returned, because a server may answer anything. */
const MAX_NAMES = 2000;
/** Matches what can be the name of a command; other names of an answer are dropped. */
const COMMAND = /^[a-z][a-z0-9_.-]{0,63}$/;

/**
 * Returns the commands of this server that `known` lacks: those of modules and of later versions. A renamed command is
 * listed under its old name, on every version, because the new name is secret. null = refused. Source: COMMAND LIST
 * (7.0) or COMMAND.
 */
export async function readMoreCommands(
  ask: AuditAsk,
  version: string | null,
  known: readonly string[] = COMMAND_NAMES,
): Promise<string[] | null> {
  const reply = await ask<unknown>(isSince7(version) ? 'COMMAND LIST' : 'COMMAND');
  if (!Array.isArray(reply)) return null;
  const names = reply.map((row: unknown) => String(Array.isArray(row) ? row[0] : row).toLowerCase());
  const listed = new Set(known);
  return [...new Set(names)].filter((name) => COMMAND.test(name) && !listed.has(name)).slice(0, MAX_NAMES);
}
