import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@/lib/audit/verify-audit';
import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';
import { EXIT, UsageError } from './exit';

/** `colonnade audit verify`: exit 0 when the chain is whole, 1 when it is not. */
export async function run(args: string[]): Promise<number> {
  if (args.length !== 1 || args[0] !== 'verify') throw new UsageError('The audit command is: colonnade audit verify');
  // Opening it would make one, and a trail without rows is whole.
  if (!existsSync(join(config.dataDir, 'colonnade.db')))
    throw new AppError(
      'not_found',
      `There is no database in ${config.dataDir}. Set COLONNADE_DATA to the data folder of the server.`,
    );
  const result = await verifyAudit();
  if (result.ok) {
    process.stdout.write(`The audit trail is intact: ${result.rows} rows.\n`);
    return EXIT.fine;
  }
  process.stdout.write(`The audit trail is corrupt at row ${result.firstBad?.seq}: ${result.firstBad?.problem}\n`);
  return EXIT.findings;
}
