import { version } from '../package.json';

/** Output of `colonnade --version`: the version of this package. */
export function formatVersionLine(): string {
  return `colonnade ${version}\n`;
}
