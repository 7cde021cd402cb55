import type { Strength } from '@/lib/model/rules/rules';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { UsageError } from './exit';

/** The strengths that fail: `--fail-on recommended` fails on recommended and stronger rules. */
export function parseFailOn(text: string | undefined): readonly Strength[] {
  if (text === undefined) return [];
  const at = STRENGTHS.indexOf(text as Strength);
  if (at < 0) throw new UsageError(`--fail-on takes ${STRENGTHS.join(', ')}.`);
  return STRENGTHS.slice(0, at + 1);
}

export const FORMATS = ['text', 'json', 'markdown', 'sarif'] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** The output format. `--json`, `--markdown` and `--sarif` are short for `--format`. Throws UsageError. */
export function parseFormat(values: {
  format?: string;
  json?: boolean;
  markdown?: boolean;
  sarif?: boolean;
}): OutputFormat {
  const asked = [values.format, values.json && 'json', values.markdown && 'markdown', values.sarif && 'sarif'].filter(
    (format): format is string => typeof format === 'string',
  );
  if (asked.length > 1) throw new UsageError('Give one format only.');
  const format = asked[0] ?? 'text';
  if (!(FORMATS as readonly string[]).includes(format)) throw new UsageError(`--format takes ${FORMATS.join(', ')}.`);
  return format as OutputFormat;
}
