import { parseArgs } from 'node:util';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { parseFailOn, parseFormat } from '@/cli/fail-on';
import { readNames } from '@/cli/input/read-names';
import { createLintOutput } from '@/cli/output/lint-output';
import { lintNames } from '@/lib/policies/lint-names';
import { listRules } from '@/lib/policies/list-rules';

const OPTIONS = {
  profile: { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  sarif: { type: 'boolean' },
  literal: { type: 'boolean' },
} as const;

const SAID_AT_ONCE = 1000;

/**
 * `colonnade lint [FILE…]`: checks names or templates against the naming rules, without any Redis. Suitable for a
 * pre-commit hook: exit 1 if a name violates a rule of the strength of --fail-on (default mandatory) or a stronger one.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on'] ?? 'mandatory');
  if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('Give files of names, or names on stdin.');
  const profile = await openChosenProfile(values.profile);
  const output = createLintOutput(format, profile.name, listRules().rules);
  const options = { literal: values.literal === true, delimiter: profile.delimiter };
  let failed = false;
  for await (const names of readNames(positionals.length === 0 ? ['-'] : positionals, options)) {
    const verdicts = await lintNames(profile, names);
    failed ||= verdicts.some(({ violated }) => violated.some((b) => !b.exempt && fails.includes(b.strength)));
    // Printed in parts, because the output for many bad names is much longer than the names.
    for (let from = 0; from < names.length; from += SAID_AT_ONCE) {
      const some = names.slice(from, from + SAID_AT_ONCE);
      await print(output.part(some.map((name, i) => ({ ...name, verdict: verdicts[from + i]! }))));
    }
  }
  await print(output.end());
  return failed ? EXIT.findings : EXIT.fine;
}

const print = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
