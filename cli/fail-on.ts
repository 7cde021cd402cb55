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

/** What fails: `--fail-on recommended` fails on recommended and stronger rules. */
export interface Gate {
  strengths: readonly Strength[];
  /** Only keys fail that violate a rule newly, since another snapshot. */
  onlyNew: boolean;
}
const NEW = 'new:';

/** `new:mandatory` fails only on keys that violate a mandatory rule now and did not before. Throws UsageError. */
export function parseFailOn(text: string | undefined): Gate {
  if (text === undefined) return { strengths: [], onlyNew: false };
  const onlyNew = text.startsWith(NEW);
  const index = STRENGTHS.indexOf(text.slice(onlyNew ? NEW.length : 0) as Strength);
  if (index < 0) throw new UsageError(`--fail-on takes ${STRENGTHS.join(', ')}, each also with ${NEW} before it.`);
  return { strengths: STRENGTHS.slice(0, index + 1), onlyNew };
}

/**
 * Whether a rule of these strengths is violated, or violated by new keys. Otherwise keys are not counted, because server
 * rules have none and group rules find groups.
 */
export const violatesAny = (report: FindingsReport, { strengths, onlyNew }: Gate): boolean =>
  report.rules.some(
    (rule) =>
      strengths.includes(rule.strength) && (onlyNew ? (rule.change?.newKeys ?? 0) > 0 : rule.status === 'violated'),
  );

/** Violated rules that a gate for new keys cannot judge, because they are not about keys. */
export const listUncompared = (report: FindingsReport, { strengths, onlyNew }: Gate): string[] =>
  report.rules
    .filter((rule) => onlyNew && rule.kind !== 'key' && rule.status === 'violated' && strengths.includes(rule.strength))
    .map(({ rule }) => rule);

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
