import { expect, it } from 'vitest';
import { matchesText, parseGlob } from '@/lib/model/text/glob';
import { buildPathExemption } from './path-exemption';

it.each([
  ['user:', false, { prefixes: ['user:'], patterns: [] }],
  ['{shop}:cart:', false, { prefixes: ['{shop}:cart:'], patterns: [] }],
  ['retry', true, { prefixes: [], patterns: ['retry'] }],
  ['a*b', true, { prefixes: [], patterns: ['a\\*b'] }],
  // A name that really contains the token is taken literally.
  ['a:\\{int}:', false, { prefixes: ['a:{int}:'], patterns: [] }],
  ['user:{int}:', false, { prefixes: [], patterns: ['user:*:*'] }],
  ['user:{int}', true, { prefixes: [], patterns: ['user:*'] }],
  ['celery-task-meta-{uuid}', true, { prefixes: [], patterns: ['celery-task-meta-*'] }],
  ['a*b:{int}', true, { prefixes: [], patterns: ['a\\*b:*'] }],
  ['App\\Job[1]\\xff:{int}', true, { prefixes: [], patterns: ['App\\\\Job\\[1]\\xff:*'] }],
  ['a\\*{int}{date}', true, { prefixes: [], patterns: ['a\\\\\\**'] }],
  // These patterns would match nearly every key.
  ['{int}{date}', false, null],
  ['{int}:', false, null],
  ['{uuid}', true, null],
  ['', false, null],
] as const)('%j, end %j', (path, end, exemption) => expect(buildPathExemption(path, end)).toEqual(exemption));

it('the pattern of a folded path matches it too, which is how groups are exempted', () => {
  for (const path of ['shop:user:{int}:', 'job-{date}', '{{int}}:lock']) {
    const exemption = buildPathExemption(path, false);
    expect(exemption?.patterns.map((pattern) => matchesText(parseGlob(pattern), path))).toEqual([true]);
  }
});
