import { EXIT, UsageError } from '@/cli/exit';
import { formatAuditVerdict } from '@/cli/output/audit-verdict';
import { printLine } from '@/cli/print';
import { requireDatabase } from '@/cli/server-data';
import { verifyAudit } from '@/lib/access/audit/verify-audit';

/** `colonnade audit verify`: exit 0 if the chain is intact, 1 if it is not. */
export async function run(args: string[]): Promise<number> {
  if (args.length !== 1 || args[0] !== 'verify') throw new UsageError('The audit command is: colonnade audit verify');
  requireDatabase();
  const result = await verifyAudit();
  if (result.ok) {
    printLine(formatAuditVerdict(result));
    return EXIT.fine;
  }
  printLine(`The audit log is corrupt at row ${result.firstBad?.seq}: ${result.firstBad?.problem}`);
  return EXIT.findings;
}
