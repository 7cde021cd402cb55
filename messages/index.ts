// Written by scripts/messages-index.mjs.
import type { AbstractIntlMessages } from 'use-intl';
import accountEn from './en/account.json';
import alertsEn from './en/alerts.json';
import auditEn from './en/audit.json';
import bigkeysEn from './en/bigkeys.json';
import capabilitiesEn from './en/capabilities.json';
import channelsEn from './en/channels.json';
import compareEn from './en/compare.json';
import deletionsEn from './en/deletions.json';
import errorsEn from './en/errors.json';
import filtersEn from './en/filters.json';
import findingsEn from './en/findings.json';
import fleetEn from './en/fleet.json';
import idleEn from './en/idle.json';
import instancesEn from './en/instances.json';
import jobsEn from './en/jobs.json';
import keysEn from './en/keys.json';
import namesEn from './en/names.json';
import navEn from './en/nav.json';
import overviewEn from './en/overview.json';
import patternsEn from './en/patterns.json';
import policyEn from './en/policy.json';
import profilesEn from './en/profiles.json';
import reasonsEn from './en/reasons.json';
import rulesEn from './en/rules.json';
import scansEn from './en/scans.json';
import schedulesEn from './en/schedules.json';
import serverAuditEn from './en/serverAudit.json';
import sizesEn from './en/sizes.json';
import slotsEn from './en/slots.json';
import treeEn from './en/tree.json';
import trendsEn from './en/trends.json';
import ttlEn from './en/ttl.json';
import typesEn from './en/types.json';
import uiEn from './en/ui.json';
import usersEn from './en/users.json';
import warningsEn from './en/warnings.json';
import type { Locale } from './locales';
import accountZh from './zh-CN/account.json';
import alertsZh from './zh-CN/alerts.json';
import auditZh from './zh-CN/audit.json';
import bigkeysZh from './zh-CN/bigkeys.json';
import capabilitiesZh from './zh-CN/capabilities.json';
import channelsZh from './zh-CN/channels.json';
import compareZh from './zh-CN/compare.json';
import deletionsZh from './zh-CN/deletions.json';
import errorsZh from './zh-CN/errors.json';
import filtersZh from './zh-CN/filters.json';
import findingsZh from './zh-CN/findings.json';
import fleetZh from './zh-CN/fleet.json';
import idleZh from './zh-CN/idle.json';
import instancesZh from './zh-CN/instances.json';
import jobsZh from './zh-CN/jobs.json';
import keysZh from './zh-CN/keys.json';
import namesZh from './zh-CN/names.json';
import navZh from './zh-CN/nav.json';
import overviewZh from './zh-CN/overview.json';
import patternsZh from './zh-CN/patterns.json';
import policyZh from './zh-CN/policy.json';
import profilesZh from './zh-CN/profiles.json';
import reasonsZh from './zh-CN/reasons.json';
import rulesZh from './zh-CN/rules.json';
import scansZh from './zh-CN/scans.json';
import schedulesZh from './zh-CN/schedules.json';
import serverAuditZh from './zh-CN/serverAudit.json';
import sizesZh from './zh-CN/sizes.json';
import slotsZh from './zh-CN/slots.json';
import treeZh from './zh-CN/tree.json';
import trendsZh from './zh-CN/trends.json';
import ttlZh from './zh-CN/ttl.json';
import typesZh from './zh-CN/types.json';
import uiZh from './zh-CN/ui.json';
import usersZh from './zh-CN/users.json';
import warningsZh from './zh-CN/warnings.json';

export const messages = {
  en: {
    account: accountEn,
    alerts: alertsEn,
    audit: auditEn,
    bigkeys: bigkeysEn,
    capabilities: capabilitiesEn,
    channels: channelsEn,
    compare: compareEn,
    deletions: deletionsEn,
    errors: errorsEn,
    filters: filtersEn,
    findings: findingsEn,
    fleet: fleetEn,
    idle: idleEn,
    instances: instancesEn,
    jobs: jobsEn,
    keys: keysEn,
    names: namesEn,
    nav: navEn,
    overview: overviewEn,
    patterns: patternsEn,
    policy: policyEn,
    profiles: profilesEn,
    reasons: reasonsEn,
    rules: rulesEn,
    scans: scansEn,
    schedules: schedulesEn,
    serverAudit: serverAuditEn,
    sizes: sizesEn,
    slots: slotsEn,
    tree: treeEn,
    trends: trendsEn,
    ttl: ttlEn,
    types: typesEn,
    ui: uiEn,
    users: usersEn,
    warnings: warningsEn,
  },
  'zh-CN': {
    account: accountZh,
    alerts: alertsZh,
    audit: auditZh,
    bigkeys: bigkeysZh,
    capabilities: capabilitiesZh,
    channels: channelsZh,
    compare: compareZh,
    deletions: deletionsZh,
    errors: errorsZh,
    filters: filtersZh,
    findings: findingsZh,
    fleet: fleetZh,
    idle: idleZh,
    instances: instancesZh,
    jobs: jobsZh,
    keys: keysZh,
    names: namesZh,
    nav: navZh,
    overview: overviewZh,
    patterns: patternsZh,
    policy: policyZh,
    profiles: profilesZh,
    reasons: reasonsZh,
    rules: rulesZh,
    scans: scansZh,
    schedules: schedulesZh,
    serverAudit: serverAuditZh,
    sizes: sizesZh,
    slots: slotsZh,
    tree: treeZh,
    trends: trendsZh,
    ttl: ttlZh,
    types: typesZh,
    ui: uiZh,
    users: usersZh,
    warnings: warningsZh,
  },
} satisfies Record<Locale, AbstractIntlMessages>;
