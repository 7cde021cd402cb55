import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { AssignmentInput, ChecklistInput, ExemptionInput, OwnerInput, ProfileInput } from '@/lib/model/rules/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';
import { checkNames, NamesToCheck } from '@/lib/policies/check-names';
import { getChecklist, setChecklistItem } from '@/lib/policies/checklist';
import { addExemption, listExemptions, removeExemption, updateExemption } from '@/lib/policies/exemptions';
import { getProfile, listProfiles } from '@/lib/policies/list-profiles';
import { readRules } from '@/lib/policies/list-rules';
import { addOwner, listOwners, removeOwner, updateOwner } from '@/lib/policies/owners';
import { checkProfileFile, exportProfile } from '@/lib/policies/profile-yaml';
import { removeProfile } from '@/lib/policies/remove-profile';
import { createProfile, updateProfile } from '@/lib/policies/save-profile';

const ASSIGNMENT =
  'assignment: the chosen profiles. updatedAt: when it was saved (epoch ms, null = nobody has chosen). effective: the profiles that apply, the delimiter of the first, and the hash of the resulting policy.';

export const policyRoutes = [
  handle('GET /api/exemptions', {
    summary: 'List exemptions: findings that are accepted until a date.',
    answer: 'exemptions: all of them, or those that apply to one instance.',
    query: ListQuery,
    act: async ({ actor, query: { instanceId = null } }) => ({ exemptions: await listExemptions(actor, instanceId) }),
  }),
  handle('POST /api/exemptions', {
    summary: 'Add an exemption.',
    answer: 'exemption: the exemption that was added.',
    body: ExemptionInput,
    status: 201,
    act: async ({ actor, body }) => ({ exemption: await addExemption(actor, body) }),
  }),
  handle('PUT /api/exemptions/{id}', {
    summary: 'Change an exemption.',
    answer: 'exemption: the exemption as it is now.',
    body: ExemptionInput,
    act: async ({ actor, id, body }) => ({ exemption: await updateExemption(actor, id, body) }),
  }),
  handle('DELETE /api/exemptions/{id}', {
    summary: 'Delete an exemption.',
    answer: 'id: the exemption that was deleted.',
    act: ({ actor, id }) => removeExemption(actor, id),
  }),
  handle('GET /api/instances/{id}/checklist', {
    summary: 'List the rules of the profile of an instance that only people can answer, with their answers.',
    answer: 'items: each rule with its answer, or as open.',
    act: async ({ actor, id }) => ({ items: await getChecklist(actor, id) }),
  }),
  handle('PUT /api/instances/{id}/checklist', {
    summary: 'Answer one rule of the checklist of an instance.',
    answer: 'item: the rule with its answer.',
    body: ChecklistInput,
    act: async ({ actor, id, body }) => ({ item: await setChecklistItem(actor, id, body) }),
  }),
  handle('GET /api/instances/{id}/policy', {
    summary: 'The profiles an instance is checked against.',
    answer: ASSIGNMENT,
    act: ({ actor, id }) => getAssignment(actor, id),
  }),
  handle('PUT /api/instances/{id}/policy', {
    summary: 'Choose the profile of an instance, and others for some prefixes.',
    answer: ASSIGNMENT,
    body: AssignmentInput,
    act: ({ actor, id, body: { updatedAt, ...body } }) => setAssignment(actor, id, body, updatedAt),
  }),
  handle('GET /api/owners', {
    summary: 'List the owners of prefixes.',
    answer: 'owners: all of them, or those that apply to one instance.',
    query: ListQuery,
    act: async ({ actor, query: { instanceId = null } }) => ({ owners: await listOwners(actor, instanceId) }),
  }),
  handle('POST /api/owners', {
    summary: 'Add the owner of a prefix.',
    answer: 'owner: the owner that was added.',
    body: OwnerInput,
    status: 201,
    act: async ({ actor, body }) => ({ owner: await addOwner(actor, body) }),
  }),
  handle('PUT /api/owners/{id}', {
    summary: 'Change the owner of a prefix.',
    answer: 'owner: the owner as it is now.',
    body: OwnerInput,
    act: async ({ actor, id, body }) => ({ owner: await updateOwner(actor, id, body) }),
  }),
  handle('DELETE /api/owners/{id}', {
    summary: 'Delete the owner of a prefix.',
    answer: 'id: the owner that was deleted.',
    act: ({ actor, id }) => removeOwner(actor, id),
  }),
  handle('GET /api/profiles', {
    summary: 'List the built-in and custom profiles, with the instances that use them.',
    answer: 'profiles: all of them.',
    act: async ({ actor }) => ({ profiles: await listProfiles(actor) }),
  }),
  handle('POST /api/profiles', {
    summary: 'Create a profile.',
    answer: 'profile: the profile that was created.',
    body: ProfileInput,
    status: 201,
    act: async ({ actor, body }) => ({ profile: await createProfile(actor, body.body) }),
  }),
  handle('POST /api/profiles/check', {
    summary: 'Check up to 1000 names against a profile.',
    answer: 'verdicts: one for each name, in the order of the names.',
    body: NamesToCheck,
    rate: 'costly',
    act: async ({ actor, body }) => ({ verdicts: await checkNames(actor, body) }),
  }),
  handle('POST /api/profiles/import', {
    summary: 'Read and check a profile file. It stores nothing.',
    answer: 'body: the profile that the file contains. warnings: what to know before it is saved.',
    body: z.object({ yaml: z.string().max(512 * 1024) }),
    rate: 'costly',
    act: ({ actor, body: { yaml } }) => checkProfileFile(actor, yaml),
  }),
  handle('GET /api/profiles/{id}', {
    summary: 'One profile.',
    answer: 'profile: the profile, with the instances that use it.',
    act: async ({ actor, id }) => ({ profile: await getProfile(actor, id) }),
  }),
  handle('PUT /api/profiles/{id}', {
    summary:
      'Change a profile. The latest snapshots of the instances that use it are checked again, without a new scan.',
    answer: 'profile: the profile as it is now.',
    body: ProfileInput,
    act: async ({ actor, id, body }) => ({
      profile: await updateProfile(actor, id, body.body, body.updatedAt ?? null),
    }),
  }),
  handle('DELETE /api/profiles/{id}', {
    summary: 'Delete a profile that no instance uses.',
    answer: 'id: the profile that was deleted.',
    act: ({ actor, id }) => removeProfile(actor, id),
  }),
  handle('GET /api/profiles/{id}/export', {
    summary: 'Download a profile as a file that can be imported.',
    answer: 'The file, in YAML.',
    contentType: 'text/yaml',
    act: async ({ actor, id }) => {
      const { yaml } = await exportProfile(actor, id);
      const disposition = { 'content-disposition': `attachment; filename="profile-${id}.yaml"` };
      return new Response(yaml, { headers: { 'content-type': 'text/yaml; charset=utf-8', ...disposition } });
    },
  }),
  handle('GET /api/rules', {
    summary:
      'What the standards say, in both languages: every rule with its sources and numbers, and where they contradict.',
    answer: 'rules: all of them. standards: where they come from. contradictions: where these differ.',
    act: ({ actor }) => readRules(actor),
  }),
];
