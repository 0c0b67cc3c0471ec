import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MAIL_TIMEOUTS } from './mailer.ts'
import type { MailFinding } from './mail-records.rules.ts'
import { runSmtpStep } from './smtp-step.ts'

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** Checks that the mail server is reachable, uses encryption and accepts the login. Sends nothing. */
export async function checkMailServer(smtpUrl: string): Promise<MailFinding[]> {
  const about = 'Server'
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  const name = `${server.host}:${server.port ?? 25}`
  const connection = new SMTPConnection({ ...server, ...MAIL_TIMEOUTS })
  connection.on('error', () => {})
  try {
    await runSmtpStep(connection, (done) => connection.connect(done))
  } catch (error) {
    const { code = 'no response' } = error as { code?: string }
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} does not respond (${code}): check SMTP_URL, its port, and whether this machine can reach it.`,
      },
    ]
  }
  const findings: MailFinding[] = [{ about, verdict: 'ok', text: `${name} responds.` }]
  const isSecure = (connection as unknown as { secure: boolean }).secure
  if (isSecure) findings.push({ about, verdict: 'ok', text: 'The connection is encrypted.' })
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
  if (!auth) return { about, verdict: 'ok', text: 'No login is used, because SMTP_URL has no user.' }
  try {
    await runSmtpStep(connection, (done) => connection.login(auth, done))
    return { about, verdict: 'ok', text: 'The login works.' }
  } catch (error) {
    const { responseCode, code = '' } = error as { responseCode?: number; code?: string }
    if (responseCode === undefined && code !== 'EAUTH') {
      const text = `The server closed the connection during the login (${code}): check that it accepts logins on this port and from this machine.`
      return { about, verdict: 'wrong', text }
    }
    return {
      about,
      verdict: 'wrong',
      text: `The server rejects the login (${responseCode ?? code}): correct the user and password in SMTP_URL. Special characters must be percent-encoded, such as %40 for @.`,
    }
  }
}
