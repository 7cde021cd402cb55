import { parseAsStringLiteral } from 'nuqs';

/** What the tables and charts of the page measure, kept in the address. */
export const TRENDS_PARAMS = {
  growing: parseAsStringLiteral(['bytes', 'keys', 'elements'] as const).withDefault('bytes'),
  pinned: parseAsStringLiteral(['bytes', 'keys'] as const).withDefault('bytes'),
};
