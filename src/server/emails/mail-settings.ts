import type { Config } from '#server/config/config.ts'

type MailSettings = Config['mail']

/** The discard port of this machine, where nothing listens: emails of a site without a mail server wait in the outbox. */
const NOWHERE = 'smtp://127.0.0.1:9'
const NO_SENDER = 'The site <nobody@localhost.invalid>'

/** The settings of a mail server, also for a site that is being set up and has none yet. */
export function mailServerOf(mail: MailSettings): MailSettings {
  return { ...mail, smtpUrl: mail.smtpUrl || NOWHERE, from: mail.from || NO_SENDER }
}
