import path from 'node:path';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { type DescribedFolder, readBeside, SERVER_FILE } from './beside';
import { writeFileDurably } from './durable';

/** Writes the audit of the servers, read at the end of a scan, next to the key files. */
export const writeServerFile = (dir: string, audit: ServerAudit): Promise<void> =>
  writeFileDurably(path.join(dir, SERVER_FILE), JSON.stringify(audit));

/** Reads the audit of the servers. null: the scan could not read it. Errors: those of `readBeside`. */
export const readServerFile = (folder: DescribedFolder): Promise<ServerAudit | null> => readBeside(folder, SERVER_FILE);
