import type { OutputFormat } from '@/cli/fail-on';
import type { LintName } from '@/cli/input/read-names';
import { formatNumber, safe } from '@/cli/units';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { formatCode, formatMarkdownTable } from './markdown-table';
import { formatSarifEnd, formatSarifResults, LEVEL, SARIF_HEAD } from './sarif';

export interface LintedName extends LintName {
  verdict: KeyVerdict;
}

/** Output of lint, in parts as names are read, because a million verdicts at once would fill the memory. */
interface LintOutput {
  part(names: readonly LintedName[]): string;
  end(): string;
}

export function createLintOutput(format: OutputFormat, profile: string, rules: readonly RuleInfo[]): LintOutput {
  return {
    text: createTextOutput,
    json: () => createJsonOutput(profile),
    markdown: createMarkdownOutput,
    sarif: createSarifOutput,
  }[format](rules);
}

const mapTitles = (rules: readonly RuleInfo[]) => new Map(rules.map((rule) => [rule.id, rule.text.en.title]));
const getRuleTitle = ({ rule, title }: KeyVerdict['violated'][number], titles: Map<string, string>) =>
  safe(title ?? titles.get(rule) ?? rule);
const formatNamePlace = (name: LintedName) => `${safe(name.file)}:${name.line}`;

/**
 * The suggested name; null: none. The suggestion for a template belongs to its sample, so it is shown only for plain
 * names.
 */
const getSuggestion = ({ written, name, verdict }: LintedName) =>
  verdict.suggested !== null && verdict.suggested !== written && written === name ? verdict.suggested : null;

/** The format of compilers: file, line, level, rule and sentence, one finding per line. */
function createTextOutput(rules: readonly RuleInfo[]): LintOutput {
  const titles = mapTitles(rules);
  let [checked, violated] = [0, 0];
  return {
    part(names) {
      checked += names.length;
      const lines: string[] = [];
      for (const name of names) {
        if (name.verdict.violated.length === 0) continue;
        violated++;
        const [place, shown, suggestion] = [formatNamePlace(name), safe(name.written), getSuggestion(name)];
        for (const finding of name.verdict.violated)
          lines.push(
            `${place}: ${LEVEL[finding.strength]} ${finding.rule} ${shown}: ${getRuleTitle(finding, titles)}\n`,
          );
        if (suggestion !== null) lines.push(`${place}: try ${safe(suggestion)}\n`);
      }
      return lines.join('');
    },
    end: () => `${formatNumber(checked)} names checked, ${formatNumber(violated)} with findings\n`,
  };
}

function createJsonOutput(profile: string): LintOutput {
  let checked = 0;
  const open = `{"profile":${JSON.stringify(profile)},"names":[`;
  return {
    part(names) {
      const before = checked === 0 ? open : ',';
      checked += names.length;
      const entries = names.map(({ file, line, written, type, verdict }) =>
        JSON.stringify({ file, line, name: written, type, ...verdict }),
      );
      return entries.length === 0 ? '' : before + entries.join(',');
    },
    end: () => `${checked === 0 ? open : ''}],"checked":${checked}}\n`,
  };
}

function createMarkdownOutput(rules: readonly RuleInfo[]): LintOutput {
  const titles = mapTitles(rules);
  let [checked, reported] = [0, 0];
  return {
    part(names) {
      checked += names.length;
      const rows = names.flatMap((name) =>
        name.verdict.violated.map((finding) => [
          formatCode(safe(name.written)),
          formatNamePlace(name),
          finding.rule,
          finding.strength,
          getRuleTitle(finding, titles),
          getSuggestion(name) === null ? '' : formatCode(safe(getSuggestion(name)!)),
        ]),
      );
      if (rows.length === 0) return '';
      const head = ['name', 'where', 'rule', 'strength', 'what', 'try'];
      const text = formatMarkdownTable(head, rows, [0, 5]);
      reported += rows.length;
      // Later parts continue the table, so they have no head.
      return reported === rows.length ? text : text.split('\n').slice(2).join('\n');
    },
    end: () => (reported === 0 ? `${formatNumber(checked)} names checked, no rule violated.\n` : ''),
  };
}

function createSarifOutput(rules: readonly RuleInfo[]): LintOutput {
  const titles = mapTitles(rules);
  const used = new Map<string, string | null>();
  return {
    part(names) {
      const before = used.size === 0 ? SARIF_HEAD : ',\n';
      const results = names.flatMap((name) =>
        name.verdict.violated.map((finding) => ({
          rule: finding.rule,
          title: finding.title,
          strength: finding.strength,
          message: `${safe(name.written)}: ${getRuleTitle(finding, titles)}`,
          file: { path: name.file, line: name.line },
        })),
      );
      for (const { rule, title } of results) used.set(rule, title);
      return results.length === 0 ? '' : before + formatSarifResults(results);
    },
    end: () => (used.size === 0 ? SARIF_HEAD : '') + formatSarifEnd(rules, used),
  };
}
