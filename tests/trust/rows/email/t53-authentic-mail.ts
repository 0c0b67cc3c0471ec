import { request } from '#tests/trust/http.ts'
import { checkHtml } from '#tests/trust/attacks/html-rules.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { createSenderDomain, sendEveryTemplate } from '#tests/trust/sender-domain.ts'

const ADDRESS = '100 Sample Parkway, Suite 200, Norcross, Georgia 30071'
const LARGEST = 100_000

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
    const sender = createSenderDomain()
    const names = await sendEveryTemplate({ ...sender.settings, smtpUrl: `smtp://localhost:${world.smtpPort}` })
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
      await sender.verify(raw, name, faults)
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
