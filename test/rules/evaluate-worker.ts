import { readFindings } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { readManifest } from '@/lib/snapshots/folder/manifest';

/** A separate process that evaluates one snapshot folder with the default profile, for tests that kill it. */
const dir = process.argv[2] ?? '';
const manifest = await readManifest(dir);
const policy = await getEffectivePolicy(null);
process.stdout.write('ready\n');
const report = await readFindings({ dir, manifest }, policy, {});
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
