/** Returns the path of this run's bundled command (bundled-command.ts). */
export function commandFile(): string {
  const file = process.env.COLONNADE_TEST_COMMAND;
  if (file === undefined) throw new Error('No bundled command: is bundled-command.ts in the set-up of this project?');
  return file;
}
