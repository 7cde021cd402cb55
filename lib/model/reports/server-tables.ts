import type { ServerAudit, ServerRuleFinding } from '../servers/server-audit';
import type { ConnectionReport } from '../servers/server-facts';
import { momentText, type ReportTable, tableOf } from './table';

/** What a page says of the servers of an instance, as tables of plain cells, each row of one node. */
export const AUDIT_TABLES = ['serverRules', 'settings', 'slowlog', 'commands', 'latency'] as const;
export type ServerAuditTable = (typeof AUDIT_TABLES)[number];
/** And of what can be reached there, and by whom. */
export const FACT_TABLES = ['nodes', 'databases', 'capabilities'] as const;
export type FactTable = (typeof FACT_TABLES)[number];
/** The first is the one that is sent when none is named. */
export const SERVER_TABLES = [...AUDIT_TABLES, ...FACT_TABLES] as const;
export type ServerTable = (typeof SERVER_TABLES)[number];

export const isFactTable = (table: ServerTable): table is FactTable => FACT_TABLES.some((one) => one === table);

const rangesText = (ranges: readonly (readonly [number, number])[]) => ranges.map(([a, b]) => `${a}-${b}`).join(', ');

export function factTable(table: FactTable, { nodes, databases, capabilities }: ConnectionReport): ReportTable {
  if (table === 'nodes')
    return tableOf(nodes, [
      ['node', 'text', (node) => node.address],
      ['role', 'text', (node) => node.role],
      ['replica of', 'text', (node) => node.masterAddress],
      ['healthy', 'text', (node) => (node.healthy ? 'yes' : 'no')],
      ['version', 'text', (node) => node.version],
      ['slots', 'text', (node) => rangesText(node.slots)],
      ['keys', 'number', (node) => node.keys],
      ['used memory', 'bytes', (node) => node.usedMemoryBytes],
      ['memory limit', 'bytes', (node) => node.maxmemoryBytes],
      ['clock ahead', 'ms', (node) => node.clockSkewMs ?? null],
    ]);
  if (table === 'databases')
    return tableOf(databases ?? [], [
      ['database', 'number', ({ db }) => db],
      ['keys', 'number', ({ keys }) => keys],
      ['with expiry', 'number', ({ expires }) => expires],
      ['average expiry', 'ms', ({ avgTtlMs }) => avgTtlMs],
    ]);
  return tableOf(capabilities, [
    ['command', 'text', ({ command }) => command],
    ['status', 'text', ({ status }) => status],
    ['without it missing', 'text', ({ lost }) => lost],
    ['required', 'text', ({ required }) => (required ? 'yes' : 'no')],
  ]);
}

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
  table: ServerAuditTable,
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
