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

/**
 * After a change of the policy everything that was found is asked again. Not waited for: checking anew may take
 * seconds.
 */
export function useAfterPolicyChange() {
  const client = useQueryClient();
  return () => {
    for (const name of CONCERNED) void client.invalidateQueries({ queryKey: [name] });
  };
}
