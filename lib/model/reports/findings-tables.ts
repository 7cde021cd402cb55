import { getFigureKind } from '../rules/figure-kinds';
import type { GroupFinding, OwnerFindings, RuleFinding, RuleFindingReport } from '../rules/findings';
import { buildTable, type Column, formatMoment, type ReportTable } from './table';

/** Findings as tables of plain cells for files, with what the pages show. */
export const FINDINGS_TABLES = ['rules', 'owners'] as const;
export type FindingsTable = (typeof FINDINGS_TABLES)[number];

const toShare = (part: number, whole: number) => (whole === 0 ? null : part / whole);
/** If nothing could be evaluated, keys, bytes and shares are unknown (null) instead of 0. */
const toJudged = (finding: RuleFinding, value: number | null) => (finding.status === 'unknown' ? null : value);

export const buildRulesTable = (
  rules: readonly RuleFinding[],
  getTitle: (finding: RuleFinding) => string,
): ReportTable =>
  buildTable(rules, [
    ['rule', 'text', (r) => r.rule],
    ['title', 'text', getTitle],
    ['area', 'text', (r) => r.area],
    ['strength', 'text', (r) => r.strength],
    ['by strength', 'text', (r) => r.strengths?.map((one) => `${one.strength} ${one.keys}`).join(', ') ?? null],
    ['status', 'text', (r) => r.status],
    ['keys', 'number', (r) => toJudged(r, r.keys)],
    ['share of keys', 'share', (r) => toJudged(r, r.shareKeys)],
    ['memory', 'bytes', (r) => toJudged(r, r.bytes)],
    ['share of memory', 'share', (r) => toJudged(r, r.shareBytes)],
    ['groups', 'number', (r) => r.groups],
    ['not evaluated', 'number', (r) => r.unknownKeys],
    ['exempted', 'number', (r) => r.exemptKeys],
    ['new', 'number', (r) => r.change?.newKeys ?? null],
    ['fixed', 'number', (r) => r.change?.fixedKeys ?? null],
    ['gone', 'number', (r) => r.change?.goneKeys ?? null],
    ['example', 'name', (r) => r.example?.name ?? null],
    ['missing commands', 'text', (r) => (r.server?.missing ?? r.missing ?? []).join(', ')],
  ]);

export const buildOwnersTable = (owners: readonly OwnerFindings[]): ReportTable =>
  buildTable(owners, [
    // null = keys without an owner.
    ['team', 'text', (o) => o.team],
    ['score', 'number', (o) => o.score],
    ['keys', 'number', (o) => o.keys],
    ['memory', 'bytes', (o) => o.bytes],
    ['mandatory', 'share', (o) => toShare(o.mandatory.keys, o.keys)],
    ['recommended', 'share', (o) => toShare(o.recommended.keys, o.keys)],
    ['advice', 'share', (o) => toShare(o.advice.keys, o.keys)],
  ]);

export type RulePrefix = RuleFindingReport['prefixes'][number];

export const buildRulePrefixesTable = (prefixes: readonly RulePrefix[]): ReportTable =>
  buildTable(prefixes, [
    ['prefix', 'name', (p) => p.path],
    ['keys', 'number', (p) => p.keys],
    ['share of prefix', 'share', (p) => p.shareOfPrefix],
    ['memory', 'bytes', (p) => p.bytes],
    ['example', 'name', (p) => p.example?.name ?? null],
    ['suggested', 'name', (p) => p.example?.suggested ?? null],
    ['team', 'text', (p) => p.owner],
  ]);

type WithFigures = { figures: Record<string, number | string> };

/** Returns one column per figure, in the order of their first occurrence. */
function buildFigureColumns<R extends WithFigures>(rows: readonly R[]): Column<R>[] {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  return names.map((name): Column<R> => {
    const kind = getFigureKind(name);
    if (kind !== 'moment') return [name, kind, ({ figures }) => figures[name] ?? null];
    return [name, 'text', ({ figures }) => (typeof figures[name] === 'number' ? formatMoment(figures[name]) : null)];
  });
}

export const buildRuleGroupsTable = (groups: readonly GroupFinding[]): ReportTable =>
  buildTable(groups, [
    ['group', 'name', (g) => g.subject],
    ['minute (UTC)', 'text', (g) => formatMoment(g.minute)],
    ['keys', 'number', (g) => g.keys],
    ['memory', 'bytes', (g) => g.bytes],
    ['team', 'text', (g) => g.owner],
    ['exempted', 'text', (g) => (g.exempt ? 'yes' : 'no')],
    ...buildFigureColumns(groups),
    ['example', 'name', (g) => g.example?.name ?? null],
  ]);

/** Lists the nodes that violate a server rule, with the figures that show it. */
export const buildEvidenceTable = (evidence: readonly (WithFigures & { address: string })[]): ReportTable =>
  buildTable(evidence, [['node', 'text', (one) => one.address], ...buildFigureColumns(evidence)]);
