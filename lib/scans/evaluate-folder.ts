import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { readManifest } from '@/lib/snapshots/folder/manifest';

/** Evaluates a snapshot folder that no store knows against a profile, for the command line. */
export async function evaluateFolder(dir: string, profile: ProfileBody): Promise<FindingsReport> {
  return readFindings({ dir, manifest: await readManifest(dir) }, toPolicy(profile), {});
}
