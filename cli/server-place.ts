import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the server lies, seen from the program: in a container, an installed package, a checkout that is built. */
const PLACES = ['./server.js', '../server/server.js', '../.next/standalone/server.js'];

/** The file that starts the server, or null where there is none. */
export function serverPlace(program: string): string | null {
  return PLACES.map((place) => fileURLToPath(new URL(place, program))).find((file) => existsSync(file)) ?? null;
}
