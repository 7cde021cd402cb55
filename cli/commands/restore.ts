import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { formatAuditVerdict } from '@/cli/output/audit-verdict';
import { parseArguments } from '@/cli/parse-arguments';
import { type Restored, restoreBackup } from '@/lib/maintenance/backup/restore-backup';

/** `colonnade restore DIR [--keep-tokens]`: restores a backup into the empty COLONNADE_DATA (and PostgreSQL). */
export async function run(args: string[]): Promise<number> {
  const options = { 'keep-tokens': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new UsageError('The restore command is: colonnade restore DIR [--keep-tokens]');
  const keepTokens = values['keep-tokens'];
  const restored = await restoreBackup(folder, { by: createCliActor().name, keepTokens });
  process.stdout.write(describe(restored, keepTokens));
  const { audit } = restored;
  if (audit?.ok !== false) return EXIT.fine;
  process.stderr.write(
    `colonnade: The audit log of this backup is corrupt at row ${audit.firstBad?.seq} (${audit.firstBad?.problem}). Everything was restored nevertheless. See colonnade audit verify.\n`,
  );
  return EXIT.findings;
}

function describe({ manifest, ended, audit }: Restored, keepTokens: boolean): string {
  const { sessions, links, tokens, approvals } = ended;
  const lines = [
    `Restored ${manifest.files.length} files of ${new Date(manifest.madeAt).toISOString()}.`,
    // Access that was withdrawn after the backup would be valid again, so all of it has ended.
    `Ended: ${sessions} sessions, ${links} one-time links, ${tokens} API tokens, ${approvals} approvals of plans.`,
    ...(keepTokens ? ['API tokens are valid as they were then, also those revoked since: colonnade token list'] : []),
    'Accounts, passwords and roles are those of the backup: disable again who was disabled since.',
    audit === null
      ? `Put the key ${manifest.keys[0]} in place (vault.key, COLONNADE_KEY); then: colonnade audit verify`
      : audit.ok && formatAuditVerdict(audit),
    'Start the server. Deletions that were under way wait for a person.',
  ];
  return lines.filter(Boolean).join('\n').concat('\n');
}
