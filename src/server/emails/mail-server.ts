import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MAIL_TIMEOUTS } from './mailer.ts'
import type { MailFinding } from './mail-records.rules.ts'
import { step } from './smtp-steps.ts'

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** Whether the mail server answers, over which kind of connection, and takes our log-in. Sends nothing. */
export async function checkMailServer(smtpUrl: string): Promise<MailFinding[]> {
  const about = 'Server'
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  const name = `${server.host}:${server.port ?? 25}`
  const connection = new SMTPConnection({ ...server, ...MAIL_TIMEOUTS })
  connection.on('error', () => {})
  try {
    await step(connection, (done) => connection.connect(done))
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string }
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} does not answer (${code}): check SMTP_URL, its port, and whether this machine may reach it.`,
      },
    ]
  }
  const findings: MailFinding[] = [{ about, verdict: 'ok', text: `${name} answers.` }]
  const isSecure = (connection as unknown as { secure: boolean }).secure
  if (isSecure) findings.push({ about, verdict: 'ok', text: 'Letters and password travel encrypted.' })
  else if (!LOCAL.test(server.host ?? '')) {
    findings.push({
      about,
      verdict: 'wrong',
      text: 'The connection is not encrypted: use smtps:// with port 465, or a server that offers STARTTLS.',
    })
  }
  findings.push(await logIn(connection, auth))
  connection.quit()
  return findings
}

async function logIn(
  connection: SMTPConnection,
  auth: { user?: string; pass?: string } | undefined,
): Promise<MailFinding> {
  const about = 'Server'
  if (!auth) return { about, verdict: 'ok', text: 'It is used without a log-in, as SMTP_URL has no user.' }
  try {
    await step(connection, (done) => connection.login(auth, done))
    return { about, verdict: 'ok', text: 'It takes our log-in.' }
  } catch (error) {
    const { responseCode, code = '' } = error as { responseCode?: number; code?: string }
    if (responseCode === undefined && code !== 'EAUTH') {
      const text = `It hung up during our log-in (${code}): see whether it takes a log-in at this port, and from this machine.`
      return { about, verdict: 'wrong', text }
    }
    return {
      about,
      verdict: 'wrong',
      text: `It refuses our log-in (${responseCode ?? code}): correct user and password in SMTP_URL; special characters in them are written as %40.`,
    }
  }
}
