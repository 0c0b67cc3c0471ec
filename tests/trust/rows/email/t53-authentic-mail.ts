import { generateKeyPairSync } from 'node:crypto'
import { authenticate } from 'mailauth'
import { createBulkMailer } from '#server/mail/bulk-mailer.ts'
import { createMailer } from '#server/mail/mailer.ts'
import type { Config } from '#server/config/config.ts'
import { everyLetter } from '#tests/support/every-letter.ts'
import { ask } from '../http.ts'
import { checkHtml } from '../html-rules.ts'
import { until } from '../load.ts'
import { Faults, type TrustRow } from '../row.ts'

const DOMAIN = 'example.org'
const SELECTOR = 'trust'
const SENDER = `office@${DOMAIN}`
const ADDRESS = '100 Sample Parkway, Suite 736, Norcross, Georgia 30071'
const LARGEST = 100_000
const SERVER_IP = '203.0.113.25'

/** What common mail programs drop or mistake (caniemail.com), as patterns over the HTML of a letter. */
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
  promise: 'Authentic mail',
  gate: false,
  target:
    'all templates: DKIM, SPF and DMARC pass and aligned; text part; postal address; 0 errors of HTML or mail programs; under 100 kB',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const settings = mailSettings(world.smtpPort, String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const resolver = makeResolver(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'))
    const names = await sendAll(settings)
    const arrived = await until(async () => {
      const mails = (await world.mailbox.all()).filter(({ to }) => to[0]?.endsWith('@letters.example'))
      return mails.length >= names.length && mails
    })
    if (!arrived) throw new Error('Not every letter arrived')
    let largest = 0
    for (const { id, to, html, text } of arrived) {
      const name = names[Number(to[0]?.split('@')[0])] ?? ''
      const raw = (await ask(world.standinsUrl, { path: `/mail/messages/${id}/raw` })).text
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
      for (const finding of checkHtml(html, { isLetter: true }).findings) faults.add('HTML', `${name}: ${finding}`)
      for (const [what, pattern] of UNSUPPORTED) faults.expect(!pattern.test(html), what, name)
    }
    return {
      passed: faults.count === 0,
      reached: `${arrived.length} letters of ${names.length} templates: DKIM, SPF and DMARC verified, text and address in each, largest ${Math.round(largest / 1_000)} kB; faults: ${faults}`,
      notes:
        'Verified by mailauth with DNS records given to it; mail programs by a list of what caniemail.com says they drop, since its data is no npm package of the project',
    }
  },
}

/** Each to an address that says which it is. */
async function sendAll(settings: Config['mail']): Promise<string[]> {
  const mailer = createMailer(settings)
  const bulk = createBulkMailer(settings)
  const letters = Object.entries(everyLetter('Anagha'))
  for (const [number, [name, letter]] of letters.entries()) {
    const to = `${number}@letters.example`
    if (!name.startsWith('campaign')) await mailer.send({ ...letter, to }, `letter-${number}`)
    else
      await bulk.send([
        { ...letter, to, id: `letter-${number}`, headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
      ])
  }
  mailer.close()
  bulk.close()
  return letters.map(([name]) => name)
}

function mailSettings(port: number, privateKey: string): Config['mail'] {
  return {
    smtpUrl: `smtp://localhost:${port}`,
    from: `Georgia Physicians of Indian Origin <${SENDER}>`,
    bounceAddress: null,
    dkim: { domain: DOMAIN, selector: SELECTOR, privateKey },
  }
}

/** The records that `docs/running.md` tells to publish. */
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
