import { useRefresh } from '@/components/data/query-api';

/**
 * After a change of the policy all answers that depend on it are requested again. The caller does not wait for them:
 * evaluating again may take seconds.
 */
export function useAfterPolicyChange(): () => void {
  const refresh = useRefresh(
    'GET /api/exemptions',
    'GET /api/owners',
    'GET /api/instances/{id}/policy',
    'GET /api/profiles',
    'GET /api/profiles/{id}',
    'GET /api/instances/{id}/checklist',
    'GET /api/snapshots/{id}/reports/findings',
    'GET /api/snapshots/{id}/reports/findings/{rule}',
    'GET /api/snapshots/{id}/reports/{report}',
    'GET /api/fleet',
    'GET /api/instances/{id}/keys/{k}',
    'GET /api/instances/{id}/audit',
  );
  return () => void refresh();
}
