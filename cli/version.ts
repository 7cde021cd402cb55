import { version } from '../package.json';

/** `colonnade --version`: of this program, as packages name it. */
export function versionLine(): string {
  return `colonnade ${version}\n`;
}
