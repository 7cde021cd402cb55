import type { SensitiveKind } from '@/lib/model/keys/value-samples';
import { ID_CARD, ID_CHECKS, ID_WEIGHTS } from './sensitive-names';

/**
 * Strings of binary encodings that are written after their length instead of between separators. The next byte is the
 * mark of the next string, usually a letter, which hides where a number ends. The encodings are Java (`t`, two bytes),
 * protobuf and Thrift (one byte) and MessagePack (0xa0 + length, or 0xd9 and a byte). Returns the strings that could be
 * a number or that follow the name of a password field, as other encodings would write them, one per line. `text`:
 * Latin-1.
 */
function extractCountedStrings(text: string): string {
  const numbers = [...text.matchAll(/[\x0b-\x13\xab-\xb3](?=\d{10})/g)].map(({ 0: count, index }) => {
    const length = count.charCodeAt(0) & 0x1f;
    const number = text.slice(index + 1, index + 1 + length);
    // A byte over 0x9f may also end a letter that is not ASCII; then the digits continue.
    const continues = count > '\x9f' && /[\dXx]/.test(text[index + 1 + length] ?? '');
    return !continues && number.length === length && /^\d+[\dXx]$/.test(number) ? number : '';
  });
  const fields = [...text.matchAll(FIELD)].map(({ 0: all, 1: name, 2: lengthByte, 3: mark, index }) => {
    const length = lengthByte ? lengthByte.charCodeAt(0) : mark!.charCodeAt(0) & 0x1f;
    const value = text.slice(index + all.length, index + all.length + length);
    return JAVA_CLASS.test(value) ? '' : `${name}="${value}"`;
  });
  return [...numbers, ...fields].join('\n');
}

/**
 * The name of a password field, and the length of the string after it: in the byte that follows a `t` and a zero (Java)
 * or 0xd9 (MessagePack), or in the byte itself (0xa0 + length).
 */
const FIELD =
  /([A-Za-z_]{0,40}(?:[pP]ass[wW]ord|[pP]asswd|[pP]wd|[sS]ecret))(?:(?:t\0|\xd9)([\x01-\xff])|([\xa1-\xbf]))/g;
/** Java's description of a class has the type of the field at this place. */
const JAVA_CLASS = /^\[*L[\w/$]+;?$/;

/**
 * Kinds of sensitive data at the beginning of a value, as far as bytes show it. Only what is unlikely to be anything
 * else is reported: numbers need the correct check digit, and a field named password needs a value that is neither
 * empty nor masked nor a hash. Values are read as Latin-1, so that plain text within a binary encoding is found too.
 * Every pattern takes linear time, and values are cut (lib/redis/read-beginnings).
 */
export function findSensitiveKinds(value: Buffer): SensitiveKind[] {
  const plain = value.toString('latin1');
  const counted = extractCountedStrings(plain);
  const text = counted === '' ? plain : `${plain}\n${counted}`;
  return (Object.keys(RECOGNISERS) as SensitiveKind[]).filter((kind) => RECOGNISERS[kind](text));
}

const RECOGNISERS: Record<SensitiveKind, (text: string) => boolean> = {
  password: (text) =>
    findMatches(text, PASSWORD).some(([, quoted, bare = '']) => !isHidden(quoted ?? bare)) ||
    findMatches(text, URL_PASSWORD).some(([, value = '']) => !isHidden(value)),
  privateKey: (text) => PRIVATE_KEY.test(text),
  token: (text) =>
    TOKEN.test(text) || findMatches(text, API_KEY).some(([, quoted, bare = '']) => isKey(quoted ?? bare)),
  idCard: (text) => findMatches(text, ID_NUMBER).some(([number]) => isIdCard(number)),
  bankCard: (text) => findMatches(text, CARD_NUMBER).some(([number]) => isBankCard(number.replace(/[ -]/g, ''))),
  mobile: (text) => MOBILE_NUMBER.test(text),
  email: (text) => EMAIL_ADDRESS.test(text),
};

const findMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];

/** The value of a field, quoted or bare. */
const FIELD_VALUE = String.raw`\\{0,3}["']?[ \t]*(?:[:=]|;s:\d{1,6}:)[ \t]*(?:\\{0,3}["']([^"'\s\\]{1,200})|(?![{[])([^"'\s,;&}\]\\]{1,200}))`;

/**
 * Password fields of JSON (also within a JSON string), forms, YAML and PHP: `"password":"…"`, `\"dbPassword\":\"…\"`,
 * `pwd=…`, `"secret";s:6:"…"`. The word ends the field name, and either begins it or begins with a capital within it. A
 * bare value must not begin like an object or a list, and must be on the same line. 密码 is written as its bytes.
 */
