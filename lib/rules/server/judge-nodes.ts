import type { NodeAudit, ServerAudit, ServerDoubt, ServerFinding } from '@/lib/model/servers/server-audit';

export type Figures = Record<string, number | string>;

/**
 * Why a rule is not evaluated: commands that would provide the fact (`needs`), and reasons that no command would solve
 * (`because`).
 */
export interface Unknown {
  needs: readonly string[];
  because: readonly ServerDoubt[];
}
export const createUnknown = (needs: string[], because: ServerDoubt[]): Unknown => ({ needs, because });
export const unknownWithoutCommands = (...needs: string[]): Unknown => createUnknown(needs, []);
export const unknownBecause = (...because: ServerDoubt[]): Unknown => createUnknown([], because);
const isUnknown = (found: Figures | Unknown): found is Unknown => Array.isArray((found as Unknown).needs);

/**
 * Judges each node: figures = it violates the rule, with these figures as evidence; null = it passes; Unknown = the
 * fact could not be read. One violating node makes the rule violated; otherwise one unknown node makes it not
 * evaluated.
 */
export function judgeNodes(audit: ServerAudit, judge: (node: NodeAudit) => Figures | null | Unknown): ServerFinding {
  const evidence: ServerFinding['evidence'] = [];
  const missing = new Set<string>();
  const because = new Set<ServerDoubt>();
  /** Addresses of nodes that could not be reached. */
  const unread: string[] = [];
  let unknowns = audit.nodes.length === 0 ? 1 : 0;
  for (const node of audit.nodes) {
    // Nothing is known about an unreachable node, and no permission would change that.
    if (node.missing.some(({ command, reason }) => command === 'info' && reason === 'unreachable')) {
      unknowns++;
      unread.push(node.address);
      continue;
    }
    const found = judge(node);
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

/** Calls of a command and its subcommands since the statistics were reset; null = the server does not report them. */
export function sumCommandStats(node: NodeAudit, command: string): { calls: number; microseconds: number } | null {
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

export const roundToTenth = (value: number) => Math.round(value * 10) / 10;

/** A list of words from the parameters of a rule, trimmed and in lower case; [] if there is none. */
export function readWords(params: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = params[name];
  return Array.isArray(value)
    ? value.map((word) => String(word).trim().toLowerCase()).filter((word) => word !== '')
    : [];
}
