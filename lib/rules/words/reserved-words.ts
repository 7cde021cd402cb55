import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import type { Params, SqlContext } from '@/lib/rules/types';

/**
 * Commands and replies of Redis that are also everyday words. Names need them: `user:info`, `app:config`, `job:time`,
 * the type suffix `set`, `api:role:1`. N20 refuses them only as the whole name. Every other command is a word of Redis
 * only.
 */
export const ORDINARY_WORDS = `
acl append asking auth client cluster command config copy debug digest discard dump echo exec exists expire failover
function hello info keys latency memory migrate module monitor move multi object ok persist ping publish queued quit
rename reset restore role save scan script select set shutdown sort subscribe sync time touch type wait watch
`
  .trim()
  .split(/\s+/);

/**
 * N20: a segment is a word of Redis, or the whole name is a word of Redis that is also an everyday word. One pattern
 * over the whole name, because some names are split into segments by no other rule.
 */
export function reservedWordSql(params: Params, sql: SqlContext): string {
  const reserved = [...COMMAND_NAMES, ...sql.moreCommands, ...toWordList(params.reserved)].map((word) =>
    word.toLowerCase(),
  );
  // Nobody has listed whether an unknown command is an everyday word, so it counts as one if it has letters only.
  // Commands of modules (`json.get`) do not.
  const otherOrdinary = sql.moreCommands.filter((word) => /^[a-z]+$/.test(word) && !COMMAND_NAMES.includes(word));
  const ordinary = new Set([...toWordList(params.ordinary), ...otherOrdinary].map((word) => word.toLowerCase()));
  const anywhere = reserved.filter((word) => !ordinary.has(word));
  const d = escapeRegex(sql.delimiterText);
  const toAlternatives = (words: readonly string[]) => `(?:${[...new Set(words)].map(escapeRegex).join('|')})`;
  const terms = [
    `^${toAlternatives(reserved)}$`,
    ...(anywhere.length > 0 ? [`(?:^|${d})${toAlternatives(anywhere)}(?:${d}|$)`] : []),
  ];
  return `regexp_matches(name, ${sql.text(`(?i)${terms.join('|')}`)})`;
}

const toWordList = (value: Params[string] | undefined) =>
  (Array.isArray(value) ? (value as readonly string[]) : []).filter((word) => word !== '');
