'use client';
import { useQueryClient } from '@tanstack/react-query';

const CONCERNED = [
  'exemptions',
  'owners',
  'policy',
  'profiles',
  'checklist',
  'findings',
  'report',
  'fleet',
  'live-key',
  'server-audit',
];

/** After a change of the policy everything that was found is asked again. */
export function useAfterPolicyChange() {
  const client = useQueryClient();
  return () => Promise.all(CONCERNED.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
