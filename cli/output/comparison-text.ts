import { alignColumns, formatByteCount, formatNumber, safe } from '@/cli/units';
import type { ComparisonNote } from '@/lib/model/comparison/comparison';
import { CHANGES } from '@/lib/model/comparison/comparison-words';
import type { FolderComparison } from '@/lib/scans/compare/compare-folders';

/** Groups that are listed; the JSON has all. */
const SHOWN = 20;

const NOTES: Record<ComparisonNote['code'], (params: ComparisonNote['params']) => string> = {
  databases: ({ list }) => `Only databases ${list} are compared: one of the two scans was limited to them.`,
  exceptDatabases: ({ list }) => `Databases ${list} could not be read and are not compared.`,
  prefix: ({ prefix }) =>
    `Only keys that begin with "${safe(String(prefix))}" are compared: one scan was limited to them.`,
  slots: ({ slots }) => `Only ${slots} of 16384 slots are compared: nodes with the others could not be read.`,
  partialNow: () => 'The newer scan missed keys that nobody can name: some that seem gone may still exist.',
  partialBefore: () => 'The older scan missed keys that nobody can name: some that seem new may have existed.',
  otherInstance: ({ instance }) => `The older snapshot is of another instance: ${safe(String(instance))}.`,
  policy: () => 'The older snapshot was checked under another policy; both are judged by the policy of today.',
  thresholds: () => 'The two instances have different limits for bigkeys.',
  clusters: () => 'Only one of the two is a cluster.',
  facts: () => 'One of the two scans read fewer facts; what it does not know is not compared.',
};

/** A comparison as text for the terminal. */
export function formatComparison({ now, before, notes, keys, rules, prefixes }: FolderComparison): string {
  const sign = (difference: number, format: (value: number) => string) =>
    `${difference > 0 ? '+' : difference < 0 ? '-' : ''}${format(Math.abs(difference))}`;
  const subtract = (
    a: number | null | undefined,
    b: number | null | undefined,
    format: (n: number | null) => string,
  ) => (a == null || b == null ? '—' : sign(a - b, format));
  const figure = (
    name: string,
    of: 'keys' | 'bytes' | 'noExpiry' | 'bigkeys',
    format: (n: number | null) => string,
  ) => [name, format(before.totals[of]), format(now.totals[of]), subtract(now.totals[of], before.totals[of], format)];
  const at = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
  const sections = [
    `${safe(before.instanceName)} ${at(before.startedAt)}  →  ${safe(now.instanceName)} ${at(now.startedAt)} (UTC)\n`,
    ...(notes.length > 0 ? [notes.map(({ code, params }) => `${NOTES[code]?.(params) ?? ''}\n`).join('')] : []),
    alignColumns(
      ['', 'before', 'now', 'change'],
      [
        figure('keys', 'keys', formatNumber),
        figure('memory', 'bytes', formatByteCount),
        figure('no expiry', 'noExpiry', formatNumber),
        figure('bigkeys', 'bigkeys', formatNumber),
      ],
      [1, 2, 3],
    ),
    ...(keys === null
      ? []
      : [
          alignColumns(
            ['', ...CHANGES],
            [
              ['keys', ...CHANGES.map((change) => formatNumber(keys.keys[change].keys))],
              [
                'memory',
                ...CHANGES.map((change) =>
                  keys.keys[change].keys === 0 ? '' : formatByteCount(keys.keys[change].bytes),
                ),
              ],
              ['bigkeys', ...CHANGES.map((change) => formatNumber(keys.bigkeys[change]))],
            ],
            [1, 2, 3, 4],
          ),
        ]),
    ...(prefixes.length === 0
      ? []
      : [
          alignColumns(
            ['prefix', '', 'keys', 'change', 'memory', 'change'],
            prefixes
              .slice(0, SHOWN)
              .map((group) => [
                group.name === '' ? '(no prefix)' : safe(group.name),
                group.change ?? '',
                formatNumber(group.now?.keys ?? 0),
                sign((group.now?.keys ?? 0) - (group.before?.keys ?? 0), formatNumber),
                group.now ? formatByteCount(group.now.bytes) : '',
                subtract(group.now ? group.now.bytes : 0, group.before ? group.before.bytes : 0, formatByteCount),
              ]),
            [2, 3, 4, 5],
          ) + (prefixes.length > SHOWN ? `… and ${formatNumber(prefixes.length - SHOWN)} more\n` : ''),
        ]),
    ...(rules === null || rules.length === 0
      ? []
      : [
          alignColumns(
            ['rule', 'strength', 'new', 'fixed', 'gone', 'example'],
            rules.map((rule) => [
              safe(rule.rule),
              rule.strength,
              formatNumber(rule.newKeys),
              formatNumber(rule.fixedKeys),
              formatNumber(rule.goneKeys),
              safe(rule.examples[0] ?? ''),
            ]),
            [2, 3, 4],
          ),
        ]),
  ];
  return `${sections.map((section) => section.trimEnd()).join('\n\n')}\n`;
}
