import { buildTable, type ReportTable } from '../reports/table';
import type { ComparedGroup, ComparedKey, RuleChange } from './comparison';

const subtract = (now: number | null | undefined, before: number | null | undefined) =>
  (now ?? null) === null && (before ?? null) === null ? null : (now ?? 0) - (before ?? 0);

export const buildComparedGroupsTable = (rows: readonly ComparedGroup[], head: string): ReportTable =>
  buildTable(rows, [
    [head, 'name', (row) => row.name],
    ['change', 'text', (row) => row.change],
    ['keys now', 'number', (row) => row.now?.keys ?? null],
    ['keys before', 'number', (row) => row.before?.keys ?? null],
    ['keys difference', 'number', (row) => subtract(row.now?.keys, row.before?.keys)],
    ['memory now', 'bytes', (row) => row.now?.bytes ?? null],
    ['memory before', 'bytes', (row) => row.before?.bytes ?? null],
    ['memory difference', 'bytes', (row) => subtract(row.now?.bytes, row.before?.bytes)],
    ['no expiry now', 'number', (row) => row.now?.noExpiry ?? null],
    ['no expiry before', 'number', (row) => row.before?.noExpiry ?? null],
    ['bigkeys now', 'number', (row) => row.now?.bigkeys ?? null],
    ['bigkeys before', 'number', (row) => row.before?.bigkeys ?? null],
  ]);

export const buildComparedKeysTable = (rows: readonly ComparedKey[]): ReportTable =>
  buildTable(rows, [
    ['key', 'name', (row) => row.name],
    ['key_base64', 'text', (row) => (row.k === null ? null : toBase64(row.k))],
    ['db', 'number', (row) => row.db],
    ['type now', 'text', (row) => row.now?.type ?? null],
    ['type before', 'text', (row) => row.before?.type ?? null],
    ['memory now', 'bytes', (row) => row.now?.bytes ?? null],
    ['memory before', 'bytes', (row) => row.before?.bytes ?? null],
    ['length now', 'number', (row) => row.now?.length ?? null],
    ['length before', 'number', (row) => row.before?.length ?? null],
  ]);

export const buildRuleChangesTable = (rows: readonly RuleChange[]): ReportTable =>
  buildTable(rows, [
    ['rule', 'text', (row) => row.rule],
    ['strength', 'text', (row) => row.strength],
    ['new', 'number', (row) => row.newKeys],
    ['fixed', 'number', (row) => row.fixedKeys],
    ['gone', 'number', (row) => row.goneKeys],
    ['example', 'name', (row) => row.examples[0] ?? null],
  ]);

const toBase64 = (k: string): string => (k === '~' ? '' : Buffer.from(k, 'base64url').toString('base64'));
