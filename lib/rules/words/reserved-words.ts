import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { escapeRegex } from '@/lib/rules/template';
import type { Params, SqlContext } from '@/lib/rules/types';

/**
 * N20: a segment is a word of Redis, or the whole name is a word of Redis that is also an everyday word. One pattern
 * over the whole name, because some names are split into segments by no other rule.
 */
export function reservedWordSql(params: Params, sql: SqlContext): string {
  const reserved = [...COMMAND_NAMES, ...sql.moreCommands, ...toWordList(params.reserved)].map((one) =>
    one.toLowerCase(),
  );
  // Nobody has listed whether an unknown command is an everyday word, so it counts as one if it has letters only.
  // Commands of modules (`json.get`) do not.
  const words = sql.moreCommands.filter((one) => /^[a-z]+$/.test(one) && !COMMAND_NAMES.includes(one));
  const ordinary = new Set([...toWordList(params.ordinary), ...words].map((word) => word.toLowerCase()));
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
