import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';

/**
 * A second implementation of the key rules about values and expiry, from the text of the standards and without any SQL.
 * Each returns true = violated, false = not violated, null = not evaluated. It shares no code with lib/rules.
 */
export interface Judged {
  asOf: number;
  lazyExpire: boolean | null;
}
type Verdict = boolean | null;

const COLLECTIONS = ['hash', 'list', 'set', 'zset'];
const known = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** The least bytes of one element, as the notes of the scan define it. */
function floorOf(row: AdHocRow): number {
  if (row.encoding === 'hashtable' || row.encoding === 'skiplist') return 16;
  const packed = row.encoding === 'listpack' || row.encoding === 'ziplist';
  return packed && (row.type === 'hash' || row.type === 'zset') ? 4 : 2;
}

const MEBIBYTE = 1024 * 1024;

/**
 * Whether a value is a HyperLogLog by its header or, if that was not read, by its length; or a bitmap or a geospatial
 * index by a word of its name (characters only).
 */
function isSpecial(row: AdHocRow): boolean {
  if (row.type === 'string') {
    if (known(row.hyperloglog) ? row.hyperloglog : row.length === 12_304) return true;
    const size = known(row.length) ? row.length : known(row.bytes) ? row.bytes / 2 : 0;
    return size <= MEBIBYTE && ['bitmap', 'bitset', 'bitfield'].some((word) => speaksOf(row.name, word));
  }
  const words = ['geo', 'geoset', 'geohash', 'geoindex', 'geospatial'];
  return row.type === 'zset' && (row.bytes ?? 0) <= MEBIBYTE && words.some((word) => speaksOf(row.name, word));
}

/** Time to free one element, µs. */
const FREEING: Record<string, number> = { hash: 0.43, zset: 0.18, set: 0.229, list: 0.0005, stream: 0.0005 };

/**
 * Whether freeing the key blocks: it is no string, is a bigkey of the standards (or above 1 MiB), and takes half a
 * millisecond to free.
 */
function blocks(row: AdHocRow): Verdict {
  if (isSpecial(row) || (known(row.type) && !Object.hasOwn(FREEING, row.type))) return false;
  if (known(row.encoding) && ['listpack', 'ziplist', 'intset', 'zipmap'].includes(row.encoding)) return false;
  const linked = row.encoding === 'linkedlist' ? 0.17 : null;
  const each = linked ?? (known(row.type) ? FREEING[row.type]! : 0.43);
  const max = known(row.length) ? row.length : known(row.bytes) ? row.bytes / floorOf(row) : Number.POSITIVE_INFINITY;
  const heavy = known(row.bytes) && row.bytes > MEBIBYTE;
  const many = known(row.length) ? row.length > 5000 : !known(row.bytes) || row.bytes >= 5000 * floorOf(row);
  if (!(heavy || many) || max * each < 500) return false;
  return known(row.type) && known(row.length) ? true : null;
}

function moreThan(row: AdHocRow, types: readonly string[], max: number): Verdict {
  if (isSpecial(row)) return false;
  if (known(row.type) && !types.includes(row.type)) return false;
  if (known(row.length)) {
    if (row.length <= max) return false;
    return known(row.type) ? true : null;
  }
  if (known(row.bytes) && row.bytes < max * floorOf(row)) return false;
  return null;
}

function longString(row: AdHocRow, max: number): Verdict {
  if (isSpecial(row)) return false;
  if (known(row.type) && row.type !== 'string') return false;
  if (known(row.length)) return row.length <= max ? false : known(row.type) ? true : null;
  if (!known(row.bytes)) return null;
  if (row.bytes <= max) return false;
  // Memory includes the name and the space reserved for growth.
  const name = row.nameBytes ?? row.raw?.length ?? Buffer.byteLength(row.name);
  return row.bytes > 2 * (max + name) + 128 && known(row.type) ? true : null;
}

/** Three-valued logic. */
const and = (...all: Verdict[]): Verdict => (all.includes(false) ? false : all.includes(null) ? null : true);
const not = (one: Verdict): Verdict => (one === null ? null : !one);

