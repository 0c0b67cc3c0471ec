import { newPerson, Visitor, botToken, expectStatus } from '#tests/trust/people.ts'
import { sendBytes, statusesIn } from '#tests/trust/http.ts'
import { tally, until } from '#tests/trust/load.ts'
import { linksIn, type ReceivedEmail } from '#tests/trust/mailbox.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const SITE_URL = 'https://association.example.org'
const EVIL = 'evil.example'

/** The request line's target and the header lines of each attack. */
const VARIANTS: Record<string, { target?: (path: string) => string; headers: string[]; host?: string[] }> = {
  Host: { headers: [], host: [EVIL] },
  'Host with port': { headers: [], host: [`${EVIL}:443`] },
  'duplicate Host': { headers: [], host: ['association.example.org', EVIL] },
  'duplicate Host, evil first': { headers: [], host: [EVIL, 'association.example.org'] },
  'X-Forwarded-Host': { headers: [`X-Forwarded-Host: ${EVIL}`] },
  'X-Forwarded-Proto': { headers: ['X-Forwarded-Proto: http'] },
  'X-Forwarded-Port': { headers: ['X-Forwarded-Port: 8443', `X-Forwarded-Server: ${EVIL}`] },
  Forwarded: { headers: [`Forwarded: for=203.0.113.9;host=${EVIL};proto=http`] },
  'X-Host': { headers: [`X-Host: ${EVIL}`, `X-HTTP-Host-Override: ${EVIL}`] },
  'X-Original-URL': { headers: [`X-Original-URL: https://${EVIL}/`, `X-Rewrite-URL: https://${EVIL}/`] },
  'absolute URI': { target: (path) => `http://${EVIL}${path}`, headers: [] },
  'Origin and Referer': { headers: [`Origin: https://${EVIL}`, `Referer: https://${EVIL}/page`] },
}

type Mail = 'verification' | 'verification again' | 'already registered' | 'password reset'

export const row: TrustRow = {
  id: 'T18',
  promise: 'Links cannot be poisoned',
  gate: true,
  target: '12 header variants x 4 emails: 48 of 48 links on the configured https origin',
  async run({ world: start }) {
    const world = await start({ siteUrl: SITE_URL })
    const faults = new Faults()
    const member = await new Visitor(world).join(newPerson({ levelKey: 'medical_student' }))
    await world.quiet()
    let right = 0
    let mails = 0
    const statuses: number[] = []
    for (const variant of Object.keys(VARIANTS)) {
      for (const mail of ['verification', 'verification again', 'already registered', 'password reset'] as Mail[]) {
        const { to, path, body } = await request(world, mail, member.email)
        const before = (await world.mailbox.emailsTo(to)).length
        const { text } = await sendBytes(world.site.origin, [compose(variant, path, body)], { quietMs: 10_000 })
        const status = statusesIn(text)[0] ?? 0
        statuses.push(status)
        mails++
        const email = status >= 200 && status < 300 ? await nextEmail(world, to, before) : null
        // A rejected request sends no email: that is safe too, but must be an explicit rejection.
        const isSafe = email ? isOnOrigin(email, faults, variant) : status >= 400 && status < 500
        if (isSafe) right++
        faults.expect(isSafe, `${variant}: ${mail}`, `${status}`)
      }
    }
    return {
      passed: faults.count === 0 && mails === 48,
      reached: `${right} of ${mails} safe, every link on ${SITE_URL}; answers ${tally(statuses)}; faults: ${faults}`,
    }
  },
}

async function request(world: World, mail: Mail, member: string): Promise<{ to: string; path: string; body: string }> {
  const person = newPerson({ levelKey: 'medical_student' })
  const token = (action: string) => botToken(world, action)
  if (mail === 'password reset') {
    const body = { email: member, recaptchaToken: await token('password_reset') }
    return { to: member, path: '/api/email/forgot-password', body: JSON.stringify(body) }
  }
  if (mail === 'verification again') {
    expectStatus(await new Visitor(world).register(person), 201, 'register')
    await world.mailbox.link(person.email, '/email-verification')
    const body = { email: person.email, recaptchaToken: await token('resend_verification') }
    return { to: person.email, path: '/api/auth/resend-verification', body: JSON.stringify(body) }
  }
  const email = mail === 'already registered' ? member : person.email
  const body = { ...person, email, recaptchaToken: await token('registration') }
  return { to: email, path: '/api/auth/register', body: JSON.stringify(body) }
}

function compose(variant: string, path: string, body: string): string {
  const {
    target = (same: string) => same,
    headers,
    host = ['association.example.org'],
  } = VARIANTS[variant] as (typeof VARIANTS)[string]
  return [
    `POST ${target(path)} HTTP/1.1`,
    ...host.map((name) => `Host: ${name}`),
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

async function nextEmail(world: World, to: string, before: number): Promise<ReceivedEmail | null> {
  const found = await until(async () => {
    const emails = await world.mailbox.emailsTo(to)
    return emails.length > before ? emails[0] : null
  })
  return found ?? null
}

/** Links of text and HTML alike; the association's social links are content, not built from the request. */
function isOnOrigin({ text, html }: ReceivedEmail, faults: Faults, variant: string): boolean {
  const links = [...linksIn(text), ...linksIn(html)]
  const ours = links.filter((link) => link.startsWith(`${SITE_URL}/`) || link === SITE_URL)
  faults.expect(ours.length > 0, `${variant}: email without a link`)
  const foreign = links.filter((link) => !ours.includes(link) && (link.includes(EVIL) || link.startsWith('http:')))
  for (const link of foreign) faults.add(`${variant}: poisoned link`, link)
  return ours.length > 0 && foreign.length === 0 && !`${text}${html}`.includes(EVIL)
}
