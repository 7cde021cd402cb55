import { parseArgs } from 'node:util';
import type { Strength } from '@/lib/model/rules';
import { lintNames } from '@/lib/policies/lint-names';
import { listRules } from '@/lib/policies/list-rules';
import { openProfile } from '@/lib/policies/open-profile';
import { EXIT, UsageError } from './exit';
import { failOn, formatOf } from './fail-on';
import { lintMarkdown, lintSarif, lintText } from './lint-output';
import { readNames } from './read-names';

const OPTIONS = {
  profile: { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  sarif: { type: 'boolean' },
  literal: { type: 'boolean' },
} as const;

/**
 * `colonnade lint [FILE…]`: names or templates against the naming rules, without any Redis. Fit for a pre-commit hook:
 * exit 1 when a name breaks a rule of --fail-on (default mandatory) or heavier.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const format = formatOf(values);
  const fails = failOn(values['fail-on'] ?? 'mandatory');
  if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('Give files of names, or names on stdin.');
  const profile = await openProfile(values.profile ?? 'default');
  const names = await readNames(positionals.length === 0 ? ['-'] : positionals, {
    literal: values.literal === true,
    delimiter: profile.delimiter,
  });
  const verdicts = await lintNames(profile, names);
  const checked = names.map((name, i) => ({ ...name, verdict: verdicts[i]! }));
  const { rules } = listRules();
  const out =
    format === 'json'
      ? `${JSON.stringify({
          profile: profile.name,
          checked: checked.length,
          names: checked.map(({ file, line, written, type, verdict }) => ({
            file,
            line,
            name: written,
            type,
            ...verdict,
          })),
        })}\n`
      : format === 'sarif'
        ? lintSarif(checked, rules)
        : format === 'markdown'
          ? lintMarkdown(checked, rules)
          : lintText(checked, rules);
  await new Promise<void>((done) => process.stdout.write(out, () => done()));
  const worst = (strength: Strength) => fails.includes(strength);
  return checked.some(({ verdict }) => verdict.broken.some((b) => !b.exempt && worst(b.strength)))
    ? EXIT.findings
    : EXIT.fine;
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
