import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from '@/lib/model/secret';
import { InstanceInput, InstanceUpdate } from '@/lib/model/servers/instance';

/** The only files where a secret becomes a text: at a socket, at the cipher, at the library that signs users in. */
const REVEALED = [
  // These send it to Redis.
  'lib/redis/connection/node-client.ts',
  'lib/redis/connection/open-socket.ts',
  'lib/redis/protocol/channel.ts',
  // These seal secrets, or read the key that seals them.
  'lib/instances/secrets-patch.ts',
  // This reads a list of instances, whose passwords are hidden again in each of them.
  'lib/instances/import/import-instances.ts',
  'lib/access/vault/vault-key.ts',
  // These send it to PostgreSQL, to the object store, or to the identity provider.
  'lib/maintenance/backup/restore-backup.ts',
  'lib/maintenance/move-store/move-store.ts',
  'lib/store/engines/listen-to-jobs.ts',
  'lib/store/open-store.ts',
  'lib/snapshots/remote/objects/object-store.ts',
  'lib/access/oidc/connect-provider.ts',
  // This sends the password of the outgoing proxy to that proxy.
  'lib/alerts/send-http.ts',
  // This compares it with what a caller sends.
  'app/api/monitoring.ts',
  // The command line sends it to the server, or puts it into an input object.
  'cli/input/read-input.ts',
  'cli/server-client/ask-server.ts',
  'cli/server-client/exchange.ts',
];

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'app', 'cli', 'components', 'lib', 'instrumentation.ts'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file));

it('reveals a secret only where it leaves the process or is sealed', () => {
  const reveals = files.filter((file) => /\.reveal\(\)/.test(readFileSync(file, 'utf8')));
  expect(reveals.filter((file) => file !== 'lib/model/secret.ts').sort()).toEqual([...REVEALED].sort());
});

it.each([
  [
    'a registration',
    InstanceInput.parse(typed({ name: 'a', topology: 'standalone', endpoints: [{ host: 'h', port: 1 }] })),
  ],
  ['a change', InstanceUpdate.parse(typed({}))],
])('hides the secrets of %s as soon as the body is read', (_, body) => {
  const error = new Error('of a verb', { cause: body });
  for (const text of [
    JSON.stringify(body),
    inspect(body, { depth: 9, showHidden: true }),
    inspect(error, { depth: 9 }),
  ])
    expect(text).not.toContain('canary');
  expect(`${body.secrets?.password}`).toBe('***');
  expect(body.secrets?.password?.reveal()).toBe('canary-1');
  expect(body.secrets?.sentinelPassword?.reveal()).toBe('canary-2');
  expect(body.secrets?.tlsKey?.reveal()).toBe('canary-3');
});

function typed(settings: object) {
  return { ...settings, secrets: { password: 'canary-1', sentinelPassword: 'canary-2', tlsKey: 'canary-3' } };
}

it('says nothing of a secret in a text, a sum or a copy', () => {
  const secret = new Secret('canary');
  const copy = { ...secret } as object;
  for (const text of [
    `${secret}`,
    `${secret as unknown as string}!`,
    JSON.stringify({ secret, copy }),
    inspect(secret),
    inspect(copy),
  ])
    expect(text).not.toContain('canary');
  expect(structuredClone(secret)).not.toHaveProperty('text');
});
