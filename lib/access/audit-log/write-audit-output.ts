/**
 * Writes each row of the audit log also as a line of JSON, for programs that collect such lines. Rows are read from the
 * log, so only committed ones are written. The mark moves after the lines are on disk, so nothing is lost when the
 * process dies; the last lines may be written twice, with the same `seq`. While the file cannot be written, actions
 * continue, rows wait in the log, and the health check reports it.
 */

import { open } from 'node:fs/promises';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { listAuditRowsAfter } from '@/lib/store/audit';
import { leaveTurn, takeTurn } from '@/lib/store/settings/turns';
import { AUDIT_WRITER, markAuditWritten, noteAuditOutputError, readAuditMark } from './audit-output-mark';
import { toAuditLine, toEscapedLine } from './audit-row';

const EVERY_MS = 1_000;
const PAGE = 500;

/** Writes new rows and returns their number. */
export async function writeAuditOutput(): Promise<number> {
  const output = config.auditOutput;
  if (output === null) return 0;
  let written = 0;
  for (;;) {
    const rows = await listAuditRowsAfter(await readAuditMark(), PAGE);
    const last = rows.at(-1);
    if (!last) return written;
    const lines = rows.map((row) => toEscapedLine({ event: 'audit', ...toAuditLine(row) })).join('');
    await (output === 'stdout' ? writeToStdout(lines) : append(output.file, lines));
    await markAuditWritten(last.seq);
    written += rows.length;
  }
}

/** The file is opened for each page, so that it is created again after a log rotation renamed it. */
async function append(file: string, lines: string): Promise<void> {
  const handle = await open(/* turbopackIgnore: true */ file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    // If the last line was cut off, it is ended first, so that the new lines are complete.
    const last = size > 0 ? (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString() : '\n';
    await handle.appendFile(last === '\n' ? lines : `\n${lines}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

const writeToStdout = (lines: string): Promise<void> =>
  new Promise((done, failed) => process.stdout.write(lines, (error) => (error ? failed(error) : done())));

/**
 * Writes until it is stopped; stopping writes the remaining rows. `owner` identifies this process among those that
 * share a database.
 */
export function keepWritingAudit(owner: string): { stop(): Promise<void> } {
  if (config.auditOutput === null) return { stop: async () => {} };
  let busy: Promise<void> = Promise.resolve();
  let stopped = false;
  let lastError: string | null = null;
  const writeOnce = async () => {
    try {
      if (!(await takeTurn(AUDIT_WRITER, owner))) return;
      await writeAuditOutput();
      lastError = null;
      await noteAuditOutputError(null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      // Logged once, not every second.
      if (lastError !== code) log().warn({ err: error }, 'audit.output_failed');
      lastError = code;
      // If the database refuses writes, its own check reports that.
      await noteAuditOutputError(code).catch(() => {});
    }
  };
  let timer: NodeJS.Timeout;
  const writeRepeatedly = () => {
    busy = writeOnce().then(() => {
      if (stopped) return;
      timer = setTimeout(writeRepeatedly, EVERY_MS);
      timer.unref();
    });
  };
  writeRepeatedly();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await busy;
      await writeOnce();
      await leaveTurn(AUDIT_WRITER, owner).catch(() => {});
    },
  };
}
