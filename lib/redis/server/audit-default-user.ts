import type { NodeAudit } from '@/lib/model/servers/server-audit';
import type { AuditedCommands } from './audit-commands';

type Ask = <T>(name: string, ...args: (string | number)[]) => Promise<T | null>;

/**
 * Reads what the default user may do, which is every client's user before signing in. ACL DRYRUN (7.0) tells exactly
 * which commands that user may run. Before 7.0, or if it is refused, only `+@all` and `-@all` without further words are
 * certain, and other commands are left out. Selectors (7.0) allow more than the user's own rules, so a no from the
 * rules is then not certain.
 */
export async function readDefaultUser(ask: Ask, commands: AuditedCommands): Promise<NodeAudit['defaultUser']> {
  const answer = await ask<unknown>('ACL GETUSER', 'default');
  if (answer === null || typeof answer !== 'object') return null;
  const fields: Record<string, unknown> = Array.isArray(answer)
    ? Object.fromEntries(answer.flatMap((name, i) => (i % 2 === 0 ? [[String(name), answer[i + 1]]] : [])))
    : { ...answer };
  if (!Array.isArray(fields.flags)) return null;
  const flags = fields.flags.map(String);
  const rules = String(fields.commands ?? '');
  const selectors = Array.isArray(fields.selectors) && fields.selectors.length > 0;
  const may: Record<string, boolean> = {};
  let answers = true;
  for (const command of commands.asked) {
    // DRYRUN knows nothing about a command that the server does not have.
    if (commands.unknown?.includes(command)) continue;
    const certain = judgeRules(rules, command);
    if (certain !== null && (certain || !selectors)) may[command] = certain;
    else if (answers) {
      const said = await tryDryRun(ask, commands.getForms(command));
      if (said === null) answers = false;
      else may[command] = said;
    }
  }
  return { enabled: flags.includes('on'), noPassword: flags.includes('nopass'), may };
}

/**
 * Returns whether one of the forms may be run; null = DRYRUN was refused. A key or channel without permission counts as
 * allowed: the one in the form is made up, and others may be permitted.
 */
async function tryDryRun(ask: Ask, forms: readonly string[][]): Promise<boolean | null> {
  for (const form of forms) {
    const said = await ask<string>('ACL DRYRUN', 'default', ...form);
    if (said === null) return null;
    if (said === 'OK' || /no permissions to access/i.test(said)) return true;
  }
  return false;
}

export function judgeRules(rules: string, command: string): boolean | null {
  const words = rules.trim().split(/\s+/);
  if (words.length === 1 && words[0] === '+@all') return true;
  if (words.length === 1 && words[0] === '-@all') return false;
  // The last rule about exactly this command overrides all earlier ones, unless a category follows it.
  const [whole] = command.split('|');
  for (const word of [...words].reverse()) {
    // A rule for a command covers its subcommands, and a user who may run one subcommand may run the command in that
    // form.
    if (word === `+${command}` || word === `+${whole}` || word.startsWith(`+${command}|`)) return true;
    if (word === `-${command}` || word === `-${whole}`) return false;
    if (word === '+@all' || word === 'allcommands') return true;
    if (word === '-@all' || word === 'nocommands') return false;
    if (word.includes('@')) return null;
  }
  return null;
}
