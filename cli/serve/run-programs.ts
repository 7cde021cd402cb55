import { KeptProgram, type Program } from './kept-program';

/**
 * The parent process: starts the program that serves pages and then the one that runs jobs, restarts a program that
 * dies, forwards messages from the first to the second, and ends when both have ended. A signal to it is sent to both.
 * Returns the exit code.
 *
 * `rereads`: SIGHUP makes the web program read its certificate again. Without a certificate that signal means that the
 * terminal was closed, and ends both.
 */
export async function runPrograms(programs: { web: Program; worker: Program }, rereads: boolean): Promise<number> {
  const worker = new KeptProgram(programs.worker, () => {});
  const web = new KeptProgram(programs.web, (message) => {
    // The worker starts after the web program: if both created the key file or the tables, one would have to wait, and
    // a wrong setting would be reported twice.
    if (message === 'ready') worker.start();
    if (message === 'wake') worker.send('wake');
  });
  const both = [web, worker];
  const end = (signal: NodeJS.Signals) => {
    for (const program of both) program.end(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('SIGHUP', () => (rereads ? web.signal('SIGHUP') : end('SIGTERM')));
  for (const program of both) void program.ended.then(() => end('SIGTERM'));
  web.start();
  if (!programs.web.saysReady) worker.start();
  const codes = await Promise.all(both.map(({ ended }) => ended));
  return codes.find((code) => code !== 0) ?? 0;
}
