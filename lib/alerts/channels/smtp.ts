import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { judgeDestination } from '@/lib/alerts/judge-destination';
import { joinLines, type Send, toMessageLine } from '@/lib/alerts/message';
import { SendError } from '@/lib/alerts/send-error';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 90_000;

/** Sends a mail as plain text, so that nothing in it can be loaded. */
export const sendMail: Send = async ({ smtp, secret }, message) => {
  if (smtp === null) throw new SendError('settings', 'The settings of the mail server are missing.', true);
  const { host, port, security, user, from, to } = smtp;
  const [judged] = await judgeDestination(host, port);
  const transport = createTransport({
    host: judged?.address ?? '',
    port,
    secure: security === 'tls',
    requireTLS: true,
    tls: { ...(isIP(host) === 0 && { servername: host }) },
    ...(user !== '' && { auth: { user, pass: secret } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  });
  const lines = message.items.map((item) => toMessageLine(item, message));
  try {
    const { rejected } = await transport.sendMail({
      from,
      to,
      subject: message.title,
      text: joinLines(lines, message, MAX_BYTES),
      // The same for all tries, so that a receiver can recognise one that it has.
      messageId: `<${message.id}@colonnade.invalid>`,
    });
    // The mail server accepts a mail even if it refuses some of its recipients.
    if (rejected.length > 0) throw new SendError('recipients', `Refused: ${rejected.map(String).join(', ')}`, true);
  } catch (error) {
    throw error instanceof SendError ? error : toSendError(error as Error & { code?: string; responseCode?: number });
  } finally {
    transport.close();
  }
};

function toSendError({ code, responseCode, message }: Error & { code?: string; responseCode?: number }): SendError {
  // Its answer begins with 5 where another try would be refused in the same way.
  const isFinal = code === 'EAUTH' || code === 'ETLS' || (responseCode !== undefined && responseCode >= 500);
  return new SendError(responseCode ? `SMTP ${responseCode}` : (code ?? 'network'), message.slice(0, 300), isFinal);
}
