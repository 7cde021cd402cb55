import { expect, it } from 'vitest';
import { matchesText, parseGlob } from '@/lib/model/text/glob';
import { buildPathExemption } from './path-exemption';

it.each([
  ['user:', false, { prefix: 'user:' }],
  ['{shop}:cart:', false, { prefix: '{shop}:cart:' }],
  // A name that really contains the token is taken literally.
  ['a:\\{int}:', false, { prefix: 'a:{int}:' }],
  ['user:{int}:', false, { pattern: 'user:*:*' }],
  ['user:{int}', true, { pattern: 'user:*' }],
  ['celery-task-meta-{uuid}', true, { pattern: 'celery-task-meta-*' }],
  ['a*b:{int}', true, { pattern: 'a\\*b:*' }],
  ['App\\Job[1]\\xff:{int}', true, { pattern: 'App\\\\Job\\[1]\\xff:*' }],
  ['a\\*{int}{date}', true, { pattern: 'a\\\\\\**' }],
  // These patterns would match nearly every key.
  ['{int}{date}', false, null],
  ['{int}:', false, null],
  ['{uuid}', true, null],
  ['', false, null],
] as const)('%j, end %j', (path, end, exemption) => expect(buildPathExemption(path, end)).toEqual(exemption));

it('the pattern of a folded path matches it too, which is how groups are exempted', () => {
  for (const path of ['shop:user:{int}:', 'job-{date}', '{{int}}:lock']) {
    const exemption = buildPathExemption(path, false);
    expect(exemption && 'pattern' in exemption && matchesText(parseGlob(exemption.pattern), path)).toBe(true);
  }
});
