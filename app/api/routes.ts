import * as accountPassword from '@/app/api/account/password/route';
import * as accountSessionsId from '@/app/api/account/sessions/[id]/route';
import * as accountSessions from '@/app/api/account/sessions/route';
import * as auditLogChoices from '@/app/api/audit-log/choices/route';
import * as auditLogExport from '@/app/api/audit-log/export/route';
import * as auditLog from '@/app/api/audit-log/route';
import * as deletionsIdApprovalDecision from '@/app/api/deletions/[id]/approval/decision/route';
import * as deletionsIdApproval from '@/app/api/deletions/[id]/approval/route';
import * as deletionsIdArchive from '@/app/api/deletions/[id]/archive/route';
import * as deletionsIdItems from '@/app/api/deletions/[id]/items/route';
import * as stopOfDeletion from '@/app/api/deletions/[id]/panic/route';
import * as deletionsId from '@/app/api/deletions/[id]/route';
import * as deletionsIdServer from '@/app/api/deletions/[id]/server/route';
import * as deletionsIdUndo from '@/app/api/deletions/[id]/undo/route';
import * as deletionsPlansId from '@/app/api/deletions/plans/[id]/route';
import * as deletionsPlans from '@/app/api/deletions/plans/route';
import * as deletions from '@/app/api/deletions/route';
import * as exemptionsId from '@/app/api/exemptions/[id]/route';
import * as exemptions from '@/app/api/exemptions/route';
import * as fleet from '@/app/api/fleet/route';
import * as health from '@/app/api/health/route';
import * as instancesIdAudit from '@/app/api/instances/[id]/audit/route';
import * as instancesIdChecklist from '@/app/api/instances/[id]/checklist/route';
import * as instancesIdDestinations from '@/app/api/instances/[id]/destinations/route';
import * as instancesIdGiveUp from '@/app/api/instances/[id]/give-up/route';
import * as instancesIdKeysK from '@/app/api/instances/[id]/keys/[k]/route';
import * as instancesIdKeysKValue from '@/app/api/instances/[id]/keys/[k]/value/route';
import * as instancesIdLeftovers from '@/app/api/instances/[id]/leftovers/route';
import * as instancesIdPolicy from '@/app/api/instances/[id]/policy/route';
import * as instancesIdReportsReport from '@/app/api/instances/[id]/reports/[report]/route';
import * as instancesIdReportsFindingsRule from '@/app/api/instances/[id]/reports/findings/[rule]/route';
import * as instancesIdReportsFindings from '@/app/api/instances/[id]/reports/findings/route';
import * as instancesId from '@/app/api/instances/[id]/route';
import * as instancesIdScans from '@/app/api/instances/[id]/scans/route';
import * as instancesIdServer from '@/app/api/instances/[id]/server/route';
import * as instancesIdSnapshots from '@/app/api/instances/[id]/snapshots/route';
import * as instancesIdViews from '@/app/api/instances/[id]/views/route';
import * as instancesIdWriteUser from '@/app/api/instances/[id]/write-user/route';
import * as instances from '@/app/api/instances/route';
import * as instancesTest from '@/app/api/instances/test/route';
import * as jobsIdCancel from '@/app/api/jobs/[id]/cancel/route';
import * as jobsIdEvents from '@/app/api/jobs/[id]/events/route';
import * as jobsIdPause from '@/app/api/jobs/[id]/pause/route';
import * as jobsIdResume from '@/app/api/jobs/[id]/resume/route';
import * as jobsId from '@/app/api/jobs/[id]/route';
import * as jobsEvents from '@/app/api/jobs/events/route';
import * as jobs from '@/app/api/jobs/route';
import * as messagesLanguage from '@/app/api/messages/[language]/route';
import * as oidcIdCallback from '@/app/api/oidc/[id]/callback/route';
import * as oidcId from '@/app/api/oidc/[id]/route';
import * as oidc from '@/app/api/oidc/route';
import * as ownersId from '@/app/api/owners/[id]/route';
import * as owners from '@/app/api/owners/route';
import * as emergencyStop from '@/app/api/panic/route';
import * as profilesIdExport from '@/app/api/profiles/[id]/export/route';
import * as profilesId from '@/app/api/profiles/[id]/route';
import * as profilesCheck from '@/app/api/profiles/check/route';
import * as profilesImport from '@/app/api/profiles/import/route';
import * as profiles from '@/app/api/profiles/route';
import * as rules from '@/app/api/rules/route';
import * as sessionConfirm from '@/app/api/session/confirm/route';
import * as session from '@/app/api/session/route';
import * as snapshotsIdKeys from '@/app/api/snapshots/[id]/keys/route';
import * as snapshotsIdReportsReport from '@/app/api/snapshots/[id]/reports/[report]/route';
import * as snapshotsIdReportsFindingsRule from '@/app/api/snapshots/[id]/reports/findings/[rule]/route';
import * as snapshotsIdReportsFindings from '@/app/api/snapshots/[id]/reports/findings/route';
import * as snapshotsId from '@/app/api/snapshots/[id]/route';
import * as teamsId from '@/app/api/teams/[id]/route';
import * as teams from '@/app/api/teams/route';
import * as tokensId from '@/app/api/tokens/[id]/route';
import * as tokens from '@/app/api/tokens/route';
import * as usersIdReset from '@/app/api/users/[id]/reset/route';
import * as usersId from '@/app/api/users/[id]/route';
import * as usersIdSessions from '@/app/api/users/[id]/sessions/route';
import * as users from '@/app/api/users/route';
import * as viewsId from '@/app/api/views/[id]/route';
import * as welcomeCheck from '@/app/api/welcome/check/route';
import * as welcome from '@/app/api/welcome/route';
import * as metrics from '@/app/metrics/route';

