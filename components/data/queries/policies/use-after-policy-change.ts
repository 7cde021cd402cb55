import { useQueryClient } from '@tanstack/react-query';

/** Beginnings of the query keys of all answers that depend on a policy. */
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

/**
 * After a change of the policy all findings are requested again. The caller does not wait for them: evaluating again
 * may take seconds.
 */
export function useAfterPolicyChange() {
  const client = useQueryClient();
  return () => {
    for (const name of CONCERNED) void client.invalidateQueries({ queryKey: [name] });
  };
}
