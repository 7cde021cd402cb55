import path from 'node:path';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { type DescribedFolder, readBeside, SERVER_FILE } from './beside';
import { writeFileDurably } from './durable';

/** What the servers told of themselves at the end of a scan lies beside the keys. */
export const writeServerFile = (dir: string, audit: ServerAudit): Promise<void> =>
  writeFileDurably(path.join(dir, SERVER_FILE), JSON.stringify(audit));

/** null: the scan could not read it. Errors: those of `readBeside`. */
export const readServerFile = (folder: DescribedFolder): Promise<ServerAudit | null> => readBeside(folder, SERVER_FILE);
