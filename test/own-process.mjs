import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Things in a test file that would affect the next file in the same process. */
const CHANGES = [
  /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|useFakeTimers|setSystemTime|resetModules|spyOn)\(/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?= /,
  /\bdelete process\.env|Object\.assign\(process\.env|process\.chdir\(/,
  // Settings that the product makes once in the life of a process.
  /\blimitMemory\(/,
];
const FOLDERS = ['app', 'bench', 'cli', 'components', 'lib', 'scripts', 'test'];

/**
 * Returns the test files that change their process and so need one of their own. The others share a few processes,
 * because loading the product takes longer than most of the tests.
 * @param {string} root @returns {string[]} from the root of the project
 */
export const listOwnProcess = (root) =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.i?test\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  ).filter((file) => changesProcess(readFileSync(join(root, file), 'utf8')));

const changesProcess = (text) => CHANGES.some((change) => change.test(text));
