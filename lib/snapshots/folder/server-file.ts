import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { writeFileDurably } from './durable';

/** What the servers told of themselves at the end of a scan lies beside the keys. */
const SERVER_FILE = 'server.json';

export const writeServerFile = (dir: string, audit: ServerAudit): Promise<void> =>
  writeFileDurably(path.join(dir, SERVER_FILE), JSON.stringify(audit));

/** null: the scan could not read it, or is older than this. */
export async function readServerFile(dir: string): Promise<ServerAudit | null> {
  try {
    return JSON.parse(await readFile(path.join(dir, SERVER_FILE), 'utf8')) as ServerAudit;
  } catch {
    return null;
  }
}
