import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { printLine } from '@/cli/print';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { backUp } from '@/lib/maintenance/backup/back-up';
import type { BackupPart } from '@/lib/maintenance/backup/manifest';

const PARTS = ['archives', 'snapshots', 'key'] as const;

/** `colonnade backup DIR [--with archives,snapshots,key]`: works on the data folder, whether the server runs or not. */
export async function run(args: string[]): Promise<number> {
  const { folder, parts } = parseOptions(args);
  requireDatabase();
  await requireKey();
  const { files, keys } = await backUp(createCliActor(), folder, parts);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  printLine(`Backed up ${files.length} files, ${bytes} bytes, to ${folder}.`);
  process.stderr.write(
    parts.includes('key')
      ? 'The key is in it: whoever reads this backup can open every stored password.\n'
      : `Keep the key (${keys[0]}) elsewhere: without it stored passwords and archives cannot be opened.\n`,
  );
  return EXIT.fine;
}

function parseOptions(args: string[]): { folder: string; parts: BackupPart[] } {
  const options = { with: { type: 'string', default: '' } } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const names = values.with.split(',').filter((name) => name !== '');
  const parts = PARTS.filter((part) => names.includes(part));
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0 || parts.length !== new Set(names).size)
    throw new UsageError('The backup command is: colonnade backup DIR [--with archives,snapshots,key]');
  return { folder, parts };
}