const PASSWORD = new RegExp(
  [
    '(?:(?<![A-Za-z])(?:pass[wW]ord|Pass[wW]ord|PASSWORD|[pP]asswd|PASSWD|[pP]wd|PWD|[sS]ecret|SECRET',
    '|[cC]redentials?|CREDENTIALS?|[mM]ima|MIMA|\xe5\xaf\x86\xe7\xa0\x81)',
    '|(?<=[a-z0-9])(?:Pass[wW]ord|Passwd|Pwd|Secret|Credentials?|Mima))',
    FIELD_VALUE,
  ].join(''),
  'g',
);
/** A password in a URL: `mysql://root:…@db:3306`. */
const URL_PASSWORD = /(?<![A-Za-z])[A-Za-z][\w+.-]{1,20}:\/\/[^\s:@/"'\\]{0,64}:([^\s@/"'\\]{1,100})@[\w[]/g;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/;
/** JSON Web Tokens, and keys with a prefix of their issuer (AWS, GitHub, Slack, Stripe, Google). */
const TOKEN = new RegExp(
  [
    'eyJ[\\w-]{8,}[.]eyJ[\\w-]{8,}[.]',
    '(?<![0-9A-Za-z])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])',
    'gh[pousr]_[0-9A-Za-z]{36}',
    'xox[abprs]-[0-9A-Za-z-]{10,}',
    '[sr]k_live_[0-9A-Za-z]{16,}',
    'AIza[\\w-]{35}',
    '[Bb]earer\\s{1,3}[\\w.~+/-]{20,}',
  ].join('|'),
);
/** `apiKey`, `access_key`, `secretAccessKey`. A value counts only if it is longer than the words for "no key". */
const API_KEY = new RegExp(
  `(?:(?<![A-Za-z])(?:[aA]pi|API|[aA]ccess|ACCESS)|(?<=[a-z0-9])(?:Api|Access))[_-]?(?:[kK]ey|KEY)${FIELD_VALUE}`,
  'g',
);
const isKey = (value: string) => value.length >= 8 && !NO_PASSWORD.test(value);
/**
 * The province is required: order numbers that begin with a timestamp could pass for a date of birth with their time of
 * day.
 */
const ID_NUMBER = new RegExp(`(?<![0-9A-Za-z])${ID_CARD}(?![0-9A-Za-z])`, 'g');
const CARD_NUMBER = /(?<![0-9A-Za-z.-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{2,7}(?![0-9A-Za-z.-])/g;
/** Excludes the digits of a fraction and numbers that have one: coordinates and amounts. Also matches 138-0013-8000. */
const MOBILE_NUMBER = /(?<![0-9A-Za-z]|\d[.])(?:[+]?86-?)?1[3-9]\d(?:\d{8}|[ -]\d{4}[ -]\d{4})(?![0-9A-Za-z]|[.]\d)/;
/**
 * Excludes the user of a URL and domains that end like a file name: images for dense screens are named `logo@2x.png`.
 */
const EMAIL_ADDRESS =
  /(?<![\w.%+-])(?<!:\/\/[^\s@/"']{0,64})[A-Za-z0-9][\w.%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}[.]){1,5}(?!(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|html?|json|tgz)(?![\w.-]))[A-Za-z]{2,10}(?![\w-])/i;

/**
 * Values that are no password: a flag, a masked value, a value removed by a logger, a placeholder (`${…}`, `{{…}}`,
 * `%s`), or text that is not ASCII (a label, bullets).
 */
const NO_PASSWORD =
  /^(?:[01]|null|none|nil|undefined|true|false|x+|[^*]{0,3}\*{3,}.{0,3}|\*+|[[<(].*|\$\{.*|\{\{.*|%[sdv]|%\(\w+\)s|.*[\x80-\xff].*)$/is;
/** Values that are already a hash (crypt, LDAP, hexadecimal digests, Django, Werkzeug) or encrypted (Jasypt, Vault). */
const HASHED =
  /^(?:\$\w+\$.*|\{(?!noop\})\w+\}.*|[0-9a-f]{32,128}|(?:pbkdf2|argon2|scrypt|bcrypt|sha\d|md5\$).*|ENC\(.*|vault:v\d.*)$/is;
const isHidden = (value: string) => NO_PASSWORD.test(value) || HASHED.test(value);

/** Whether the check digit of GB 11643 is correct. */
function isIdCard(number: string): boolean {
  const sum = ID_WEIGHTS.reduce((total, weight, i) => total + weight * Number(number[i]), 0);
  return ID_CHECKS[sum % 11] === number[17]?.toUpperCase();
}

/** Visa, Mastercard or UnionPay: the prefix of the issuer, the length, and the check digit of ISO/IEC 7812 (Luhn). */
function isBankCard(number: string): boolean {
  const issued = /^(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|62\d{14,17})$/.test(number);
  if (!issued) return false;
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
