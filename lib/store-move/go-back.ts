import { AppError } from '@/lib/model/errors';
import { openMoveSource } from '@/lib/store/move/open-move-source';
import { type MoveMark, readMoveMark, writeMoveMark } from '@/lib/store/move-mark';

/** Frees the embedded database again, as it was when it was moved. What was done since is not in it. */
export async function goBack(): Promise<MoveMark> {
  const source = await openMoveSource();
  try {
    const mark = await readMoveMark(source);
    if (!mark)
      throw new AppError('nothing_to_do', 'The database of this data folder was not moved; nothing is to be done.');
    await writeMoveMark(source, null);
    return mark;
  } finally {
    await source.destroy();
  }
}