const expiring = (row: AdHocRow): Verdict => (known(row.expireAt) ? true : row.expiryKnown ? false : null);
const isOneOf = (value: string | null | undefined, all: readonly string[]): Verdict =>
  known(value) ? all.includes(value) : null;

function smallTable(row: AdHocRow): Verdict {
  const few: Verdict = known(row.length) ? row.length <= 128 : known(row.bytes) && row.bytes <= 128 * 16 ? true : null;
  const light: Verdict = known(row.bytes) ? row.bytes <= 8192 : null;
  return and(isOneOf(row.type, ['hash', 'zset']), isOneOf(row.encoding, ['hashtable', 'skiplist']), few, light);
}

export const independentValues: Readonly<Record<string, (row: AdHocRow, judged: Judged) => Verdict>> = {
  V1: (row) => longString(row, 10_240),
  V2: (row) => (known(row.bytes) ? row.bytes > 10_240 && !isSpecial(row) : null),
  V3: (row) => moreThan(row, COLLECTIONS, 5000),
  V4: (row) => moreThan(row, ['hash'], 100),
  V5: (row) => moreThan(row, ['set', 'zset', 'list'], 10_000),
  V10: (row, { lazyExpire }) => and(not(lazyExpire), expiring(row), blocks(row)),
  V14: (row, { asOf }) => {
    const named = ['lock', 'mutex', 'redlock'].some((word) => speaksOf(row.name, word));
    const lock = known(row.expireAt) ? row.expireAt <= asOf + 60_000 || named : row.expiryKnown ? false : null;
    return and(isOneOf(row.type, ['hash']), known(row.length) ? row.length === 1 : null, not(lock));
  },
  V16: (row) => looksSensitive(row.name),
  V19: smallTable,
  T1: (row) => not(expiring(row)),
  T3: (row) => not(expiring(row)),
  T5: (row, { asOf }) => {
    const words = ['lock', 'mutex', 'redlock', 'captcha', 'otp', 'sms', 'vcode', 'verify', 'verification'];
    const spelled = ['check_code', 'check.code', 'check-code', 'auth_code', 'auth.code', 'auth-code'];
    const joined = ['checkCode', 'CheckCode', 'CHECKCode', 'authCode', 'AuthCode', 'AUTHCode'];
    const isMeant =
      [...words, ...spelled].some((word) => speaksOf(row.name, word)) ||
      joined.some((word) => speaksOfCamel(row.name, word)) ||
      speaksOfShouted(row.name, 'SMS') ||
      ['锁', '验证码'].some((word) => row.name.includes(word));
    const soon = known(row.expireAt)
      ? row.expireAt > asOf && row.expireAt < asOf + 60_000
      : row.expiryKnown
        ? false
        : null;
    const isEmpty = and(isOneOf(row.type, ['string']), known(row.length) ? row.length <= 4 : null);
    return and(soon, not(isMeant), not(isEmpty));
  },
};

const WORDS = [
  ...['password', 'passwd', 'pwd', 'secret', 'token', 'phone', 'mobile', 'email', 'cvv', 'ssn', 'sfz', 'sfzh'],
  ...['idcard', 'id.card', 'id_card', 'id-card', 'bankcard', 'bank.card', 'bank_card', 'bank-card'],
  ...['apikey', 'api.key', 'api_key', 'api-key', 'accesskey', 'access.key', 'access_key', 'access-key'],
  ...['credential', 'mima'],
];
const JOINED = [
  ...['idCard', 'IdCard', 'IDCard', 'bankCard', 'BankCard', 'BANKCard'],
  ...['apiKey', 'ApiKey', 'APIKey', 'accessKey', 'AccessKey', 'ACCESSKey'],
];
/** Abbreviations that camelCase often keeps in capitals. */
const SHOUTED = ['PWD', 'CVV', 'SSN', 'SFZ', 'SFZH'];
const CHINESE = ['手机', '邮箱', '身份证', '银行卡', '密码'];

/** Written by hand, character by character, without regular expressions. */
export function looksSensitive(name: string): boolean {
  return (
    WORDS.some((word) => speaksOf(name, word)) ||
    JOINED.some((word) => speaksOfCamel(name, word)) ||
    SHOUTED.some((word) => speaksOfShouted(name, word)) ||
    CHINESE.some((word) => name.includes(word)) ||
    tokens(name).some((token) => isMobile(token) || isIdCard(token)) ||
    hasAddress(name)
  );
}

