import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { findingsOf } from '@/lib/rules/findings/findings-of';
import { policyOf } from '@/lib/rules/policy/effective-policy';
import { readManifest } from '@/lib/snapshots/folder/manifest';

/** Evaluates a snapshot folder that no store knows against a profile, for the command line. */
export async function findingsOfFolder(dir: string, profile: ProfileBody): Promise<FindingsReport> {
  return findingsOf({ dir, manifest: await readManifest(dir) }, policyOf(profile), {});
}
