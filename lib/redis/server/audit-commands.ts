import { ALWAYS_ASKED } from '@/lib/model/servers/server-audit';

type Ask = <T>(name: string, ...args: (string | number)[]) => Promise<T | null>;

/** The used part of COMMAND INFO for one command: [name, arity, …, subcommands]; subcommands exist since 7.0. */
type ClockAnswer = [name: string, arity: number, ...rest: unknown[]];
const SUBCOMMANDS = 9;

export interface AuditedCommands {
  asked: string[];
  /** Commands that the server does not have, renamed or disabled ones included; null = COMMAND INFO was refused. */
  unknown: string[] | null;
  /** Forms of a command for ACL DRYRUN, which requires as many arguments as the command takes and executes nothing. */
  getForms(command: string): string[][];
}

const isRow = (row: unknown): row is ClockAnswer | null => row === null || Array.isArray(row);

/** Forms that are used whatever COMMAND INFO returns; every other command gets made-up arguments. */
const FIXED: Record<string, string[]> = { keys: ['*'], config: ['get', 'maxmemory'], debug: ['jmap'] };

/** Reads COMMAND INFO for the commands that rules always check, and for `more` (`config|set` is a subcommand). */
export async function readCommands(
  ask: Ask,
  more: readonly string[],
  version: string | null,
): Promise<AuditedCommands> {
  const asked = [...new Set([...ALWAYS_ASKED, ...more])];
  const names = [...new Set([...asked, ...asked.map(toCommandName)])];
  const given = await ask<unknown>('COMMAND INFO', ...names);
  const answers = Array.isArray(given) && given.every(isRow) ? given : null;
  const reported = new Map(names.map((name, i) => [name, answers?.[i]]));
  // Before 7.0 servers do not know subcommands by name.
  const named = Number.parseInt(version ?? '', 10) >= 7;
  const isUnknown = (name: string) =>
    reported.get(toCommandName(name)) === null || (name.includes('|') && named && reported.get(name) === null);
  return {
    asked,
    unknown: answers === null ? null : asked.filter(isUnknown),
    getForms(command) {
      const fixed = FIXED[command];
      if (fixed) return [[command, ...fixed]];
      const row = reported.get(command);
      const below = row?.[SUBCOMMANDS];
      const subcommands = (Array.isArray(below) ? below : [])
        .filter((one): one is ClockAnswer => Array.isArray(one))
        .filter(([name]) => !String(name).endsWith('|help'));
      // A user who may run one of the subcommands may run the command.
      return (subcommands.length > 0 ? subcommands : [row ?? ([command, 1] as ClockAnswer)]).map((one) =>
        buildForm(one, command),
      );
    },
  };
}

const toCommandName = (name: string) => name.split('|')[0]!;

function buildForm([name, arity]: ClockAnswer, command: string): string[] {
  const words = String(name ?? command)
    .toLowerCase()
    .split('|');
  const length = Math.abs(Number(arity)) || words.length;
  return [...words, ...Array.from({ length: Math.max(0, length - words.length) }, () => '1')];
}
