import { userInfo } from 'node:os';
import type { Actor } from '@/lib/model/actor';

/**
 * Everybody who may write the data folder may run the commands that change it. The audit log records the account of the
 * operating system.
 */
export const createCliActor = (): Actor => ({
  id: 'cli',
  name: `${userInfo().username} (cli)`,
  role: 'admin',
  via: 'cli',
});
