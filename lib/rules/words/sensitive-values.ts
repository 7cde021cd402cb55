import type { SensitiveKind } from '@/lib/model/keys/value-samples';
import { ID_CARD, ID_CHECKS, ID_WEIGHTS } from './sensitive-names';

/**
 * Strings of binary encodings that stand behind their length, not between separators: what follows is the next string's
 * mark, mostly a letter, and hides where a number ends. Java (`t`, two bytes), protobuf and Thrift (one byte),
 * MessagePack (0xa0 + length, or 0xd9 and a byte). Of those that could be a number, or that follow the name of a
 * password field, a text as other encodings would have it. `text`: Latin-1.
 */
function countedStrings(text: string): string {
  const numbers = [...text.matchAll(/[\x0b-\x13\xab-\xb3](?=\d{10})/g)].map(({ 0: count, index }) => {
    const length = count.charCodeAt(0) & 0x1f;
    const number = text.slice(index + 1, index + 1 + length);
    // A byte over 0x9f also ends a letter that is not ASCII; then digits go on.
    const goesOn = count > '\x9f' && /[\dXx]/.test(text[index + 1 + length] ?? '');
    return !goesOn && number.length === length && /^\d+[\dXx]$/.test(number) ? number : '';
  });
  const fields = [...text.matchAll(FIELD)].map(({ 0: all, 1: name, 2: byte, 3: short, index }) => {
    const length = byte ? byte.charCodeAt(0) : short!.charCodeAt(0) & 0x1f;
    const value = text.slice(index + all.length, index + all.length + length);
    return CLASS.test(value) ? '' : `${name}="${value}"`;
  });
  return [...numbers, ...fields].join('\n');
}

/** The name of a field, and the length of the string behind it. */
const FIELD =
  /([A-Za-z_]{0,40}(?:[pP]ass[wW]ord|[pP]asswd|[pP]wd|[sS]ecret))(?:(?:t\0|\xd9)([\x01-\xff])|([\xa1-\xbf]))/g;
/** In Java's description of a class the type of the field stands there. */
const CLASS = /^\[*L[\w/$]+;?$/;

/**
 * What the beginning of a value looks like, as far as bytes can tell. Only what is unlikely to be anything else is
 * told: numbers need the right check digit, a field named password needs a value that is neither empty nor masked nor a
 * hash of one. Values are looked at as Latin-1, so that plain text within a binary encoding is seen too. Every pattern
 * is linear in a value that is cut (lib/redis/read-beginnings).
 */
export function sensitiveKinds(value: Buffer): SensitiveKind[] {
  const plain = value.toString('latin1');
  const counted = countedStrings(plain);
  const text = counted === '' ? plain : `${plain}\n${counted}`;
  return (Object.keys(LOOKS) as SensitiveKind[]).filter((kind) => LOOKS[kind](text));
}

const LOOKS: Record<SensitiveKind, (text: string) => boolean> = {
  password: (text) =>
    matches(text, PASSWORD).some(([, quoted, bare = '']) => !isHidden(quoted ?? bare)) ||
    matches(text, IN_ADDRESS).some(([, value = '']) => !isHidden(value)),
  privateKey: (text) => PRIVATE_KEY.test(text),
  token: (text) => TOKEN.test(text) || matches(text, KEY).some(([, quoted, bare = '']) => isKey(quoted ?? bare)),
  idCard: (text) => matches(text, ID_NUMBER).some(([number]) => isIdCard(number)),
  bankCard: (text) => matches(text, CARD_NUMBER).some(([number]) => isBankCard(number.replace(/[ -]/g, ''))),
  mobile: (text) => MOBILE_NUMBER.test(text),
  email: (text) => ADDRESS.test(text),
};

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];

/** The value of a field, quoted or bare. */
const OF_FIELD = String.raw`\\{0,3}["']?[ \t]*(?:[:=]|;s:\d{1,6}:)[ \t]*(?:\\{0,3}["']([^"'\s\\]{1,200})|(?![{[])([^"'\s,;&}\]\\]{1,200}))`;

/**
 * JSON (also within a JSON string), form, YAML, PHP: `"password":"…"`, `\"dbPassword\":\"…\"`, `pwd=…`,
 * `"secret";s:6:"…"`. The word ends the name of the field and begins it, or begins with a capital within it. What is
 * not quoted and begins as an object or a list is neither, nor what stands on the next line. 密码 stands as its bytes.
 */
