import path from 'node:path';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import { writeFileDurably } from './durable';
import { type DescribedFolder, readSmallFile, SAMPLES_FILE } from './small-files';

/** Writes the findings of value sampling next to the key files. The file never holds a value. */
export const writeValueSamples = (dir: string, samples: ValueSamples): Promise<void> =>
  writeFileDurably(path.join(dir, SAMPLES_FILE), JSON.stringify(samples));

/**
 * Reads the findings of value sampling. null: the scan did not sample values. Errors: those of `readSmallFile`.
 */
export const readValueSamples = (folder: DescribedFolder): Promise<ValueSamples | null> =>
  readSmallFile(folder, SAMPLES_FILE);
