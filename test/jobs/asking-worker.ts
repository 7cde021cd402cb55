import { registerInstance } from '@/lib/instances/register-instance';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';
import { closeStore } from '@/lib/store/open-store';

/** A separate process that registers a server and starts a slow scan of it, as the pages of its version do. */
const endpoints = [{ host: '127.0.0.1', port: Number(process.argv[2]) }];
const input = InstanceInput.parse({ name: 'redis', topology: 'standalone', endpoints });
const { id: instance } = await registerInstance(LOCAL_ADMIN, input);
const { id: job } = await startScan(LOCAL_ADMIN, instance, ScanOptions.parse({ speed: 'gentle' }));
await closeStore();
process.stdout.write(JSON.stringify({ instance, job }));
