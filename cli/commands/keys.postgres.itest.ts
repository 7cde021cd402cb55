import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { assertSameFolder } from '@/lib/jobs/assert-same-folder';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { run } from './keys';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  rmSync(`${data.dir}.other`, { recursive: true, force: true });
  await data.remove();
});

it.each([['lost'], ['status'], ['rotate']])(
  'keys %s in a folder of another database gives up no key',
  async (command) => {
    await assertSameFolder();
    await runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
    const { kid } = getVaultKeys();
    process.env.COLONNADE_DATA = `${data.dir}.other`;
    mkdirSync(process.env.COLONNADE_DATA);
    await expect(run(command === 'lost' ? [command, kid] : [command])).rejects.toMatchObject({ code: 'data_folder' });
    expect(existsSync(join(process.env.COLONNADE_DATA, 'vault.key'))).toBe(false);
    process.env.COLONNADE_DATA = data.dir;
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 1 });
  },
);
