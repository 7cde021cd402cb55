import { expect, it } from 'vitest';
import { parsePostgresUrl } from './postgres-url';

const BEYOND = 'postgres://u:p%40ss@db.example.com/colonnade';

it('beyond this machine nothing goes in plain text, unless the address says so', () => {
  expect(parsePostgresUrl(BEYOND)).toMatchObject({ port: 5432, password: 'p@ss', ssl: { rejectUnauthorized: true } });
  expect(parsePostgresUrl(`${BEYOND}?sslmode=require`).ssl).toEqual({ rejectUnauthorized: true });
  expect(parsePostgresUrl(`${BEYOND}?sslmode=no-verify`).ssl).toEqual({ rejectUnauthorized: false });
  expect(parsePostgresUrl(`${BEYOND}?sslmode=disable`).ssl).toBe(false);
  for (const host of ['127.0.0.1:5433', 'localhost', '[::1]'])
    expect(parsePostgresUrl(`postgres://u:p@${host}/c`).ssl).toBe(false);
  expect(parsePostgresUrl('postgres://u:p@localhost/c?host=/run/postgresql')).toMatchObject({
    host: '/run/postgresql',
    ssl: false,
  });
});

it.each([
  ['mysql://u:p-secret@h/c', 'is not an address'],
  ['postgres://u:p-secret@h', 'no database'],
  ['postgres://h/c', 'no user'],
  ['postgres://u:p-secret@h/c?sslmod=disable', '"sslmod" is not known'],
  ['postgres://u:p-secret@h/c?sslmode=prefer', 'sslmode "prefer"'],
  ['postgres://u:p-secret@h/c?schema=a;drop', 'schema "a;drop"'],
])('%s is refused without its password', (url, says) => {
  expect(() => parsePostgresUrl(url)).toThrow(says);
  expect(() => parsePostgresUrl(url)).not.toThrow('p-secret');
});

it('what may be printed holds no password', () => {
  expect(parsePostgresUrl(`${BEYOND}?schema=own`).display).toBe('db.example.com:5432/colonnade (schema own)');
});
