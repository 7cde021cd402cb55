import type { KeyVerdict } from '@/lib/model/findings';
import type { RuleInfo } from '@/lib/model/rules';
import { code, table } from './markdown-table';
import type { LintName } from './read-names';
import { LEVEL, sarif } from './sarif';
import { number, safe } from './units';

export interface LintedName extends LintName {
  verdict: KeyVerdict;
}

const titlesOf = (rules: readonly RuleInfo[]) => new Map(rules.map((rule) => [rule.id, rule.text.en.title]));
const what = (b: KeyVerdict['broken'][number], titles: Map<string, string>) => b.title ?? titles.get(b.rule) ?? b.rule;

/** What a person would write instead; of a template the suggestion is about its sample, so it is told only for plain names. */
const instead = ({ written, name, verdict }: LintedName) =>
  verdict.suggested !== null && verdict.suggested !== written && written === name ? verdict.suggested : null;

/** As compilers do: file, line, level, rule and sentence, one per line. */
export function lintText(names: readonly LintedName[], rules: readonly RuleInfo[]): string {
  const titles = titlesOf(rules);
  const broken = names.filter(({ verdict }) => verdict.broken.length > 0);
  const lines = broken.flatMap((name) => [
    ...name.verdict.broken.map(
      (b) => `${name.file}:${name.line}: ${LEVEL[b.strength]} ${b.rule} ${safe(name.written)}: ${what(b, titles)}`,
    ),
    ...(instead(name) === null ? [] : [`${name.file}:${name.line}: try ${safe(instead(name)!)}`]),
  ]);
  const count = `${number(names.length)} names checked, ${number(broken.length)} with findings`;
  return `${[...lines, count].join('\n')}\n`;
}

export function lintMarkdown(names: readonly LintedName[], rules: readonly RuleInfo[]): string {
  const titles = titlesOf(rules);
  const rows = names.flatMap((name) =>
    name.verdict.broken.map((b) => [
      code(safe(name.written)),
      `${name.file}:${name.line}`,
      b.rule,
      b.strength,
      what(b, titles),
      instead(name) === null ? '' : code(safe(instead(name)!)),
    ]),
  );
  if (rows.length === 0) return `${number(names.length)} names checked, no rule is broken.\n`;
  return table(['name', 'where', 'rule', 'strength', 'what', 'try'], rows, [0, 5]);
}

export function lintSarif(names: readonly LintedName[], rules: readonly RuleInfo[]): string {
  const titles = titlesOf(rules);
  return sarif(
    rules,
    names.flatMap((name) =>
      name.verdict.broken.map((b) => ({
        rule: b.rule,
        strength: b.strength,
        message: `${safe(name.written)}: ${what(b, titles)}`,
        file: { uri: name.file, line: name.line },
      })),
    ),
  );
}
