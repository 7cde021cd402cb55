import path from 'node:path';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import { type DescribedFolder, readBeside, SAMPLES_FILE } from './beside';
import { writeFileDurably } from './durable';

/** Writes the findings of value sampling next to the key files. The file never holds a value. */
export const writeValueSamples = (dir: string, samples: ValueSamples): Promise<void> =>
  writeFileDurably(path.join(dir, SAMPLES_FILE), JSON.stringify(samples));

/**
 * Reads the findings of value sampling. null: the scan was not asked to sample values. Errors: those of `readBeside`.
 */
export const readValueSamples = (folder: DescribedFolder): Promise<ValueSamples | null> =>
  readBeside(folder, SAMPLES_FILE);
