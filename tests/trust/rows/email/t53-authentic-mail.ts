import { generateKeyPairSync } from 'node:crypto'
import { authenticate } from 'mailauth'
import { createBulkMailer } from '#server/emails/bulk-mailer.ts'
import { createMailer } from '#server/emails/mailer.ts'
import type { Config } from '#server/config/config.ts'
import { everyEmail } from '#tests/support/emails/every-email.ts'
import { request } from '#tests/trust/http.ts'
import { checkHtml } from '#tests/trust/attacks/html-rules.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const DOMAIN = 'example.org'
const SELECTOR = 'trust'
const SENDER = `office@${DOMAIN}`
const ADDRESS = '100 Sample Parkway, Suite 200, Norcross, Georgia 30071'
const LARGEST = 100_000
const SERVER_IP = '203.0.113.25'

/** What common mail programs drop or misinterpret (caniemail.com), as patterns over an email's HTML. */
const UNSUPPORTED: [what: string, pattern: RegExp][] = [
  ['script', /<script/i],
  ['form', /<(form|input|button|select|textarea)\b/i],
  ['frame, object or video', /<(iframe|object|embed|video|audio|svg|canvas)\b/i],
  ['style sheet from elsewhere', /<link[^>]+stylesheet|@import|@font-face/i],
  ['background picture', /background(-image)?\s*:[^;"]*url\(/i],
  ['flex, grid or position', /(display\s*:\s*(flex|grid)|position\s*:|float\s*:)/i],
  ['custom property or calc', /var\(--|calc\(/i],
  ['picture without alt', /<img(?![^>]*\balt=)/i],
  ['http picture', /<img[^>]+src="http:/i],
]

export const row: TrustRow = {
  id: 'T53',
  promise: 'Authenticated email',
  gate: false,
  target:
    'all templates: DKIM, SPF and DMARC pass and align; text part; mailing address; 0 HTML or mail client errors; under 100 kB',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const settings = mailSettings(world.smtpPort, String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const resolver = makeResolver(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'))
    const names = await sendAll(settings)
    const arrived = await until(async () => {
      const mails = (await world.mailbox.all()).filter(({ to }) => to[0]?.endsWith('@emails.example'))
      return mails.length >= names.length && mails
    })
    if (!arrived) throw new Error('Not every email arrived')
    let largest = 0
    for (const { id, to, html, text } of arrived) {
      const name = names[Number(to[0]?.split('@')[0])] ?? ''
      const raw = (await request(world.standinsUrl, { path: `/mail/messages/${id}/raw` })).text
      largest = Math.max(largest, Buffer.byteLength(raw))
      faults.expect(Buffer.byteLength(raw) < LARGEST, 'too large', name)
      const { dkim, spf, dmarc } = await authenticate(raw, {
        ip: SERVER_IP,
        helo: `mail.${DOMAIN}`,
        sender: SENDER,
        resolver,
      })
      const signature = dkim.results[0]
      faults.expect(signature?.status.result === 'pass', 'DKIM', `${name}: ${signature?.status.result}`)
      faults.expect(signature?.signingDomain === DOMAIN, 'DKIM not aligned', name)
      faults.expect(spf !== false && spf.status.result === 'pass', 'SPF', name)
      faults.expect(dmarc !== false && dmarc.status.result === 'pass', 'DMARC', name)
      faults.expect(text.trim().length > 60, 'no text part', name)
      for (const form of [html, text]) faults.expect(form.includes(ADDRESS), 'no postal address', name)
      for (const finding of checkHtml(html, { isEmail: true }).findings) faults.add('HTML', `${name}: ${finding}`)
      for (const [what, pattern] of UNSUPPORTED) faults.expect(!pattern.test(html), what, name)
    }
    return {
      passed: faults.count === 0,
      reached: `${arrived.length} emails of ${names.length} templates: DKIM, SPF and DMARC verified, text and address in each, largest ${Math.round(largest / 1_000)} kB; faults: ${faults}`,
      notes:
        'Verified by mailauth with DNS records given to it; mail programs by a list of what caniemail.com says they drop, since its data is no npm package of the project',
    }
  },
}

/** Each template has its own recipient. */
async function sendAll(settings: Config['mail']): Promise<string[]> {
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

function mailSettings(port: number, privateKey: string): Config['mail'] {
  return {
    smtpUrl: `smtp://localhost:${port}`,
    from: `Georgia Physicians of Indian Origin <${SENDER}>`,
    bounceAddress: null,
    dkim: { domain: DOMAIN, selector: SELECTOR, privateKey },
  }
}

/** The records that `docs/running.md` says to publish. */
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
