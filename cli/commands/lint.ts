import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat } from '@/cli/fail-on';
import { readNames } from '@/cli/input/read-names';
import { createLintOutput } from '@/cli/output/lint-output';
import { parseArguments } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { lintNames } from '@/lib/policies/lint-names';
import { listRules } from '@/lib/policies/list-rules';

const OPTIONS = {
  ...FINDINGS_OPTIONS,
  profile: { type: 'string' },
  literal: { type: 'boolean' },
} as const;

/** Names per write: the output for many bad names is much longer than the names, and must not fill the memory. */
const NAMES_PER_WRITE = 1000;

/**
 * `colonnade lint [FILE…]`: checks names or templates against the naming rules, without any Redis. Suitable for a
 * pre-commit hook: exit 1 if a name violates a rule of the strength of --fail-on (default mandatory) or a stronger one.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments({ args, options: OPTIONS, allowPositionals: true });
  const format = parseFormat(values);
  const { strengths: fails, onlyNew } = parseFailOn(values['fail-on'] ?? 'mandatory');
  if (onlyNew) throw new UsageError('Names in a list are not compared with a snapshot, so none is new.');
  if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('Give files of names, or names on stdin.');
  const profile = await openChosenProfile(values.profile);
  const output = createLintOutput(format, profile.name, listRules().rules);
  const options = { literal: values.literal === true, delimiter: profile.delimiter };
  let failed = false;
  for await (const names of readNames(positionals.length === 0 ? ['-'] : positionals, options)) {
    const verdicts = await lintNames(profile, names);
    failed ||= verdicts.some(({ violated }) =>
      violated.some(({ exempt, strength }) => !exempt && fails.includes(strength)),
    );
    for (let from = 0; from < names.length; from += NAMES_PER_WRITE) {
      const part = names.slice(from, from + NAMES_PER_WRITE);
      await print(output.part(part.map((name, i) => ({ ...name, verdict: verdicts[from + i]! }))));
    }
  }
  await print(output.end());
  return failed ? EXIT.findings : EXIT.fine;
}
