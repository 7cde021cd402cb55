import type { ServerRuleFinding } from '@/lib/model/servers/server-audit';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import type { DescribedFolder } from '@/lib/snapshots/folder/small-files';

/**
 * Evaluates the server rules of the base profile on what the scan recorded about the servers, by rule id. All are
 * unknown if it recorded nothing. `expiryShare` is the share of keys that expire (0…1; null: unknown).
 */
export async function judgeScannedServer(
  folder: DescribedFolder,
  compiled: CompiledPolicy,
  expiryShare: number | null,
): Promise<Map<string, ServerRuleFinding>> {
  const rules = compiled.profiles[compiled.base]!.serverRules;
  const audit = await readServerFile(folder);
  const found: ServerRuleFinding[] =
    audit === null
      ? rules.map((rule) => ({ rule: rule.id, verdict: 'unknown', evidence: [], missing: [] }))
      : judgeServer(audit, new Map(rules.map((rule) => [rule.id, rule.params])), { expiryShare });
  return new Map(found.map((one) => [one.rule, one]));
}
