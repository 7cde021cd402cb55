import type { NodeAudit, ServerAudit, ServerDoubt, ServerFinding } from '@/lib/model/servers/server-audit';

export type Figures = Record<string, number | string>;

/** The commands that would tell, and what none would. */
export interface Unknown {
  needs: readonly string[];
  because: readonly ServerDoubt[];
}
export const inDoubt = (needs: string[], because: ServerDoubt[]): Unknown => ({ needs, because });
export const unknown = (...needs: string[]): Unknown => inDoubt(needs, []);
export const notEvaluated = (...because: ServerDoubt[]): Unknown => inDoubt([], because);
const isUnknown = (found: Figures | Unknown): found is Unknown => Array.isArray((found as Unknown).needs);

/**
 * Judges each node: figures = it violates the rule and these show it, null = it passes, unknown = the fact could not be
 * read. A violation on one node violates the rule; else one unknown node leaves it not evaluated.
 */
export function perNode(audit: ServerAudit, look: (node: NodeAudit) => Figures | null | Unknown): ServerFinding {
  const evidence: ServerFinding['evidence'] = [];
  const missing = new Set<string>();
  const because = new Set<ServerDoubt>();
  const unread: string[] = [];
  let unknowns = audit.nodes.length === 0 ? 1 : 0;
  for (const node of audit.nodes) {
    // Of such a node nothing is known, and no permission would change that.
    if (node.missing.some(({ command, reason }) => command === 'info' && reason === 'unreachable')) {
      unknowns++;
      unread.push(node.address);
      continue;
    }
    const found = look(node);
    if (found === null) continue;
    if (isUnknown(found)) {
      unknowns++;
      for (const command of found.needs) missing.add(command);
      for (const doubt of found.because) because.add(doubt);
    } else evidence.push({ address: node.address, figures: found });
  }
  const verdict = evidence.length > 0 ? 'violated' : unknowns > 0 ? 'unknown' : 'passed';
  return {
    verdict,
    evidence,
    missing: [...missing],
    ...(because.size > 0 && { because: [...because] }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Calls of a command and its subcommands since the statistics were reset; null = the server does not tell. */
export function callsOf(node: NodeAudit, command: string): { calls: number; microseconds: number } | null {
  if (node.commandStats === null) return null;
  let calls = 0;
  let microseconds = 0;
  for (const [name, stat] of Object.entries(node.commandStats)) {
    if (name !== command && !name.startsWith(`${command}|`)) continue;
    calls += stat.calls;
    microseconds += stat.microseconds;
  }
  return { calls, microseconds };
}

/** A list of words among the parameters of a rule, in lower case. */
export function wordsOf(params: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = params[name];
  return Array.isArray(value)
    ? value.map((word) => String(word).trim().toLowerCase()).filter((word) => word !== '')
    : [];
}
