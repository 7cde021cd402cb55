import type { NodeAudit } from '@/lib/model/servers/server-audit';
import type { AuditAsk, AuditedCommands } from './audit-commands';

/**
 * Reads what the default user may do, which is every client's user before signing in. The user's rules decide where
 * they are certain; for other commands ACL DRYRUN (7.0) is asked. Before 7.0, or if it is refused, those are omitted.
 * Selectors (7.0) allow more than the user's own rules, so with selectors a no from the rules is not certain. null =
 * ACL GETUSER is refused or unknown.
 */
export async function readDefaultUser(ask: AuditAsk, commands: AuditedCommands): Promise<NodeAudit['defaultUser']> {
  const user = await ask<unknown>('ACL GETUSER', 'default');
  if (user === null || typeof user !== 'object') return null;
  const fields: Record<string, unknown> = Array.isArray(user)
    ? Object.fromEntries(user.flatMap((name, i) => (i % 2 === 0 ? [[String(name), user[i + 1]]] : [])))
    : { ...user };
  if (!Array.isArray(fields.flags)) return null;
  const flags = fields.flags.map(String);
  const rules = String(fields.commands ?? '');
  const hasSelectors = Array.isArray(fields.selectors) && fields.selectors.length > 0;
  const may: Record<string, boolean> = {};
  let hasDryRun = true;
  for (const command of commands.asked) {
    // DRYRUN knows nothing about a command that the server does not have.
    if (commands.unknown?.includes(command)) continue;
    const byRules = judgeRules(rules, command);
    if (byRules !== null && (byRules || !hasSelectors)) may[command] = byRules;
    else if (hasDryRun) {
      const byDryRun = await tryDryRun(ask, commands.getForms(command));
      if (byDryRun === null) hasDryRun = false;
      else may[command] = byDryRun;
    }
  }
  return { enabled: flags.includes('on'), noPassword: flags.includes('nopass'), may };
}

/**
 * Returns whether one of the forms may be run; null = DRYRUN was refused. A key or channel without permission counts as
 * allowed: the one in the form is made up, and others may be permitted.
 */
async function tryDryRun(ask: AuditAsk, forms: readonly string[][]): Promise<boolean | null> {
  for (const form of forms) {
    const verdict = await ask<string>('ACL DRYRUN', 'default', ...form);
    if (verdict === null) return null;
    if (verdict === 'OK' || /no permissions to access/i.test(verdict)) return true;
  }
  return false;
}

/** Judges a command by the rules of a user, such as `+@all -debug`; null = they are not certain about it. */
function judgeRules(rules: string, command: string): boolean | null {
  const words = rules.trim().split(/\s+/);
  if (words.length === 1 && words[0] === '+@all') return true;
  if (words.length === 1 && words[0] === '-@all') return false;
  // The last rule about exactly this command overrides all earlier ones, unless a category follows it.
  const [commandName] = command.split('|');
  for (const word of [...words].reverse()) {
    // A rule for a command covers its subcommands, and a user who may run one subcommand may run the command in that
    // form.
    if (word === `+${command}` || word === `+${commandName}` || word.startsWith(`+${command}|`)) return true;
    if (word === `-${command}` || word === `-${commandName}`) return false;
    if (word === '+@all' || word === 'allcommands') return true;
    if (word === '-@all' || word === 'nocommands') return false;
    if (word.includes('@')) return null;
  }
  return null;
}
