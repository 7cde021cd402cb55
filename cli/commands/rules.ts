import { parseArgs } from 'node:util';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { alignColumns } from '@/cli/units';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { listRules } from '@/lib/policies/list-rules';
import { formatProfile } from '@/lib/policies/open-profile';

/** `colonnade rules`: prints the catalogue, one rule of it, or a profile as YAML. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) throw new UsageError('Give at most one rule.');
  if (positionals.length > 0 && values.profile !== undefined)
    throw new UsageError('Give a rule, or --profile for all of that profile; not both.');
  const { rules, standards } = listRules();
  const [id] = positionals;
  if (values.profile !== undefined) return print(Buffer.from(formatProfile(await openChosenProfile(values.profile))));
  if (id === undefined) {
    if (values.json) return print(`${JSON.stringify(listRules())}\n`);
    const rows = rules.map((rule) => [
      rule.id,
      rule.kind,
      rule.sources.map((s) => s.standard).join(' '),
      rule.text.en.title,
    ]);
    return print(`${alignColumns(['rule', 'scope', 'standards', 'requirement'], rows, [])}\n`);
  }
  const rule = rules.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (rule === undefined) throw new UsageError(`There is no rule "${id}". colonnade rules lists all.`);
  return print(
    values.json ? `${JSON.stringify(rule)}\n` : formatRule(rule, new Map(standards.map((s) => [s.id, s.title]))),
  );
}

function formatRule(rule: RuleInfo, standards: ReadonlyMap<string, string>): string {
  const params = Object.entries(rule.params).map(
    ([name, spec]) =>
      `  ${name}: ${Array.isArray(spec.default) ? spec.default.join(', ') : spec.default} ${spec.unit === undefined || spec.unit === 'count' ? '' : spec.unit === 'yesNo' ? '(1 yes, 0 no) ' : `${spec.unit} `}(${spec.origin === 'ours' ? 'default of Colonnade' : 'from a standard'}) — ${spec.label.en}`,
  );
  return [
    `${rule.id}  ${rule.text.en.title}  ·  ${rule.text['zh-CN'].title}`,
    '',
    `Reason: ${rule.text.en.why}`,
    `Fix: ${rule.text.en.fix}`,
    '',
    ...rule.sources.flatMap((s) => [
      `  ${s.standard} ${standards.get(s.standard) ?? ''}: ${s.strength}`,
      ...(s.note ? [`     ${s.note.en}`] : []),
    ]),
    ...(params.length > 0 ? ['', ...params] : []),
    ...(rule.background?.en ?? []).flatMap((paragraph) => ['', paragraph]),
    ...(rule.snippets ?? []).flatMap(({ language, code }) => ['', `${language}:`, code.trimEnd()]),
    '',
  ].join('\n');
}

/** A Buffer is a file for other commands and is written unchanged (cli/output/guard-output.ts). */
async function print(text: string | Buffer): Promise<number> {
  await new Promise<void>((done) => process.stdout.write(text, () => done()));
  return EXIT.fine;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { profile: { type: 'string' }, json: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
