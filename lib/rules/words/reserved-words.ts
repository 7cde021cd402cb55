import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { escapeRegex } from '@/lib/rules/template';
import type { Params, SqlContext } from '@/lib/rules/types';

/**
 * N20: a segment is a word of Redis, or the whole name is one that elsewhere is an ordinary word. One pattern over the
 * whole name, because there are names that no other rule takes apart.
 */
export function reservedWordSql(params: Params, sql: SqlContext): string {
  const reserved = [...COMMAND_NAMES, ...sql.moreCommands, ...listOf(params.reserved)].map((one) => one.toLowerCase());
  // Whether an unknown command is an ordinary word nobody said; those of modules are none (`json.get`).
  const words = sql.moreCommands.filter((one) => /^[a-z]+$/.test(one) && !COMMAND_NAMES.includes(one));
  const ordinary = new Set([...listOf(params.ordinary), ...words].map((word) => word.toLowerCase()));
  const anywhere = reserved.filter((word) => !ordinary.has(word));
  const d = escapeRegex(sql.delimiterText);
  const among = (words: readonly string[]) => `(?:${[...new Set(words)].map(escapeRegex).join('|')})`;
  const terms = [`^${among(reserved)}$`, ...(anywhere.length > 0 ? [`(?:^|${d})${among(anywhere)}(?:${d}|$)`] : [])];
  return `regexp_matches(name, ${sql.text(`(?i)${terms.join('|')}`)})`;
}

const listOf = (value: Params[string] | undefined) =>
  (Array.isArray(value) ? (value as readonly string[]) : []).filter((word) => word !== '');
