import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/**
 * Commit subjects have the form `component: verb …` and at most 72 characters (docs/GLOSSARY.md). Checked are the
 * commits since this rule exists. If that commit is not known (a shallow clone, an export without `.git`, a rewritten
 * history), the test of the history is skipped and says so.
 */
const SINCE = '94d65fde58b56259f82bc03b6458cd68f1a5c2d1';
const MAX = 72;
/** One component or several, each a path or words, then what the commit does. */
const FORM = /^[a-z0-9][\w./-]*(?: [\w./-]+)*(?:, [\w./-]+(?: [\w./-]+)*)*: (?<verb>[a-z]+)\b/;
const PAST_OR_GOING = /(?:ed|ing)$/;
const IMPERATIVE = new Set(['bring', 'embed', 'feed', 'need', 'proceed', 'seed', 'speed']);

/** Returns what is wrong with a subject; null = nothing. */
function objection(subject: string): string | null {
  if (subject.startsWith('Revert "')) return null;
  if (subject.length > MAX) return `${subject.length} characters: ${subject}`;
  const verb = FORM.exec(subject)?.groups?.verb;
  if (verb === undefined) return `not "component: verb …": ${subject}`;
  if (PAST_OR_GOING.test(verb) && !IMPERATIVE.has(verb)) return `not imperative: ${subject}`;
  return subject.endsWith('.') ? `a full stop: ${subject}` : null;
}

/** Returns the subjects since `commit`; null = the history does not reach back so far, or there is none. */
function subjectsSince(commit: string): string[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return git('log', '--no-merges', '--format=%s', `${commit}..HEAD`).split('\n').filter(Boolean);
  } catch {
    return null;
  }
}

describe('subjects of commits', () => {
  it.each([
    'drain: keep the order of equal scores',
    'test, docs: wait until a pause is heard',
    'snapshots/seal: take less of the disk',
    'data table: bring columns back',
    'Revert "drain: keep the order of equal scores"',
  ])('%s: passes', (subject) => {
    expect(objection(subject)).toBeNull();
  });

  it.each([
    ['Keep the order of equal scores', 'not "component'],
    ['drain: Keep the order', 'not "component'],
    ['drain keep the order', 'not "component'],
    ['drain: removed the order', 'not imperative'],
    ['drain: keeping the order', 'not imperative'],
    ['drain: keep the order.', 'a full stop'],
    [`drain: keep ${'x'.repeat(61)}`, '73 characters'],
  ])('%s: %s', (subject, found) => {
    expect(objection(subject)).toContain(found);
  });

  it('are so in the history, where that is known', ({ skip }) => {
    const subjects = subjectsSince(SINCE) ?? skip(`${SINCE.slice(0, 8)} is not in this history.`);
    expect(subjects.flatMap((subject) => objection(subject) ?? [])).toEqual([]);
  });

  it('are not known of a commit that is not there', () => {
    expect(subjectsSince('0'.repeat(40))).toBeNull();
  });
});
