/**
 * Fetches the keys of one snapshot in a separate process, which can be killed; all files unless some are named.
 *   node --import tsx test/snapshots/bring-worker.ts <id> [<file> …]
 */
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';

const [id, ...files] = process.argv.slice(2);
await bringKeys(id as string, { maxWaitMs: null, ...(files.length > 0 && { files }) });
process.exit(0);
