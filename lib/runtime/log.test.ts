import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '@/lib/model/secret';
import { escapeForeign } from '@/lib/model/text/escape-foreign';
import { createLog } from './log';

let lines: string[];
const made = () => createLog({ write: (line: string) => void lines.push(line) });
const last = () => JSON.parse(lines.at(-1) ?? '{}');
beforeEach(() => {
  lines = [];
  vi.stubEnv('COLONNADE_LOG', 'info');
});
afterEach(() => vi.unstubAllEnvs());

describe('the log', () => {
  it('is one JSON object a line, whatever a name holds', () => {
    const name = 'a\n{"level":"fatal"}\u001b[2J\u202eb\u200b\u0085\ufeff';
    made().info({ key: name, list: [name], deep: { name } }, `read ${name}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f\u0085\u200b\u202e\ufeff]/);
    expect(last()).toMatchObject({ level: 'info', key: expect.stringContaining('\\u202e') });
  });

  it('blanks what is named like a secret and whatever is a Secret', () => {
    const secret = new Secret('hunter2');
    const target = { host: 'h', password: 'hunter2', tlsKey: 'hunter2' };
    made().info(
      { password: 'hunter2', target, request: { headers: { authorization: 'Bearer hunter2' } }, secret },
      'x',
    );
    expect(lines.join()).not.toContain('hunter2');
    expect(last().target).toMatchObject({ host: 'h', password: '***' });
    expect(`${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`).not.toContain('hunter2');
  });

  it('cuts errors down: a failed command hangs its arguments on them', () => {
    const error = Object.assign(new Error('NOAUTH'), { code: 'NOAUTH', command: { name: 'auth', args: ['hunter2'] } });
    made().error({ err: new Error('outer', { cause: error }) }, 'failed');
    expect(lines.join()).not.toContain('hunter2');
    expect(last().err).toMatchObject({ message: 'outer', cause: { message: 'NOAUTH', code: 'NOAUTH' } });
    expect(last().err.stack).toContain('log.test');
    made().error(error);
    expect(lines.join()).not.toContain('hunter2');
    expect(last().err).toMatchObject({ message: 'NOAUTH' });
  });

  it('leaves ordinary text of any language alone', () => {
    for (const text of ['user:42:profile', '用户:42', 'naïve – “quoted”', '🔑']) expect(escapeForeign(text)).toBe(text);
  });
});

it('lies beside the answer of a command, not in it', () => {
  const script = `import { log, logOnStandardError } from '@/lib/runtime/log';
    if (process.argv.includes('--command')) logOnStandardError();
    log().warn('test.line');`;
  const said = (...args: string[]) => {
    const at = ['--import', 'tsx', '--input-type=module', '-e', script, '--', ...args];
    const { stdout, stderr } = spawnSync(process.execPath, at, { encoding: 'utf8' });
    return [stdout.includes('test.line'), stderr.includes('test.line')];
  };
  expect(said()).toEqual([true, false]);
  expect(said('--command')).toEqual([false, true]);
}, 30_000);
