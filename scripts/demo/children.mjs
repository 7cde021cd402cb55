/**
 * Processes that end together with this one. Each has its own process group, so that Ctrl-C reaches only this process,
 * which then ends them in the right order. If this process is killed, a watchdog shell ends them, because its stdin, a
 * pipe from this process, closes.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Shell script of the watchdog: it reads the ids of the children from its stdin, and kills them when that closes.
 */
const WATCH = `trap '' INT TERM HUP
pids=''
while read -r op pid; do
  case $op in
    +) pids="$pids $pid ";;
    -) pids=$(printf '%s' "$pids" | sed "s/ $pid / /");;
  esac
done
[ -n "$pids" ] || exit 0
kill $pids 2>/dev/null; sleep 3; kill -9 $pids 2>/dev/null
exit 0`;

const children = [];
let watchdog;

function tellWatchdog(line) {
  watchdog ??= spawn('/bin/sh', ['-c', WATCH], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watchdog.stdin.on('error', () => undefined);
  watchdog.stdin.write(`${line}\n`);
}

/**
 * Starts a program whose output goes to `<folder>/<name>.log`. `onExit` is called when it ends without `stopChildren`.
 */
export function startChild(name, command, args, { folder, cwd, env = {}, onExit }) {
  const log = openSync(join(folder, `${name}.log`), 'a', 0o600);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const entry = { name, child, stopping: false };
  entry.ended = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  entry.ended.then(() => {
    if (child.pid) tellWatchdog(`- ${child.pid}`);
    if (!entry.stopping) onExit?.(name);
  });
  if (child.pid) tellWatchdog(`+ ${child.pid}`);
  children.push(entry);
  return child;
}

/** Ends all processes, the last started first. A process that has not ended within five seconds is killed. */
export async function stopChildren() {
  for (const entry of [...children].reverse()) {
    entry.stopping = true;
    if (entry.child.exitCode !== null || entry.child.signalCode !== null) continue;
    entry.child.kill('SIGTERM');
    const kill = setTimeout(() => entry.child.kill('SIGKILL'), 5000);
    await entry.ended;
    clearTimeout(kill);
  }
}
