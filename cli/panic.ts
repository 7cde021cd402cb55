import { parseArgs } from 'node:util';
import { clearEmergencyStopFile, writeEmergencyStopFile } from '@/lib/deletions/emergency-stop-command';
import { EXIT, UsageError } from './exit';

/**
 * `colonnade panic`: every write to every Redis stops; at most the command on its way is still answered. `--lift`
 * clears the emergency stop again.
 */
export async function run(args: string[]): Promise<number> {
  let lift = false;
  try {
    lift = parseArgs({ args, options: { lift: { type: 'boolean', default: false } } }).values.lift;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (lift) {
    const was = clearEmergencyStopFile();
    process.stdout.write(
      was ? 'Emergency stop cleared. Resume the paused jobs.\n' : 'There was no emergency stop by file.\n',
    );
    return EXIT.fine;
  }
  process.stdout.write(
    `Emergency stop set by ${writeEmergencyStopFile()}: all writes are stopped. Clear it with: colonnade panic --lift\n`,
  );
  return EXIT.fine;
}
