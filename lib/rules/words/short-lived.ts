import { wordsPattern } from '@/lib/model/text/words-pattern';

/** What lives short on purpose, as far as names and values tell. */
const LOCK_WORDS = ['lock', 'mutex', 'redlock', '锁'];
const CODE_WORDS = ['captcha', 'otp', 'sms', 'vcode', 'verify', 'verification', 'check_code', 'auth_code', '验证码'];
export const LOCK_NAME = wordsPattern(LOCK_WORDS)!;
const SHORT_LIVED_NAME = wordsPattern([...LOCK_WORDS, ...CODE_WORDS])!;

/** The longest of '', null, nil, {}, [] and the like, by which a cache keeps that there is nothing. */
const EMPTY_ANSWER_BYTES = 4;
const isMoreThanEmpty = `(type <> 'string' OR length > ${EMPTY_ANSWER_BYTES})`;

/** T5: what expires soon, and neither its name nor its value says that it should. */
export const tooShortSql = (expiresSoon: string) =>
  `(CASE WHEN coalesce(${expiresSoon}, false) THEN NOT regexp_matches(name, '${SHORT_LIVED_NAME}') AND coalesce(${isMoreThanEmpty}, false)
    ELSE false END)`;

/** Perhaps such a key: when it expires, its type or its length is unknown. */
export const perhapsTooShortSql = (expiresSoon: string) =>
  `(CASE WHEN NOT expiry_known OR (coalesce(${expiresSoon}, false) AND ${isMoreThanEmpty} IS NULL)
    THEN NOT regexp_matches(name, '${SHORT_LIVED_NAME}') AND coalesce(${isMoreThanEmpty}, true) ELSE false END)`;
