import { stringify } from 'csv-stringify/sync';
import { verb } from '@/lib/auth/verb';
import { house } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { AuditFilter } from '@/lib/model/audit';
import type { AuditFormat } from '@/lib/model/audit-formats';
import type { DownloadFile } from '@/lib/model/download-file';
import { exportAuditRows } from '@/lib/store/audit';
import { auditLine, rowFilter } from './audit-row';

const PAGE = 1000;
const CONTENT_TYPES: Record<AuditFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

const COLUMNS = [
  'seq',
  'time',
  'actor',
  'actorId',
  'role',
  'via',
  'address',
  'session',
  'action',
  'subject',
  'instanceId',
  'outcome',
  'intent',
  'details',
  'hash',
] as const;

/**
 * Every row under the filter as a download, the oldest first, a page at a time: nothing is made before the reader asks
 * for it. Intents and outcomes are rows of their own here, as they are signed. A CSV is made for spreadsheets: texts
 * that one would run as a formula begin with an apostrophe.
 */
export const exportAudit = verb(
  { needs: 'audit.read', on: house },
  async (_actor: Actor, filter: AuditFilter, format: AuditFormat): Promise<DownloadFile> => {
    const encoder = new TextEncoder();
    let after = 0;
    let first = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const rows = (await exportAuditRows(rowFilter(filter), after, PAGE)).map(auditLine);
          const head = first && format === 'csv' ? `\ufeff${stringify([COLUMNS as unknown as string[]])}` : '';
          first = false;
          after = rows.at(-1)?.seq ?? after;
          const text = head + (format === 'csv' ? csv(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (rows.length < PAGE) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return {
      stream,
      filename: `colonnade-audit.${format}`,
      contentType: CONTENT_TYPES[format],
      // It goes by the role alone, and with a change of that the session ends.
      stillAllowed: async () => true,
    };
  },
);

const csv = (rows: ReturnType<typeof auditLine>[]) =>
  stringify(
    rows.map((row) => COLUMNS.map((name) => (name === 'details' ? JSON.stringify(row.details) : row[name]))),
    { escape_formulas: true },
  );
