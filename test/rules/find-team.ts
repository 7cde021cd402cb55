import type { EffectivePolicy } from '@/lib/model/rules/policy';

/**
 * Returns the team of a name, computed for each name: the longest registered prefix that ends at the end of a word of
 * the name.
 */
export function findTeam(policy: EffectivePolicy, name: string): string | null {
  const delimiter = policy.profiles[policy.base]!.body.delimiter;
  const holding = policy.owners.flatMap(({ prefix, team }) => {
    if (!name.startsWith(prefix)) return [];
    const isWord = /[\p{L}\p{N}]$/u.test(prefix);
    if (name === prefix) return [{ team, length: prefix.length + (isWord ? delimiter.length : 0), asWritten: !isWord }];
    if (!isWord) return [{ team, length: prefix.length, asWritten: true }];
    return name.startsWith(delimiter, prefix.length)
      ? [{ team, length: prefix.length + delimiter.length, asWritten: false }]
      : [];
  });
  holding.sort((a, b) => b.length - a.length || Number(b.asWritten) - Number(a.asWritten));
  return holding[0]?.team ?? null;
}
