import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { config } from '@/lib/config';
import { emergencyStopFile } from '@/lib/deletions/executor/emergency-stop-state';

/** The flag file of the emergency stop, for when nothing else answers: it needs neither server nor database. */
export function writeEmergencyStopFile(): string {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(emergencyStopFile(), `${new Date().toISOString()}\n`, { mode: 0o600 });
  return emergencyStopFile();
}

/** Whether there was one. */
export function clearEmergencyStopFile(): boolean {
  const was = existsSync(emergencyStopFile());
  rmSync(emergencyStopFile(), { force: true });
  return was;
}
