import { KeptProgram, type Program } from './kept-program';

/**
 * The parent: starts the program that serves pages and then the one that runs jobs, starts again what dies, passes on
 * what the one tells the other, and ends when both have. A signal to it is one to both. Returns the exit code.
 *
 * `rereads`: SIGHUP has the web program read its certificate again. Where it has none, that signal means that the
 * terminal was closed.
 */
export async function runPrograms(programs: { web: Program; worker: Program }, rereads: boolean): Promise<number> {
  const worker = new KeptProgram(programs.worker, () => {});
  const web = new KeptProgram(programs.web, (message) => {
    // Started after the other one: of two that make the same key or tables, one would wait, and a wrong setting would be
    // said twice.
    if (message === 'ready') worker.start();
    if (message === 'wake') worker.tell('wake');
  });
  const both = [web, worker];
  const end = (signal: NodeJS.Signals) => {
    for (const one of both) one.end(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('SIGHUP', () => (rereads ? web.signal('SIGHUP') : end('SIGTERM')));
  for (const one of both) void one.ended.then(() => end('SIGTERM'));
  web.start();
  if (!programs.web.saysReady) worker.start();
  const codes = await Promise.all(both.map((one) => one.ended));
  return codes.find((code) => code !== 0) ?? 0;
}