const isLower = (c: string | undefined) => c !== undefined && c >= 'a' && c <= 'z';
const isUpper = (c: string | undefined) => c !== undefined && c >= 'A' && c <= 'Z';
const isDigit = (c: string | undefined) => c !== undefined && c >= '0' && c <= '9';
const isLetter = (c: string | undefined) => isLower(c) || isUpper(c);

function speaksOf(name: string, word: string): boolean {
  const forms = [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()];
  for (let at = 0; at < name.length; at++)
    for (const [i, form] of forms.entries()) {
      if (!name.startsWith(form, at)) continue;
      const shout = i === 2;
      const before = name[at - 1];
      if (!(!isLetter(before) || (i === 1 && isLower(before)))) continue;
      const plural = name[at + form.length] === (shout ? 'S' : 's') ? 1 : 0;
      for (let s = 0; s <= plural; s++) {
        const after = name[at + form.length + s];
        if (shout ? !isLetter(after) : !isLower(after)) return true;
      }
    }
  return false;
}

/** Whether a name contains the word with camelCase: `idCard`, `userIdCard`, `idCards`. */
function speaksOfCamel(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const before = name[at - 1];
    const begins = isUpper(word[0]) ? !isLetter(before) || isLower(before) : !isLetter(before);
    const end = at + word.length;
    if (begins && (!isLower(name[end]) || (name[end] === 's' && !isLower(name[end + 1])))) return true;
  }
  return false;
}

/**
 * Whether a name contains the abbreviation after a small letter and before the next word: `userPWD`, `userPWDs`,
 * `userPWDHash`.
 */
function speaksOfShouted(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    if (!isLower(name[at - 1])) continue;
    const end = at + word.length;
    for (const from of name[end] === 's' ? [end, end + 1] : [end])
      if (!isLetter(name[from]) || (isUpper(name[from]) && isLower(name[from + 1]))) return true;
  }
  return false;
}

/** Returns the runs of letters and digits. */
function tokens(name: string): string[] {
  const found: string[] = [];
  let run = '';
  for (const c of [...name, ' ']) {
    if (isLetter(c) || isDigit(c)) run += c;
    else {
      if (run !== '') found.push(run);
      run = '';
    }
  }
  return found;
}
const allDigits = (text: string) => [...text].every(isDigit);

function isMobile(token: string): boolean {
  const number = token.length === 13 && token.startsWith('86') ? token.slice(2) : token;
  return number.length === 11 && allDigits(number) && number[0] === '1' && number[1]! >= '3';
}

const PROVINCES = new Set(
  [11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 61, 62, 63]
    .concat([64, 65, 71, 81, 82, 83])
    .map(String),
);

function isIdCard(token: string): boolean {
  if (token.length !== 18 || !allDigits(token.slice(0, 17)) || !PROVINCES.has(token.slice(0, 2))) return false;
  const year = Number(token.slice(6, 10));
  const month = Number(token.slice(10, 12));
  const day = Number(token.slice(12, 14));
  if (year < 1900 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  // ISO 7064 MOD 11-2: the whole number, with X for ten, has the remainder 1.
  let rest = 0;
  for (const c of token.slice(0, 17)) rest = ((rest + Number(c)) * 2) % 11;
  const check = token[17]!.toUpperCase() === 'X' ? 10 : Number(token[17]);
  return (rest + check) % 11 === 1;
}

function hasAddress(name: string): boolean {
  for (let at = name.indexOf('@'); at >= 0; at = name.indexOf('@', at + 1)) {
    const before = name[at - 1];
    if (!(isLetter(before) || isDigit(before) || (before !== undefined && '._%+-'.includes(before)))) continue;
    let dot = at + 1;
    while (isLetter(name[dot]) || isDigit(name[dot]) || name[dot] === '-') dot++;
    if (dot > at + 1 && name[dot] === '.' && isLetter(name[dot + 1]) && isLetter(name[dot + 2])) return true;
  }
  return false;
}
