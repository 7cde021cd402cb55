import type { ServerAudit, ServerRuleFinding } from '../servers/server-audit';
import type { ConnectionReport } from '../servers/server-facts';
import { momentText, type ReportTable, tableOf } from './table';

/** The server tables of an instance as plain cells; each row is about one node. */
export const AUDIT_TABLES = ['serverRules', 'settings', 'slowlog', 'commands', 'latency'] as const;
export type ServerAuditTable = (typeof AUDIT_TABLES)[number];
/** Tables of the nodes, databases and permissions of an instance. */
export const FACT_TABLES = ['nodes', 'databases', 'capabilities'] as const;
export type FactTable = (typeof FACT_TABLES)[number];
/** The first is the default. */
export const SERVER_TABLES = [...AUDIT_TABLES, ...FACT_TABLES] as const;
export type ServerTable = (typeof SERVER_TABLES)[number];

export const isFactTable = (table: ServerTable): table is FactTable => FACT_TABLES.some((one) => one === table);

/** If nothing could be read, the table has one row without facts: an empty table would mean that there is nothing. */
const orUnknown = <T>(known: readonly T[] | null): readonly (T | null)[] => known ?? [null];
const entriesOf = <T>(known: Readonly<Record<string, T>> | null) => orUnknown(known && Object.entries(known));

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
    return tableOf(orUnknown(databases), [
      ['database', 'number', (one) => one?.db ?? null],
      ['keys', 'number', (one) => one?.keys ?? null],
      ['with expiry', 'number', (one) => one?.expires ?? null],
      ['average expiry', 'ms', (one) => one?.avgTtlMs ?? null],
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

/** One row per node that violates a rule; if there is none, one row for the rule. */
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
      nodes.flatMap(({ address, role, config }) => entriesOf(config).map((setting) => ({ address, role, setting }))),
      [
        ['node', 'text', (row) => row.address],
        ['role', 'text', (row) => row.role],
        ['setting', 'text', ({ setting }) => setting?.[0] ?? null],
        ['value', 'text', ({ setting }) => setting?.[1] ?? null],
      ],
    );
  if (table === 'slowlog')
    return tableOf(
      nodes.flatMap(({ address, slowlog }) => orUnknown(slowlog).map((entry) => ({ address, entry }))),
      [
        ['node', 'text', (row) => row.address],
        ['time (UTC)', 'text', ({ entry }) => entry && momentText(entry.at)],
        ['took', 'ms', ({ entry }) => entry && entry.microseconds / 1000],
        ['command', 'name', ({ entry }) => entry && [entry.command, ...entry.args].join(' ')],
      ],
    );
  if (table === 'commands')
    return tableOf(
      nodes.flatMap(({ address, commandStats }) => entriesOf(commandStats).map((command) => ({ address, command }))),
      [
        ['node', 'text', (row) => row.address],
        ['command', 'text', ({ command }) => command?.[0].toUpperCase().replace('|', ' ') ?? null],
        ['calls', 'number', ({ command }) => command?.[1].calls ?? null],
        ['total', 'ms', ({ command }) => command && command[1].microseconds / 1000],
      ],
    );
  return tableOf(
    nodes.flatMap(({ address, latency }) => orUnknown(latency).map((event) => ({ address, event }))),
    [
      ['node', 'text', (row) => row.address],
      ['event', 'text', ({ event }) => event?.event ?? null],
      ['time (UTC)', 'text', ({ event }) => event && momentText(event.at)],
      ['last', 'ms', ({ event }) => event?.lastMs ?? null],
      ['largest', 'ms', ({ event }) => event?.maxMs ?? null],
    ],
  );
}
