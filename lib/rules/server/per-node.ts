import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/server-audit';

export type Figures = Record<string, number | string>;

/**
 * Judges each node: figures = it breaks the rule and these show it, null = it keeps it, 'unknown' = the fact could not be
 * read. One broken node breaks the rule; otherwise one unknown leaves it unknown. `needs` are the commands that would tell.
 */
export function perNode(
  audit: ServerAudit,
  needs: readonly string[],
  look: (node: NodeAudit) => Figures | null | 'unknown',
): ServerFinding {
  const evidence: ServerFinding['evidence'] = [];
  const missing = new Set<string>();
  for (const node of audit.nodes) {
    const found = look(node);
    if (found === 'unknown') {
      const refused = node.missing.map((m) => m.command);
      for (const command of refused.filter((c) => needs.includes(c))) missing.add(command);
      if (!refused.some((c) => needs.includes(c))) for (const command of needs) missing.add(command);
    } else if (found !== null) evidence.push({ address: node.address, figures: found });
  }
  if (evidence.length > 0) return { verdict: 'broken', evidence, missing: [...missing] };
  if (missing.size > 0 || audit.nodes.length === 0)
    return { verdict: 'unknown', evidence: [], missing: missing.size > 0 ? [...missing] : [...needs] };
  return { verdict: 'kept', evidence: [], missing: [] };
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
