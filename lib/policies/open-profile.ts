import { readFile } from 'node:fs/promises';
import { AppError } from '@/lib/model/errors';
import type { ProfileBody } from '@/lib/model/policy';
import { presets } from '@/lib/rules/presets';
import { readProfile, writeProfile } from '@/lib/rules/profile-file';

/** A preset by its id, or a YAML file: for the command line. Errors: `bad_request` with what is wrong and where. */
export async function openProfile(presetOrFile: string): Promise<ProfileBody> {
  const preset = presets.get(presetOrFile);
  if (preset) return preset;
  let text: string;
  try {
    text = await readFile(presetOrFile, 'utf8');
  } catch (error) {
    throw new AppError(
      'bad_request',
      `${presetOrFile} is no profile: it is none of ${[...presets.keys()].join(', ')}, and as a file it cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`,
      {},
      { cause: error },
    );
  }
  return readProfile(text).body;
}

export const profileText = (body: ProfileBody): string => writeProfile(body);
