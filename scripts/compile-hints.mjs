import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Chromium 136 and later compile each function of a file that begins so while the file arrives, in a thread of its own;
 * others take it for a comment. Else each function is compiled when it is called for the first time, 1,500 of them on
 * the main thread before a page can be used. Nearly all code of a page runs as it loads, so the work stays the same: 90
 * to 140 ms of a visit leave the main thread (v8.dev, Explicit Compile Hints).
 */
export const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';
/** Characters of a script whose few functions are not worth the line. */
export const SMALL = 5000;

/** The scripts of a folder and the folders in it; once, however often it is called. Returns how many it changed. */
export function hintCompile(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  const changed = scripts.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text.length < SMALL || text.startsWith(COMPILE_HINT)) return false;
    writeFileSync(join(folder, file), COMPILE_HINT + text);
    return true;
  });
  return changed.length;
}
