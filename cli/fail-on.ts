import type { FindingsReport } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { UsageError } from './exit';

/** The options of all commands that evaluate rules. */
export const FINDINGS_OPTIONS = {
  'fail-on': { type: 'string' },
  format: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  sarif: { type: 'boolean' },
} as const;

/** The strengths that fail: `--fail-on recommended` fails on recommended and stronger rules. */
export function parseFailOn(text: string | undefined): readonly Strength[] {
  if (text === undefined) return [];
  const index = STRENGTHS.indexOf(text as Strength);
  if (index < 0) throw new UsageError(`--fail-on takes ${STRENGTHS.join(', ')}.`);
  return STRENGTHS.slice(0, index + 1);
}

/**
 * Whether a rule of these strengths is violated. Keys are not counted, because server rules have none and group rules
 * find groups.
 */
export const violatesAny = (report: FindingsReport, fails: readonly Strength[]): boolean =>
  report.rules.some((rule) => rule.status === 'violated' && fails.includes(rule.strength));

export const FORMATS = ['text', 'json', 'markdown', 'sarif'] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** The output format. `--json`, `--markdown` and `--sarif` are short for `--format`. Throws UsageError. */
export function parseFormat(values: {
  format?: string;
  json?: boolean;
  markdown?: boolean;
  sarif?: boolean;
}): OutputFormat {
  const given = [values.format, values.json && 'json', values.markdown && 'markdown', values.sarif && 'sarif'].filter(
    (format): format is string => typeof format === 'string',
  );
  if (given.length > 1) throw new UsageError('Give one format only.');
  const format = given[0] ?? 'text';
  if (!(FORMATS as readonly string[]).includes(format)) throw new UsageError(`--format takes ${FORMATS.join(', ')}.`);
  return format as OutputFormat;
}
