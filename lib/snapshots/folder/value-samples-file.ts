import path from 'node:path';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import { type DescribedFolder, readBeside, SAMPLES_FILE } from './beside';
import { writeFileDurably } from './durable';

/** What a scan saw in the small strings that it was asked to look into lies beside the keys; never a value. */
export const writeValueSamples = (dir: string, samples: ValueSamples): Promise<void> =>
  writeFileDurably(path.join(dir, SAMPLES_FILE), JSON.stringify(samples));

/** null: the scan was not asked to look. Errors: those of `readBeside`. */
export const readValueSamples = (folder: DescribedFolder): Promise<ValueSamples | null> =>
  readBeside(folder, SAMPLES_FILE);
