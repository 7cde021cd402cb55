import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { AppError } from '@/lib/model/errors';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { presets } from '@/lib/rules/profiles/presets';
import { parseProfile } from '@/lib/rules/profiles/profile-file';

/** The command line reaches the rules through this folder. */
export { formatProfile } from '@/lib/rules/profiles/profile-file';

/**
 * Opens a preset by its id, or a YAML file, for the command line. Errors: `bad_request` with what is wrong and where.
 */
export async function openProfile(presetOrFile: string): Promise<{ body: ProfileBody; warnings: string[] }> {
  const preset = presets.get(presetOrFile);
  if (preset) return { body: preset, warnings: [] };
  let bytes: Buffer;
  try {
    bytes = await readFile(presetOrFile);
  } catch (error) {
    throw new AppError(
      'bad_request',
      `${presetOrFile} is not a profile: it is none of ${[...presets.keys()].join(', ')}, and as a file it cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`,
      {},
      { cause: error },
    );
  }
  // Text of another encoding read as UTF-8 would have other characters, and its patterns would match other names.
  if (!isUtf8(bytes))
    throw new AppError('bad_request', `${presetOrFile} is not UTF-8. Save it as UTF-8.`, { file: presetOrFile });
  return parseProfile(bytes.toString());
}
