import type { ServerAudit, ServerRuleFinding } from '../servers/server-audit';
import { momentText, type ReportTable, tableOf } from './table';

/** What a page says of the servers of an instance, as tables of plain cells, each row of one node. */
export const SERVER_TABLES = ['serverRules', 'settings', 'slowlog', 'commands', 'latency'] as const;
export type ServerTable = (typeof SERVER_TABLES)[number];

const figuresText = (figures: Record<string, number | string>) =>
  Object.entries(figures)
    .map(([name, figure]) => `${name}: ${figure}`)
    .join('; ');

/** A row per node that shows it; one of the rule alone where none does. */
const ruleRows = (findings: readonly ServerRuleFinding[]) =>
  findings.flatMap((finding) =>
    (finding.evidence.length > 0 ? finding.evidence : [null]).map((shown) => ({ finding, shown })),
  );

export function serverTable(
  table: ServerTable,
  { nodes }: ServerAudit,
  findings: readonly ServerRuleFinding[],
  titleOf: (rule: string) => string,
): ReportTable {
  if (table === 'serverRules')
    return tableOf(ruleRows(findings), [
      ['rule', 'text', ({ finding }) => finding.rule],
      ['title', 'text', ({ finding }) => titleOf(finding.rule)],
      ['status', 'text', ({ finding }) => finding.verdict],
      ['node', 'text', ({ shown }) => shown?.address ?? null],
      ['evidence', 'text', ({ shown }) => (shown === null ? null : figuresText(shown.figures))],
      ['missing commands', 'text', ({ finding }) => finding.missing.join(', ')],
    ]);
  if (table === 'settings')
    return tableOf(
      nodes.flatMap(({ address, role, config }) =>
        Object.entries(config ?? {}).map(([name, value]) => ({ address, role, name, value })),
      ),
      [
        ['node', 'text', (row) => row.address],
        ['role', 'text', (row) => row.role],
        ['setting', 'text', (row) => row.name],
        ['value', 'text', (row) => row.value],
      ],
    );
  if (table === 'slowlog')
    return tableOf(
      nodes.flatMap(({ address, slowlog }) => (slowlog ?? []).map((entry) => ({ address, ...entry }))),
      [
        ['node', 'text', (row) => row.address],
        ['time (UTC)', 'text', (row) => momentText(row.at)],
        ['took', 'ms', (row) => row.microseconds / 1000],
        ['command', 'name', (row) => [row.command, ...row.args].join(' ')],
      ],
    );
  if (table === 'commands')
    return tableOf(
      nodes.flatMap(({ address, commandStats }) =>
        Object.entries(commandStats ?? {}).map(([name, stat]) => ({ address, name, ...stat })),
      ),
      [
        ['node', 'text', (row) => row.address],
        ['command', 'text', (row) => row.name.toUpperCase().replace('|', ' ')],
        ['calls', 'number', (row) => row.calls],
        ['total', 'ms', (row) => row.microseconds / 1000],
      ],
    );
  return tableOf(
    nodes.flatMap(({ address, latency }) => (latency ?? []).map((event) => ({ address, ...event }))),
    [
      ['node', 'text', (row) => row.address],
      ['event', 'text', (row) => row.event],
      ['time (UTC)', 'text', (row) => momentText(row.at)],
      ['last', 'ms', (row) => row.lastMs],
      ['largest', 'ms', (row) => row.maxMs],
    ],
  );
}
