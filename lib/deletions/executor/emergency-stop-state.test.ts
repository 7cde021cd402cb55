import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryData } from '@/test/temporary-data';
import { clearEmergencyStopFile, writeEmergencyStopFile } from '../emergency-stop-file';
import { isEmergencyStopped, refreshEmergencyStop } from './emergency-stop-state';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('before something begins the file counts at once, though it was looked for a moment ago', async () => {
  expect(isEmergencyStopped('i')).toBe(false);
  writeEmergencyStopFile();
  await refreshEmergencyStop();
  expect(isEmergencyStopped('i')).toBe(true);
  clearEmergencyStopFile();
  await refreshEmergencyStop();
  expect(isEmergencyStopped('i')).toBe(false);
});
