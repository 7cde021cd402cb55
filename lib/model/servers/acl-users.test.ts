import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type AclUser, buildAclRules, buildAclUserLine } from './acl-users';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const laterIn = (may: AclUser, flavor: string, version: string | null) =>
  buildAclRules(may, { flavor, version })
    .split(' ')
    .filter((rule) => /expiretime|hpexpireat|setinfo|vcard|arcount|dump|restore/.test(rule));

it.each(['scan', 'delete'] as const)('the document prints the line of Redis 7.0: %s', (may) => {
  expect(README).toContain(`\`\`\`\n${buildAclUserLine(may, { flavor: 'redis', version: '7.0.15' })}\n\`\`\``);
});

it.each([
  ['redis', '6.2.16', []],
  ['redis', null, ['+pexpiretime']],
  ['redis', '7.2.4', ['+pexpiretime', '+client|setinfo']],
  ['redis', '7.4.1', ['+pexpiretime', '+client|setinfo', '+hpexpiretime', '+hpexpireat']],
  [
    'redis',
    '8.0.6',
    ['+pexpiretime', '+client|setinfo', '+hpexpiretime', '+hpexpireat', '+vcard', '+dump', '+restore'],
  ],
  [
    'redis',
    '8.10.0',
    ['+pexpiretime', '+client|setinfo', '+hpexpiretime', '+hpexpireat', '+vcard', '+dump', '+restore', '+arcount'],
  ],
  // Valkey 8.1 has a higher version number than the Redis it was forked from, and supports fewer of these commands.
  ['valkey', '8.1.1', ['+pexpiretime', '+client|setinfo']],
  ['valkey', '9.0.0', ['+pexpiretime', '+client|setinfo', '+hpexpiretime', '+hpexpireat']],
] as const)('%s %s knows %j of what came later', (flavor, version, later) => {
  expect(laterIn('delete', flavor, version)).toEqual(later);
  expect(laterIn('scan', flavor, version)).toEqual(later.filter((rule) => !/hp|dump|restore/.test(rule)));
});
