import type { NodeAudit } from '@/lib/model/server-audit';

type Ask = <T>(name: string, ...args: (string | number)[]) => Promise<T | null>;

/**
 * Who everybody is before signing in. ACL DRYRUN (7.0) tells exactly what that user may run; before it, or where it is
 * refused, only `+@all` and `-@all` without further words are certain, and the rest is left out. Selectors (7.0) allow more than the
 * words of the user itself, so with them a no is not certain.
 */
export async function readDefaultUser(ask: Ask, commands: readonly string[]): Promise<NodeAudit['defaultUser']> {
  const answer = await ask<unknown[] | Record<string, unknown>>('ACL GETUSER', 'default');
  if (answer === null) return null;
  const fields = Array.isArray(answer)
    ? Object.fromEntries(answer.flatMap((name, i) => (i % 2 === 0 ? [[String(name), answer[i + 1]]] : [])))
    : answer;
  const flags = (fields.flags as string[] | undefined)?.map(String) ?? [];
  const rules = String(fields.commands ?? '');
  const selectors = Array.isArray(fields.selectors) && fields.selectors.length > 0;
  const may: Record<string, boolean> = {};
  for (const command of commands) {
    const certain = certainly(rules, command);
    if (certain !== null && (certain || !selectors)) may[command] = certain;
    else {
      const said = await ask<string>('ACL DRYRUN', 'default', command, ...(ARGUMENTS[command] ?? []));
      if (said === null) break;
      may[command] = said === 'OK';
    }
  }
  return { enabled: flags.includes('on'), noPassword: flags.includes('nopass'), may };
}

/** DRYRUN also wants to see arguments; it runs nothing. */
const ARGUMENTS: Record<string, string[]> = { keys: ['*'], config: ['get', 'maxmemory'], debug: ['jmap'] };

export function certainly(rules: string, command: string): boolean | null {
  const words = rules.trim().split(/\s+/);
  if (words.length === 1 && words[0] === '+@all') return true;
  if (words.length === 1 && words[0] === '-@all') return false;
  // The last word about exactly this command wins over all before it, unless a category follows.
  for (const word of [...words].reverse()) {
    if (word === `+${command}`) return true;
    if (word === `-${command}`) return false;
    if (word === '+@all' || word === 'allcommands') return true;
    if (word === '-@all' || word === 'nocommands') return false;
    if (word.includes('@')) return null;
  }
  return null;
}
