import { parseArgs } from 'node:util';
import { lowerPanicFlag, raisePanicFlag } from '@/lib/deletions/emergency-stop-command';
import { EXIT, UsageError } from './exit';

/**
 * `colonnade panic`: every write to every Redis stops; at most the command on its way is still answered. `--lift` ends
 * it.
 */
export async function run(args: string[]): Promise<number> {
  let lift = false;
  try {
    lift = parseArgs({ args, options: { lift: { type: 'boolean', default: false } } }).values.lift;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (lift) {
    const was = lowerPanicFlag();
    process.stdout.write(was ? 'The stop is lifted. Resume what was paused.\n' : 'Nothing was stopped by this file.\n');
    return EXIT.fine;
  }
  process.stdout.write(`Every write is stopped by ${raisePanicFlag()}. Lift it with: colonnade panic --lift\n`);
  return EXIT.fine;
}
