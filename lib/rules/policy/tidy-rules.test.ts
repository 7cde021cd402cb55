import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { getTemporaryRulesFolder, tidyRules } from './rules-folder';

it('leaves the folder of an evaluation that begins while folders are listed', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'colonnade-tidy-'));
  try {
    const [begun, left] = ['begun', 'left'].map((hash) => getTemporaryRulesFolder(dir, hash));
    await Promise.all([mkdir(begun!), mkdir(left!)]);
    const busy: string[] = [];
    const tidied = tidyRules(dir, 'another', () => busy);
    busy.push('begun');
    await tidied;
    expect(await readdir(dir)).toEqual([path.basename(begun!)]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
