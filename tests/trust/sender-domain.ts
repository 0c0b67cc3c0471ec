import { generateKeyPairSync } from 'node:crypto'
import { authenticate } from 'mailauth'
import type { Config } from '#server/config/config.ts'
import { createBulkMailer } from '#server/emails/bulk-mailer.ts'
import { createMailer } from '#server/emails/mailer.ts'
import { everyEmail } from '#tests/support/emails/every-email.ts'
import type { Faults } from './row.ts'

const DOMAIN = 'example.org'
const SELECTOR = 'trust'
const SENDER = `office@${DOMAIN}`
const SERVER_IP = '203.0.113.25'

/** A domain with a DKIM key and with the records that `docs/running.md` says to publish. */
export interface SenderDomain {
  settings: Omit<Config['mail'], 'smtpUrl'>
  /** Verifies an email as its receiver does; DKIM, SPF or DMARC that does not pass or align is a fault. */
  verify(raw: string, name: string, faults: Faults): Promise<void>
}

/** @param bounceAddress of the same domain; the sender if null */
export function createSenderDomain(bounceAddress: string | null = null): SenderDomain {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const resolver = makeResolver(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'))
  return {
    settings: {
      from: `Georgia Physicians of Indian Origin <${SENDER}>`,
      bounceAddress,
      dkim: {
        domain: DOMAIN,
        selector: SELECTOR,
        privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      },
    },
    async verify(raw, name, faults) {
      const { dkim, spf, dmarc } = await authenticate(raw, {
        ip: SERVER_IP,
        helo: `mail.${DOMAIN}`,
        sender: bounceAddress ?? SENDER,
        resolver,
      })
      const signature = dkim.results[0]
      faults.expect(signature?.status.result === 'pass', 'DKIM', `${name}: ${signature?.status.result}`)
      faults.expect(signature?.signingDomain === DOMAIN, 'DKIM not aligned', name)
      faults.expect(spf !== false && spf.status.result === 'pass', 'SPF', name)
      faults.expect(dmarc !== false && dmarc.status.result === 'pass', 'DMARC', name)
    },
  }
}

/** Sends every template, each to a recipient of its own: `0@emails.example` and so on. Returns their names in that order. */
export async function sendEveryTemplate(settings: Config['mail']): Promise<string[]> {
  const mailer = createMailer(settings)
  const bulk = createBulkMailer(settings)
  const emails = Object.entries(everyEmail('Anagha'))
  for (const [number, [name, email]] of emails.entries()) {
    const to = `${number}@emails.example`
    if (!name.startsWith('campaign')) await mailer.send({ ...email, to }, `email-${number}`)
    else
      await bulk.send([
        { ...email, to, id: `email-${number}`, headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
      ])
  }
  mailer.close()
  bulk.close()
  return emails.map(([name]) => name)
}

function makeResolver(publicKey: string) {
  const records: Record<string, string> = {
    [`${SELECTOR}._domainkey.${DOMAIN}`]: `v=DKIM1; k=rsa; p=${publicKey}`,
    [DOMAIN]: `v=spf1 ip4:${SERVER_IP} -all`,
    [`_dmarc.${DOMAIN}`]: 'v=DMARC1; p=reject; adkim=s; aspf=s',
  }
  return async (name: string, type: string): Promise<string[][]> => {
    const record = type === 'TXT' ? records[name] : undefined
    if (record !== undefined) return [[record]]
    throw Object.assign(new Error(`no ${type} record of ${name}`), { code: 'ENOTFOUND' })
  }
}
