import { acknowledgeAlert, addSilence, endSilence, listAlerts, listSilences } from '@/lib/alerts/manage-alerts';
import {
  addChannel,
  listChannels,
  listDeliveries,
  removeChannel,
  testChannel,
  updateChannel,
} from '@/lib/alerts/manage-channels';
import { addAlertRule, listAlertRules, removeAlertRule, updateAlertRule } from '@/lib/alerts/manage-rules';
import { handle } from '@/lib/http/handle';
import { AlertRuleInput, AlertsQuery, SilenceInput } from '@/lib/model/alerts/alert';
import { ChannelInput } from '@/lib/model/alerts/channel';

export const alertRoutes = [
  handle('GET /api/alerts', {
    summary: 'List alerts: those that are open (the default) or resolved, of one instance or of all that you may see.',
    answer: 'alerts: newest first. nextCursor: for more (null = there are no more). open: the open ones by severity.',
    query: AlertsQuery,
    act: ({ actor, query }) => listAlerts(actor, query),
  }),
  handle('POST /api/alerts/{id}/acknowledge', {
    summary: 'Acknowledge an alert: it is not sent again while it fires.',
    answer: 'alert: the alert as it is now.',
    act: async ({ actor, id }) => ({ alert: await acknowledgeAlert(actor, id) }),
  }),
  handle('GET /api/alerts/rules', {
    summary: 'List the rules of alerts.',
    answer: 'rules: those of all instances and of the instances that you may see.',
    act: async ({ actor }) => ({ rules: await listAlertRules(actor) }),
  }),
  handle('POST /api/alerts/rules', {
    summary: 'Add a rule of alerts.',
    answer: 'rule: the rule that was added.',
    body: AlertRuleInput,
    status: 201,
    act: async ({ actor, body }) => ({ rule: await addAlertRule(actor, body) }),
  }),
  handle('PUT /api/alerts/rules/{id}', {
    summary: 'Change a rule of alerts. Its alerts end without a message and are judged again by the next snapshot.',
    answer: 'rule: the rule as it is now.',
    body: AlertRuleInput,
    act: async ({ actor, id, body }) => ({ rule: await updateAlertRule(actor, id, body) }),
  }),
  handle('DELETE /api/alerts/rules/{id}', {
    summary: 'Remove a rule of alerts. Its alerts end without a message.',
    answer: 'id: the rule that was removed.',
    act: ({ actor, id }) => removeAlertRule(actor, id),
  }),
  handle('GET /api/alerts/silences', {
    summary: 'List the silences that have not ended.',
    answer: 'silences: those of all instances and of the instances that you may see.',
    act: async ({ actor }) => ({ silences: await listSilences(actor) }),
  }),
  handle('POST /api/alerts/silences', {
    summary: 'Silence the alerts of a rule, an instance, a team or a subject until a time, at most 90 days from now.',
    answer: 'silence: the silence that was added.',
    body: SilenceInput,
    status: 201,
    act: async ({ actor, body }) => ({ silence: await addSilence(actor, body) }),
  }),
  handle('DELETE /api/alerts/silences/{id}', {
    summary: 'End a silence now. What still fires is then sent.',
    answer: 'id: the silence that has ended.',
    act: ({ actor, id }) => endSilence(actor, id),
  }),
  handle('GET /api/channels', {
    summary: 'List the channels that alerts are sent to.',
    answer: 'channels: all of them; of addresses and secrets only the last four characters.',
    act: async ({ actor }) => ({ channels: await listChannels(actor) }),
  }),
  handle('POST /api/channels', {
    summary: 'Add a channel. With the first one, four useful alerts are on.',
    answer: 'channel: the channel that was added.',
    body: ChannelInput,
    status: 201,
    act: async ({ actor, body }) => ({ channel: await addChannel(actor, body) }),
  }),
  handle('PUT /api/channels/{id}', {
    summary: 'Change a channel. An address or secret that is not sent stays as it is.',
    answer: 'channel: the channel as it is now.',
    body: ChannelInput,
    act: async ({ actor, id, body }) => ({ channel: await updateChannel(actor, id, body) }),
  }),
  handle('DELETE /api/channels/{id}', {
    summary: 'Remove a channel with the messages that wait for it.',
    answer: 'id: the channel that was removed.',
    act: ({ actor, id }) => removeChannel(actor, id),
  }),
  handle('POST /api/channels/{id}/test', {
    summary: 'Send a test message to a channel, in the way of all messages.',
    answer: 'deliveryId: the message in the list of deliveries, which says how it went.',
    rate: 'costly',
    act: ({ actor, id }) => testChannel(actor, id),
  }),
  handle('GET /api/channels/{id}/deliveries', {
    summary: 'List the newest 200 messages to a channel.',
    answer: 'deliveries: newest first, each with its tries and how the last one ended.',
    act: async ({ actor, id }) => ({ deliveries: await listDeliveries(actor, id) }),
  }),
];
