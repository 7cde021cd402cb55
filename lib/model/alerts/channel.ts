import { z } from 'zod';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';
import { CHANNEL_KINDS } from './vocabulary';

const MailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/, 'a mail address');

export const SmtpSettings = z.object({
  host: z.string().trim().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  /** `tls` = encrypted from the first byte; `starttls` = encrypted before anything else is said. */
  security: z.enum(['starttls', 'tls']),
  user: z.string().max(256).default(''),
  from: MailAddress,
  to: z.array(MailAddress).min(1).max(50),
});
export type SmtpSettings = z.infer<typeof SmtpSettings>;

/** What is sealed by the vault. An absent field of an update keeps the stored one; an empty one removes it. */
export const ChannelSecrets = z.object({
  /** Address of the robot, webhook or Alertmanager. */
  url: z.string().trim().max(2000).optional(),
  /** Signs the requests of DingTalk, Feishu and webhooks (`whsec_` and base64); the password of SMTP. */
  secret: z.string().trim().max(500).optional(),
});
export type ChannelSecrets = z.infer<typeof ChannelSecrets>;

export const ChannelInput = z.object({
  name: z.string().trim().min(1).max(80).superRefine(refuseUnseen),
  kind: z.enum(CHANNEL_KINDS),
  on: z.boolean().default(true),
  /** Receives what no team's channel receives. */
  isDefault: z.boolean().default(false),
  /** Names of teams whose alerts it receives. */
  teams: z.array(z.string().trim().min(1).max(80)).max(100).default([]),
  language: z.enum(['en', 'zh-CN']).default('en'),
  /** `HH:MM` in `zone`: everything is collected until then; null = messages are sent when something happens. */
  digestAt: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable()
    .default(null),
  zone: z.string().max(64).default('UTC'),
  smtp: SmtpSettings.nullable().default(null),
  secrets: ChannelSecrets.default({}),
});
export type ChannelInput = z.infer<typeof ChannelInput>;

/** A channel as an administrator sees it. */
export interface Channel extends Omit<ChannelInput, 'secrets'> {
  id: string;
  /** The host and the last four characters of the address; null = there is none. */
  shownUrl: string | null;
  /** The last four characters; null = there is none. */
  shownSecret: string | null;
  createdAt: number;
  /** Since when deliveries fail, epoch ms; null = the last one succeeded, or there was none. */
  failingSince: number | null;
  lastSentAt: number | null;
  lastError: string | null;
}
