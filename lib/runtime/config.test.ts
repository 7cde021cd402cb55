import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkConfig, config } from './config';

afterEach(() => vi.unstubAllEnvs());

describe('config', () => {
  it('has defaults that need nothing', () => {
    for (const name of ['COLONNADE_DATA', 'PORT', 'HOST', 'COLONNADE_HOSTS', 'COLONNADE_ALLOW']) vi.stubEnv(name, '');
    expect(config.dataDir).toBe(join(process.cwd(), 'data'));
    expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', listensOnLoopback: true, publicOrigin: null });
    expect(config.allowedHosts).toEqual([]);
    checkConfig();
  });

  it('reads anew each time: the environment of the build is not that of the server', () => {
    vi.stubEnv('PORT', '4000');
    expect(config.port).toBe(4000);
    vi.stubEnv('PORT', '4001');
    expect(config.port).toBe(4001);
    vi.stubEnv('COLONNADE_DATA', 'somewhere');
    expect(isAbsolute(config.dataDir)).toBe(true);
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['HOST', 'host:1@x/'],
    ['COLONNADE_HOSTS', 'https://c.example.com'],
    ['COLONNADE_HOSTS', 'ok.example.com, /etc'],
    ['COLONNADE_ORIGIN', 'c.example.com'],
    ['COLONNADE_ORIGIN', 'https://c.example.com/path'],
    ['COLONNADE_DATA', 'undefined'],
    ['COLONNADE_DATA', 'undefined/below'],
    ['COLONNADE_DATA', 'null'],
    ['COLONNADE_KEEP_SNAPSHOTS', '0'],
    ['COLONNADE_KEEP_DAYS', '1.5'],
    ['COLONNADE_LOG', 'loud'],
    ['COLONNADE_METRICS_TOKEN', 'short'],
    ['COLONNADE_PROTECT', 'a:*, "open'],
    ['COLONNADE_PROTECT', '"a"b'],
    // The system passes bytes that are not UTF-8 as this character.
    ['COLONNADE_PROTECT', '\ufffd\ufffd*'],
    ['COLONNADE_PROTECT', 'a:*,h[ae'],
    ['COLONNADE_PROTECT', 'App\\Models:*'],
    ['COLONNADE_PROTECT', '[]:*'],
  ])('refuses %s=%s by name', (name, value) => {
    vi.stubEnv(name, value);
    expect(() => checkConfig()).toThrow(`${name}: `);
  });

  it.each([
    ['', []],
    ['a:*,b:* c', ['a:*', 'b:*', 'c']],
    ['"my app:*", "a,b"', ['my app:*', 'a,b']],
    ['"say \\"so\\"" "back\\\\slash" a"b', ['say "so"', 'back\\\\slash', 'a"b']],
    ['h[ae]llo:* \\*', ['h[ae]llo:*', '\\*']],
  ])('reads the patterns of %s', (value, patterns) => {
    vi.stubEnv('COLONNADE_PROTECT', value);
    expect(config.protectedPatterns).toEqual(patterns);
  });

  it('is for a single user on this machine only, and for people who sign in anywhere', () => {
    for (const host of ['0.0.0.0', '::', '10.1.2.3', 'colonnade.example.com']) {
      vi.stubEnv('HOST', host);
      vi.stubEnv('COLONNADE_SINGLE_USER', '1');
      expect(() => checkConfig()).toThrow(/^COLONNADE_SINGLE_USER: .*HOST/);
      vi.stubEnv('COLONNADE_SINGLE_USER', 'yes');
      expect(() => checkConfig()).toThrow(/neither 1 nor 0/);
      for (const value of ['', '0']) {
        vi.stubEnv('COLONNADE_SINGLE_USER', value);
        checkConfig();
        expect(config.singleUser).toBe(false);
      }
    }
    vi.stubEnv('HOST', '127.0.0.1');
    vi.stubEnv('COLONNADE_SINGLE_USER', '1');
    checkConfig();
    // Behind a proxy all requests come from this machine.
    for (const [name, value] of [
      ['COLONNADE_ORIGIN', 'https://colonnade.example.com'],
      ['COLONNADE_HOSTS', 'localhost:3000 10.0.0.5'],
    ] as const) {
      vi.stubEnv(name, value);
      expect(() => checkConfig()).toThrow(/^COLONNADE_SINGLE_USER: /);
      vi.stubEnv(name, '');
    }
    vi.stubEnv('COLONNADE_ORIGIN', 'http://localhost:3000');
    vi.stubEnv('COLONNADE_HOSTS', '[::1]:3000 127.0.0.1');
    checkConfig();
  });

  it('never prints a secret', () => {
    vi.stubEnv('COLONNADE_KEY', 'hunter2-hunter2');
    vi.stubEnv('COLONNADE_METRICS_TOKEN', 'hunter2-hunter2-hunter2');
    const { key, metricsToken } = config;
    expect(`${key} ${JSON.stringify({ key, metricsToken })} ${String(metricsToken)}`).not.toContain('hunter2');
    expect(key?.reveal()).toBe('hunter2-hunter2');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['127.example.com', false],
  ])('knows whether %s is loopback', (host, expected) => {
    vi.stubEnv('HOST', host);
    expect(config.listensOnLoopback).toBe(expected);
  });
});

it('every setting is in the README', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const code = read('config.ts') + read('snapshot-store-settings.ts');
  const names = new Set(code.match(/(?<=')(COLONNADE_[A-Z0-9_]+|PORT|HOST)(?=')/g));
  // The parent sets it for its own programs.
  names.delete('COLONNADE_PARENT');
  expect(names.size).toBeGreaterThan(30);
  const readme = read('../../README.md');
  expect([...names].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
