import { buildWordsPattern } from '@/lib/model/text/build-words-pattern';

/** Words in the names of keys that have a short expiry on purpose. */
const LOCK_WORDS = ['lock', 'mutex', 'redlock', '锁'];
const CODE_WORDS = ['captcha', 'otp', 'sms', 'vcode', 'verify', 'verification', 'check_code', 'auth_code', '验证码'];
export const LOCK_NAME = buildWordsPattern(LOCK_WORDS)!;
const SHORT_LIVED_NAME = buildWordsPattern([...LOCK_WORDS, ...CODE_WORDS])!;

/**
 * Length of the longest of '', null, nil, {}, [] and the like, which a cache stores to remember that there is no data.
 */
const EMPTY_ANSWER_BYTES = 4;
const isMoreThanEmpty = `(type <> 'string' OR length > ${EMPTY_ANSWER_BYTES})`;

/** SQL for T5: the key expires soon, and neither its name nor its value gives a reason for it. */
export const tooShortSql = (expiresSoon: string) =>
  `(CASE WHEN coalesce(${expiresSoon}, false) THEN NOT regexp_matches(name, '${SHORT_LIVED_NAME}') AND coalesce(${isMoreThanEmpty}, false)
    ELSE false END)`;

/** SQL that is true for keys that may violate T5, because their expiry, type or length is unknown. */
export const perhapsTooShortSql = (expiresSoon: string) =>
  `(CASE WHEN NOT expiry_known OR (coalesce(${expiresSoon}, false) AND ${isMoreThanEmpty} IS NULL)
    THEN NOT regexp_matches(name, '${SHORT_LIVED_NAME}') AND coalesce(${isMoreThanEmpty}, true) ELSE false END)`;
