import { expect, it } from 'vitest';
import { parseExemptionScope } from './exempt-dialog';

it.each([
  ['user:', null, { prefix: 'user:', pattern: null }],
  ['', null, { prefix: '', pattern: null }],
  ['user:*:tmp', null, { prefix: null, pattern: 'user:*:tmp' }],
  ['\\java\\*:lock', null, { prefix: null, pattern: '\\java\\*:lock' }],
  ['what?:', null, { prefix: null, pattern: 'what?:' }],
  // A prefix of the keyspace that contains a wildcard is taken literally.
  ['what?:', 'what?:', { prefix: 'what?:', pattern: null }],
  ['a*b:', 'a*b:', { prefix: 'a*b:', pattern: null }],
  ['what?:*', 'what?:', { prefix: null, pattern: 'what?:*' }],
])('%j with the literal %j', (text, literal, where) => expect(parseExemptionScope(text, literal)).toEqual(where));
