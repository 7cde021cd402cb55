import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import { writeFileDurably } from './durable';

/** What a scan saw in the small strings that it was asked to look into lies beside the keys; never a value. */
const SAMPLES_FILE = 'value-samples.json';

export const writeValueSamples = (dir: string, samples: ValueSamples): Promise<void> =>
  writeFileDurably(path.join(dir, SAMPLES_FILE), JSON.stringify(samples));

/** null: the scan was not asked to look. */
export async function readValueSamples(dir: string): Promise<ValueSamples | null> {
  try {
    return JSON.parse(await readFile(path.join(dir, SAMPLES_FILE), 'utf8')) as ValueSamples;
  } catch {
    return null;
  }
}
