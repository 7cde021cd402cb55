import { z } from 'zod';
import { FileQuery, ListQuery, ProfileFileQuery, ProfilesQuery } from '@/lib/model/reports/file-query';
import {
  AssignmentInput,
  ChecklistInput,
  ExemptionInput,
  OwnerInput,
  ProfileBody,
  ProfileInput,
} from '@/lib/model/rules/policy';
import type { Operation } from './openapi-operation';

/** What instances are checked against: rules, profiles, assignment, exemptions, owners, the checklist. */
export const POLICY_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/rules',
    summary:
      'What the standards say: every rule with its sources, numbers and both languages, and where they contradict.',
    answer: 'rules, standards, contradictions',
  },
  {
    method: 'get',
    path: '/api/profiles',
    summary: 'Built-in and custom profiles, with the instances that use them.',
    answer: 'profiles, or the file.',
    query: ProfilesQuery,
  },
  {
    method: 'post',
    path: '/api/profiles',
    summary: 'A new profile.',
    answer: 'The profile.',
    status: 201,
    body: ProfileInput,
  },
  { method: 'get', path: '/api/profiles/{id}', summary: 'One profile.', answer: 'profile' },
  {
    method: 'put',
    path: '/api/profiles/{id}',
    summary: 'Change a profile. The latest snapshots that use it are checked again, without a new scan.',
    answer: 'The profile.',
    body: ProfileInput,
  },
  { method: 'delete', path: '/api/profiles/{id}', summary: 'Delete a profile that no instance uses.', answer: 'id' },
  {
    method: 'get',
    path: '/api/profiles/{id}/export',
    summary: 'A profile as a file that can be imported, or its rules beside what the standards say as a table.',
    answer: 'YAML, or the table.',
    query: ProfileFileQuery,
    contentType: 'text/yaml',
  },
  {
    method: 'post',
    path: '/api/profiles/import',
    summary: 'Read and check a profile file; stores nothing.',
    answer: 'body, warnings',
    body: z.object({ yaml: z.string() }),
  },
  {
    method: 'post',
    path: '/api/profiles/check',
    summary: 'Check up to 1000 names against a profile.',
    answer: 'verdicts, in the order of the names',
    body: z.object({
      body: ProfileBody.optional(),
      profileId: z.string().optional(),
      names: z.array(z.object({ name: z.string(), type: z.string().nullish() })),
    }),
  },
  {
    method: 'get',
    path: '/api/instances/{id}/policy',
    summary: 'The profiles an instance is checked against.',
    answer: 'assignment, updatedAt, effective',
  },
  {
    method: 'put',
    path: '/api/instances/{id}/policy',
    summary: 'Choose the profile of an instance, and others for some prefixes.',
    answer: 'assignment, updatedAt, effective',
    body: AssignmentInput,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/checklist',
    summary: 'The rules that only people can answer, with their answers.',
    answer: 'items, or the file.',
    query: FileQuery,
  },
  {
    method: 'put',
    path: '/api/instances/{id}/checklist',
    summary: 'Answer one rule of the checklist.',
    answer: 'item',
    body: ChecklistInput,
  },
  {
    method: 'get',
    path: '/api/exemptions',
    summary: 'List exemptions: findings accepted until a date.',
    answer: 'exemptions, or the file.',
    query: ListQuery,
  },
  {
    method: 'post',
    path: '/api/exemptions',
    summary: 'Add an exemption.',
    answer: 'exemption',
    status: 201,
    body: ExemptionInput,
  },
  {
    method: 'put',
    path: '/api/exemptions/{id}',
    summary: 'Change an exemption.',
    answer: 'exemption',
    body: ExemptionInput,
  },
  { method: 'delete', path: '/api/exemptions/{id}', summary: 'Delete an exemption.', answer: 'id' },
  {
    method: 'get',
    path: '/api/owners',
    summary: 'List prefix owners.',
    answer: 'owners, or the file.',
    query: ListQuery,
  },
  {
    method: 'post',
    path: '/api/owners',
    summary: 'Add a prefix owner.',
    answer: 'owner',
    status: 201,
    body: OwnerInput,
  },
  { method: 'put', path: '/api/owners/{id}', summary: 'Change a prefix owner.', answer: 'owner', body: OwnerInput },
  { method: 'delete', path: '/api/owners/{id}', summary: 'Delete a prefix owner.', answer: 'id' },
];
