import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { config } from '@/lib/config';
import { panicFile } from '@/lib/deletions/executor/emergency-stop-state';

/** The flag file of the emergency stop, for when nothing else answers: it needs neither server nor database. */
export function raisePanicFlag(): string {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(panicFile(), `${new Date().toISOString()}\n`, { mode: 0o600 });
  return panicFile();
}

/** Whether there was one. */
export function lowerPanicFlag(): boolean {
  const was = existsSync(panicFile());
  rmSync(panicFile(), { force: true });
  return was;
}
