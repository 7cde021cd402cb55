import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { printLine } from '@/cli/print';
import { hasDatabase } from '@/cli/server-data';
import { clearEmergencyStopFile, writeEmergencyStopFile } from '@/lib/deletions/emergency-stop-file';
import { config } from '@/lib/runtime/config';

/**
 * `colonnade panic`: stops every write to every Redis; at most the command that was already sent is still answered.
 * `--lift` clears the emergency stop again.
 */
export async function run(args: string[]): Promise<number> {
  if (parseArguments({ args, options: { lift: { type: 'boolean' } } }).values.lift) {
    const wasSet = clearEmergencyStopFile();
    printLine(
      wasSet
        ? 'Emergency stop cleared. Resume the paused jobs.'
        : `There was no emergency stop by file in ${config.dataDir}.`,
    );
    return EXIT.fine;
  }
  const file = writeEmergencyStopFile();
  if (!hasServer(file)) {
    process.stderr.write(
      `colonnade: ${file} was written, but no server has used this folder: nothing may have stopped. Set COLONNADE_DATA to the data folder of the server.\n`,
    );
    return EXIT.failed;
  }
  printLine(`Emergency stop set by ${file}: all writes are stopped. Clear it with: colonnade panic --lift`);
  return EXIT.fine;
}

/**
 * Whether a server uses this folder. It does not open the database, because it must work even if nothing else does.
 * With PostgreSQL a server still has other files in the folder.
 */
function hasServer(file: string): boolean {
  if (config.databaseUrl === null) return hasDatabase();
  return readdirSync(config.dataDir).some((name) => name !== basename(file));
}
