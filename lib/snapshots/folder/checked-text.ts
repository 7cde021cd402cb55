/**
 * Manifests hold the checksums of the files they describe. Each also has its own checksum as its last member: the
 * CRC-32 of all bytes before that member. The file stays valid JSON.
 */

import { readFile } from 'node:fs/promises';
import { computeChecksum, createDamagedFilesError } from './checksums';
import { writeFileDurably } from './durable';

const TAIL = /,"checksum":"([0-9a-f]{8})"\}\n$/;

/** Writes a JSON object with its checksum. `json` is the text of an object that is not empty. */
export function writeChecked(file: string, json: string): Promise<void> {
  const content = json.slice(0, json.lastIndexOf('}')).trimEnd();
  return writeFileDurably(file, `${content},"checksum":"${computeChecksum(Buffer.from(content))}"}\n`);
}

/** Returns the object without its checksum. Errors: `snapshot_damaged`, and errors of the disk. */
export async function readChecked(file: string): Promise<unknown> {
  const bytes = await readFile(file);
  const tail = TAIL.exec(bytes.toString('utf8'));
  if (tail === null || computeChecksum(bytes.subarray(0, bytes.length - tail[0].length)) !== tail[1])
    throw createDamagedFilesError([file]);
  try {
    const { checksum: _, ...content } = JSON.parse(bytes.toString('utf8'));
    return content;
  } catch (error) {
    throw createDamagedFilesError([file], error);
  }
}