/**
 * Every route by its path, except the one that describes them (app/api/openapi.json/route.ts).
 * test/access/all-routes.ts includes that one too.
 */
export const ROUTES = {
  '/api/account/password': accountPassword,
  '/api/account/sessions/{id}': accountSessionsId,
  '/api/account/sessions': accountSessions,
  '/api/audit-log/choices': auditLogChoices,
  '/api/audit-log/export': auditLogExport,
  '/api/audit-log': auditLog,
  '/api/deletions/{id}/approval/decision': deletionsIdApprovalDecision,
  '/api/deletions/{id}/approval': deletionsIdApproval,
  '/api/deletions/{id}/archive': deletionsIdArchive,
  '/api/deletions/{id}/items': deletionsIdItems,
  '/api/deletions/{id}/panic': stopOfDeletion,
  '/api/deletions/{id}': deletionsId,
  '/api/deletions/{id}/server': deletionsIdServer,
  '/api/deletions/{id}/undo': deletionsIdUndo,
  '/api/deletions/plans/{id}': deletionsPlansId,
  '/api/deletions/plans': deletionsPlans,
  '/api/deletions': deletions,
  '/api/exemptions/{id}': exemptionsId,
  '/api/exemptions': exemptions,
  '/api/fleet': fleet,
  '/api/health': health,
  '/api/instances/{id}/audit': instancesIdAudit,
  '/api/instances/{id}/checklist': instancesIdChecklist,
  '/api/instances/{id}/destinations': instancesIdDestinations,
  '/api/instances/{id}/give-up': instancesIdGiveUp,
  '/api/instances/{id}/keys/{k}': instancesIdKeysK,
  '/api/instances/{id}/keys/{k}/value': instancesIdKeysKValue,
  '/api/instances/{id}/leftovers': instancesIdLeftovers,
  '/api/instances/{id}/policy': instancesIdPolicy,
  '/api/instances/{id}/reports/{report}': instancesIdReportsReport,
  '/api/instances/{id}/reports/findings/{rule}': instancesIdReportsFindingsRule,
  '/api/instances/{id}/reports/findings': instancesIdReportsFindings,
  '/api/instances/{id}': instancesId,
  '/api/instances/{id}/scans': instancesIdScans,
  '/api/instances/{id}/server': instancesIdServer,
  '/api/instances/{id}/snapshots': instancesIdSnapshots,
  '/api/instances/{id}/views': instancesIdViews,
  '/api/instances/{id}/write-user': instancesIdWriteUser,
  '/api/instances': instances,
  '/api/instances/test': instancesTest,
  '/api/jobs/{id}/cancel': jobsIdCancel,
  '/api/jobs/{id}/events': jobsIdEvents,
  '/api/jobs/{id}/pause': jobsIdPause,
  '/api/jobs/{id}/resume': jobsIdResume,
  '/api/jobs/{id}': jobsId,
  '/api/jobs/events': jobsEvents,
  '/api/jobs': jobs,
  '/api/messages/{language}': messagesLanguage,
  '/api/oidc/{id}/callback': oidcIdCallback,
  '/api/oidc/{id}': oidcId,
  '/api/oidc': oidc,
  '/api/owners/{id}': ownersId,
  '/api/owners': owners,
  '/api/panic': emergencyStop,
  '/api/profiles/{id}/export': profilesIdExport,
  '/api/profiles/{id}': profilesId,
  '/api/profiles/check': profilesCheck,
  '/api/profiles/import': profilesImport,
  '/api/profiles': profiles,
  '/api/rules': rules,
  '/api/session/confirm': sessionConfirm,
  '/api/session': session,
  '/api/snapshots/{id}/keys': snapshotsIdKeys,
  '/api/snapshots/{id}/reports/{report}': snapshotsIdReportsReport,
  '/api/snapshots/{id}/reports/findings/{rule}': snapshotsIdReportsFindingsRule,
  '/api/snapshots/{id}/reports/findings': snapshotsIdReportsFindings,
  '/api/snapshots/{id}': snapshotsId,
  '/api/teams/{id}': teamsId,
  '/api/teams': teams,
  '/api/tokens/{id}': tokensId,
  '/api/tokens': tokens,
  '/api/users/{id}/reset': usersIdReset,
  '/api/users/{id}': usersId,
  '/api/users/{id}/sessions': usersIdSessions,
  '/api/users': users,
  '/api/views/{id}': viewsId,
  '/api/welcome/check': welcomeCheck,
  '/api/welcome': welcome,
  '/metrics': metrics,
};
