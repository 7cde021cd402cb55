import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { printLine } from '@/cli/print';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { assertSameFolder } from '@/lib/jobs/assert-same-folder';
import { acceptLostKey } from '@/lib/maintenance/keys/accept-lost-key';
import { forgetKey } from '@/lib/maintenance/keys/forget-key';
import { readKeyStatus } from '@/lib/maintenance/keys/key-status';
import { rotateKey } from '@/lib/maintenance/keys/rotate-key';
import { config } from '@/lib/runtime/config';

/** `colonnade keys status|rotate|forget KID|lost KID`: works on the data folder, whether the server runs or not. */
export async function run([command, kid, ...more]: string[]): Promise<number> {
  const usage = new UsageError('The keys command is: colonnade keys status, rotate, forget KID, or lost KID');
  const takesKid = command === 'forget' || command === 'lost';
  if (more.length > 0 || (kid === undefined) === takesKid) throw usage;
  requireDatabase();
  // In a wrong folder every key is missing, and a key that exists would be given up as lost.
  await assertSameFolder();
  if (command === 'status') return printStatus();
  if (command === 'rotate') {
    await requireKey();
    return rotate();
  }
  if (!takesKid || !/^[0-9a-f]{8}$/.test(kid ?? '')) throw usage;
  if (command === 'lost') return acceptLost(kid ?? '');
  // Checked before the keys are read, because that would create a key file if there is none.
  await requireKey();
  const gone = await forgetKey(createCliActor(), kid ?? '');
  printLine(
    gone
      ? `The key ${kid} is gone. Backups from before the rotation need it: keep a copy with them.`
      : `Nothing needs the key ${kid} any more. Take it out of COLONNADE_KEY_OLD. Backups from before the rotation need it.`,
  );
  return EXIT.fine;
}

async function printStatus(): Promise<number> {
  const { source, keys } = await readKeyStatus();
  printLine(`Keys (${source}):`);
  for (const { kid, state, sealed, archives } of keys)
    printLine(`  ${kid}  ${state.padEnd(9)}  ${sealed} secrets, ${archives} archives`);
  return keys.some(({ state, sealed, archives }) => state === 'missing' && sealed + archives > 0)
    ? EXIT.findings
    : EXIT.fine;
}

/** Says what to do after a rotation, depending on where the key is kept. */
const NEXT_STEP = {
  file: 'Servers that run have it already. Back up vault.key again.',
  environment: 'Every process needs the same COLONNADE_KEY and COLONNADE_KEY_OLD: start those that have others again.',
};

async function rotate(): Promise<number> {
  const { kid, before, done, left } = await rotateKey(createCliActor());
  printLine(
    kid === null
      ? `An earlier rotation was interrupted: its last ${done} secrets were sealed now. For another key, run this again.`
      : `The key ${kid} seals from now on; ${done} secrets were sealed with it. ${NEXT_STEP[config.key === null ? 'file' : 'environment']}\nArchives keep the key they were written with: ${before} stays until nothing needs it (colonnade keys status).`,
  );
  if (left > 0)
    printLine(`${left} secrets could not be opened and stay as they are: enter them again on the instances' pages.`);
  return left > 0 ? EXIT.failed : EXIT.fine;
}

async function acceptLost(kid: string): Promise<number> {
  const newKid = await acceptLostKey(createCliActor(), kid);
  printLine(
    `The key ${newKid} seals from now on. What ${kid} has sealed stays shut: enter the passwords again on the pages of the instances.\nRows of the audit log that it signed cannot be checked any more, nor can archives that it wrote be opened.`,
  );
  return EXIT.fine;
}
