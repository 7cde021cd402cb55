import path from 'node:path';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { writeFileDurably } from './durable';
import { type DescribedFolder, readSmallFile, SERVER_FILE } from './small-files';

/** Writes the audit of the servers, read at the end of a scan, next to the key files. */
export const writeServerFile = (dir: string, audit: ServerAudit): Promise<void> =>
  writeFileDurably(path.join(dir, SERVER_FILE), JSON.stringify(audit));

/** Reads the audit of the servers. null: the scan could not read it. Errors: those of `readSmallFile`. */
export const readServerFile = (folder: DescribedFolder): Promise<ServerAudit | null> =>
  readSmallFile(folder, SERVER_FILE);
