import type { RuleFinding } from '@/lib/model/rules/findings';
import type { ServerRuleFinding } from '@/lib/model/servers/server-audit';
import type { CompiledPolicy, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import type { Source } from '@/lib/snapshots/query/with-source';
import { computeExpiryShare } from './expiry-share';
import { describeRule } from './rule-findings';

/**
 * Evaluates the server rules of the base profile on what the scan recorded about the servers. All are unknown if it
 * recorded nothing.
 */
export async function buildServerFindings(source: Source, compiled: CompiledPolicy): Promise<RuleFinding[]> {
  const rules = compiled.profiles[compiled.base]!.serverRules;
  const judged = await judgeScannedServer(source, rules);
  return rules.flatMap((rule) => {
    const found = judged.find((finding) => finding.rule === rule.id);
    if (!found) return [];
    const { rule: _rule, ...server } = found;
    return [
      {
        ...describeRule(rule),
        status: server.verdict,
        keys: null,
        bytes: null,
        shareKeys: null,
        shareBytes: null,
        exemptKeys: 0,
        unknownKeys: 0,
        groups: null,
        example: null,
        server,
        change: null,
      },
    ];
  });
}

async function judgeScannedServer(source: Source, rules: readonly CompiledRule[]): Promise<ServerRuleFinding[]> {
  const audit = await readServerFile(source);
  if (audit === null) return rules.map(({ id }) => ({ rule: id, verdict: 'unknown', evidence: [], missing: [] }));
  const expiryShare = await computeExpiryShare(source);
  return judgeServer(audit, new Map(rules.map((rule) => [rule.id, rule.params])), { expiryShare });
}
