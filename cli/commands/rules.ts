import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { alignColumns } from '@/cli/units';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { listRules } from '@/lib/policies/list-rules';
import { formatProfile } from '@/lib/policies/open-profile';

/** `colonnade rules`: prints the catalogue, one rule of it, or a profile as YAML. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments({
    args,
    options: { profile: { type: 'string' }, json: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new UsageError('Give at most one rule.');
  if (positionals.length > 0 && values.profile !== undefined)
    throw new UsageError('Give a rule, or --profile for all of that profile; not both.');
  await print(
    values.profile === undefined
      ? formatRules(positionals[0], values.json === true)
      : Buffer.from(formatProfile(await openChosenProfile(values.profile))),
  );
  return EXIT.fine;
}

/** The rule `id`, or all rules if it is undefined. Throws UsageError. */
function formatRules(id: string | undefined, json: boolean): string {
  const { rules, standards } = listRules();
  if (id === undefined) {
    if (json) return `${JSON.stringify(listRules())}\n`;
    const rows = rules.map((rule) => [
      rule.id,
      rule.kind,
      rule.sources.map(({ standard }) => standard).join(' '),
      rule.text.en.title,
    ]);
    return `${alignColumns(['rule', 'scope', 'standards', 'requirement'], rows, [])}\n`;
  }
  const rule = rules.find((known) => known.id.toLowerCase() === id.toLowerCase());
  if (rule === undefined) throw new UsageError(`There is no rule "${id}". colonnade rules lists all.`);
  return json ? `${JSON.stringify(rule)}\n` : formatRule(rule, new Map(standards.map(({ id, title }) => [id, title])));
}

function formatRule(rule: RuleInfo, standards: ReadonlyMap<string, string>): string {
  const params = Object.entries(rule.params).map(([name, { default: initial, unit, origin, label }]) => {
    const value = Array.isArray(initial) ? initial.join(', ') : initial;
    const unitText = unit === undefined || unit === 'count' ? '' : unit === 'yesNo' ? '(1 yes, 0 no) ' : `${unit} `;
    return `  ${name}: ${value} ${unitText}(${origin === 'ours' ? 'default of Colonnade' : 'from a standard'}) — ${label.en}`;
  });
  return [
    `${rule.id}  ${rule.text.en.title}  ·  ${rule.text['zh-CN'].title}`,
    '',
    `Reason: ${rule.text.en.why}`,
    `Fix: ${rule.text.en.fix}`,
    '',
    ...rule.sources.flatMap(({ standard, strength, note }) => [
      `  ${standard} ${standards.get(standard) ?? ''}: ${strength}`,
      ...(note ? [`     ${note.en}`] : []),
    ]),
    ...(params.length > 0 ? ['', ...params] : []),
    ...(rule.background?.en ?? []).flatMap((paragraph) => ['', paragraph]),
    ...(rule.snippets ?? []).flatMap(({ language, code }) => ['', `${language}:`, code.trimEnd()]),
    '',
  ].join('\n');
}
