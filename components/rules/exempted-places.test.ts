import { expect, it } from 'vitest';
import { parseExemptedPlaces } from './exempt-dialog';

const NONE = { prefixes: [], patterns: [] };
const prefix = (...prefixes: string[]) => ({ prefixes, patterns: [] });
const pattern = (...patterns: string[]) => ({ prefixes: [], patterns });

it.each([
  ['user:', NONE, prefix('user:')],
  ['', NONE, prefix('')],
  ['\n\n', prefix('a:'), prefix('')],
  ['user:*:tmp', NONE, pattern('user:*:tmp')],
  ['\\java\\*:lock', NONE, pattern('\\java\\*:lock')],
  ['what?:', NONE, pattern('what?:')],
  ['a:\nb*\nc:\n', NONE, { prefixes: ['a:', 'c:'], patterns: ['b*'] }],
  // A prefix of the keyspace that contains a wildcard is taken literally.
  ['what?:', prefix('what?:'), prefix('what?:')],
  ['a*b:\nc*', prefix('a*b:'), { prefixes: ['a*b:'], patterns: ['c*'] }],
  ['what?:*', prefix('what?:'), pattern('what?:*')],
  // A pattern that is exactly one name does not become a prefix of more.
  ['retry', pattern('retry'), pattern('retry')],
  ['retry\ndead', pattern('retry'), { prefixes: ['dead'], patterns: ['retry'] }],
])('%j beside %j', (text, given, places) => expect(parseExemptedPlaces(text, given)).toEqual(places));
