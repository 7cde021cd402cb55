import type { Send } from '@/lib/alerts/message';
import type { ChannelKind } from '@/lib/model/alerts/vocabulary';
import { sendToAlertmanager } from './alertmanager';
import { sendToDingTalk } from './dingtalk';
import { sendToFeishu } from './feishu';
import { sendToSlack } from './slack';
import { sendMail } from './smtp';
import { sendToWebhook } from './webhook';
import { sendToWeCom } from './wecom';

/** One file per kind. `perMinute`: messages that one address may get; null = no limit. */
export const CHANNELS: Record<ChannelKind, { send: Send; perMinute: number | null }> = {
  dingtalk: { send: sendToDingTalk, perMinute: 18 },
  feishu: { send: sendToFeishu, perMinute: 80 },
  wecom: { send: sendToWeCom, perMinute: 18 },
  slack: { send: sendToSlack, perMinute: 50 },
  webhook: { send: sendToWebhook, perMinute: null },
  alertmanager: { send: sendToAlertmanager, perMinute: null },
  smtp: { send: sendMail, perMinute: 60 },
};