const PASSWORD = new RegExp(
  [
    '(?:(?<![A-Za-z])(?:pass[wW]ord|Pass[wW]ord|PASSWORD|[pP]asswd|PASSWD|[pP]wd|PWD|[sS]ecret|SECRET',
    '|[cC]redentials?|CREDENTIALS?|[mM]ima|MIMA|\xe5\xaf\x86\xe7\xa0\x81)',
    '|(?<=[a-z0-9])(?:Pass[wW]ord|Passwd|Pwd|Secret|Credentials?|Mima))',
    OF_FIELD,
  ].join(''),
  'g',
);
/** `mysql://root:…@db:3306`. */
const IN_ADDRESS = /(?<![A-Za-z])[A-Za-z][\w+.-]{1,20}:\/\/[^\s:@/"'\\]{0,64}:([^\s@/"'\\]{1,100})@[\w[]/g;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/;
/** JSON Web Tokens, and keys whose issuers gave them a beginning of their own (AWS, GitHub, Slack, Stripe, Google). */
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
/** `apiKey`, `access_key`, `secretAccessKey`: a key is longer than a word that says that there is none. */
const KEY = new RegExp(
  `(?:(?<![A-Za-z])(?:[aA]pi|API|[aA]ccess|ACCESS)|(?<=[a-z0-9])(?:Api|Access))[_-]?(?:[kK]ey|KEY)${OF_FIELD}`,
  'g',
);
const isKey = (value: string) => value.length >= 8 && !NO_PASSWORD.test(value);
/** With a province: order numbers that begin with a moment would pass for a date of birth by their time of day. */
const ID_NUMBER = new RegExp(`(?<![0-9A-Za-z])${ID_CARD}(?![0-9A-Za-z])`, 'g');
const CARD_NUMBER = /(?<![0-9A-Za-z.-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{2,7}(?![0-9A-Za-z.-])/g;
/** Neither the digits of a fraction nor what has one: coordinates and amounts. Also written 138-0013-8000. */
const MOBILE_NUMBER = /(?<![0-9A-Za-z]|\d[.])(?:[+]?86-?)?1[3-9]\d(?:\d{8}|[ -]\d{4}[ -]\d{4})(?![0-9A-Za-z]|[.]\d)/;
/** Not the user of a URL. No domain ends like a file: pictures for dense screens are named `logo@2x.png`. */
const ADDRESS =
  /(?<![\w.%+-])(?<!:\/\/[^\s@/"']{0,64})[A-Za-z0-9][\w.%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}[.]){1,5}(?!(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|html?|json|tgz)(?![\w.-]))[A-Za-z]{2,10}(?![\w-])/i;

/** A flag, masked, removed by a logger, a place to put it (`${…}`, `{{…}}`, `%s`), not ASCII (a label, bullets). */
const NO_PASSWORD =
  /^(?:[01]|null|none|nil|undefined|true|false|x+|[^*]{0,3}\*{3,}.{0,3}|\*+|[[<(].*|\$\{.*|\{\{.*|%[sdv]|%\(\w+\)s|.*[\x80-\xff].*)$/is;
/** Already a hash (crypt, LDAP, hexadecimal digests, Django, Werkzeug), or encrypted (Jasypt, Vault). */
const HASHED =
  /^(?:\$\w+\$.*|\{(?!noop\})\w+\}.*|[0-9a-f]{32,128}|(?:pbkdf2|argon2|scrypt|bcrypt|sha\d|md5\$).*|ENC\(.*|vault:v\d.*)$/is;
const isHidden = (value: string) => NO_PASSWORD.test(value) || HASHED.test(value);

/** GB 11643: the check digit. */
function isIdCard(number: string): boolean {
  const sum = ID_WEIGHTS.reduce((total, weight, i) => total + weight * Number(number[i]), 0);
  return ID_CHECKS[sum % 11] === number[17]?.toUpperCase();
}

/** Visa, Mastercard, UnionPay: an issuer's beginning, its length, and the check digit of ISO/IEC 7812 (Luhn). */
function isBankCard(number: string): boolean {
  const issued = /^(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|62\d{14,17})$/.test(number);
  if (!issued) return false;
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
