import { buildWordsPattern } from '@/lib/model/text/build-words-pattern';
import type { SqlContext } from '@/lib/rules/types';

export const SENSITIVE_WORDS: readonly string[] = (
  'password passwd pwd secret token apikey api_key accesskey access_key credential mima idcard id_card sfz sfzh ' +
  '身份证 手机 邮箱 银行卡 密码 phone mobile email bankcard bank_card cvv ssn'
).split(' ');

export const EMAIL = '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+[.][A-Za-z]{2,}';
const MOBILE = '(?:^|[^0-9A-Za-z])(?:[+]?86-?)?1[3-9][0-9]{9}(?:[^0-9A-Za-z]|$)';
const PROVINCE = '(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123])';
const BORN = '(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])';
/** An id card number. Test a whole run of letters and digits, so that it is no part of a longer number. */
export const ID_CARD = `${PROVINCE}[0-9]{4}${BORN}[0-9]{3}[0-9Xx]`;
/**
 * GB 11643: the weights of the first 17 digits. The last character is at position (sum modulo 11) of
 * `1-0-X-9-8-7-6-5-4-3-2`.
 */
export const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const;
/** The check characters by position. */
export const ID_CHECKS = '10X98765432';

/**
 * SQL that is true for names that hint at data that nobody should read in passing. Only what is unlikely to be an
 * ordinary number is reported:
 * - a word of the list as a separate word (`user:token:1`, `userToken`, `USER_TOKEN`; not `tokenizer`); a word of two
 * parts with any sign or a capital between them (`id-card`, `idCard`, `IDCard`); a Chinese word anywhere
 * - a mobile number: exactly 11 digits that begin with 13…19, alone or after +86. Unix seconds have 10 digits,
 * milliseconds 13, snowflake ids 16 and more; a counter would have to exceed 13,000,000,000
 * - an id card: 18 characters with a province, a date of birth and the correct check digit; one in some hundred
 * thousand other 18-digit numbers matches by chance
 * - an e-mail address
 */
export function sensitiveNameSql(words: readonly string[], sql: SqlContext): string {
  const pattern = [buildWordsPattern(words), EMAIL].filter((part) => part !== null).join('|');
  const sum = ID_WEIGHTS.map((weight, i) => `${weight} * (ascii(s[${i + 1}]) - 48)`).join(' + ');
  // Every number of that form is checked, because the first may only look like an id card.
  const cards = `list_filter(regexp_extract_all(name, '[0-9A-Za-z]{18,}'), lambda s: strlen(s) = 18
    AND regexp_full_match(s, '${ID_CARD}') AND '${ID_CHECKS}'[((${sum}) % 11) + 1] = upper(s[18]))`;
  // Few names have eleven digits in a row, and only these are checked further.
  return `(regexp_matches(name, ${sql.text(pattern)}) OR CASE WHEN regexp_matches(name, '[0-9]{11}')
    THEN regexp_matches(name, ${sql.text(MOBILE)}) OR len(${cards}) > 0 ELSE false END)`;
}
