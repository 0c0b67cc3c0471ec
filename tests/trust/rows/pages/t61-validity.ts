import { checkHtml, type Checked } from '#tests/trust/attacks/html-rules.ts'
import { withBrowser } from '#tests/trust/browser/browsing.ts'
import { request } from '#tests/trust/http.ts'
import { fetchAll, isOwn, referencesIn, type Reference } from '#tests/trust/links.ts'
import type { ReceivedEmail } from '#tests/trust/mailbox.ts'
import { inParallel } from '#tests/trust/load.ts'
import { botToken, newPerson, Visitor } from '#tests/trust/people.ts'
import { findPublicPages, UNKNOWN_PAGE, type PublicPage } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { walkScenes } from '#tests/trust/browser/scenes.ts'
import type { World } from '#tests/trust/site.ts'

const AT_ONCE = 4
const WEB_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

export const row: TrustRow = {
  id: 'T61',
  promise: 'Validity and links',
  gate: false,
  target:
    'HTML of every route, every state and the emails of joining (all others: T53): 0 errors; every internal link, asset and fragment exists; one h1; unique titles and descriptions',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const pages = await findPublicPages(world)
    const faults = new Faults()
    const documents = await checkPages(world, pages.all, faults)
    const emails = await checkEmails(world, faults)
    const references = [...documents.references, ...emails.references]
    const responses = await fetchAll(world, references)
    for (const [path, { status }] of responses) {
      const from = references.find(({ url }) => url.pathname + url.search === path)?.from ?? 'a style sheet'
      faults.expect(status === 200 || path === UNKNOWN_PAGE, `link answers ${status}`, `${path} on ${from}`)
    }
    for (const { from, url } of references) {
      faults.expect(WEB_PROTOCOLS.includes(url.protocol), 'protocol', `${url.href} on ${from}`)
      // `#token=…` is for the page's script, not an element: it stays out of requests and logs.
      if (!isOwn(url, world) || url.hash === '' || url.hash.startsWith('#token=')) continue
      const text = responses.get(url.pathname + url.search)?.text ?? ''
      const id = decodeURIComponent(url.hash.slice(1))
      faults.expect(text.includes(` id="${id}"`), 'fragment of nothing', `${url.pathname}${url.hash} on ${from}`)
    }
    return withBrowser(async (browser) => {
      const scenes = await walkScenes({ browser, world, pages: pages.few }, async ({ name, page }) => {
        const { findings } = checkHtml(await page.content(), { scripts: true })
        for (const finding of findings) faults.add(`state: ${kindOf(finding)}`, `${name}: ${finding}`)
      })
      return {
        passed: faults.count === 0,
        reached: `${documents.count} pages, ${scenes} scenes and ${emails.count} emails valid; ${references.length} references to ${responses.size} addresses of our own; faults: ${faults}`,
        notes: [
          pages.note,
          "Validity by the standard's parse errors (parse5) and html-validate; addresses of others are not asked",
        ]
          .filter(Boolean)
          .join('. '),
      }
    })
  },
}

interface Found {
  count: number
  references: Reference[]
}

async function checkPages(world: World, pages: readonly PublicPage[], faults: Faults): Promise<Found> {
  const references: Reference[] = []
  const titles = new Map<string, string>()
  const descriptions = new Map<string, string>()
  const addresses = [...pages, { address: UNKNOWN_PAGE, pattern: UNKNOWN_PAGE, indexed: false }]
  await inParallel(addresses, AT_ONCE, async ({ address, pattern, indexed }) => {
    const { status, text } = await request(world.site.origin, { path: address })
    const expected = address === UNKNOWN_PAGE ? 404 : 200
    faults.expect(status === expected, `page answers ${status}`, address)
    if (status !== expected) return
    const checked = checkHtml(text)
    for (const finding of checked.findings) faults.add(kindOf(finding), `${address}: ${finding}`)
    const title = titles.get(checked.title)
    // States of one page may share its title.
    faults.expect(
      title === undefined || title === pattern || address.includes('?'),
      'title twice',
      `${title} and ${address}`,
    )
    titles.set(checked.title, pattern)
    if (indexed) expectDescription(checked, { address, descriptions, faults })
    keepReferences(checked.document, { from: address, world, references, faults })
  })
  return { count: addresses.length, references }
}

function expectDescription(
  { document }: Checked,
  { address, descriptions, faults }: { address: string; descriptions: Map<string, string>; faults: Faults },
): void {
  const description = document.querySelector('meta[name=description]')?.getAttribute('content') ?? ''
  faults.expect(description.length >= 20, 'no description', address)
  const other = descriptions.get(description)
  faults.expect(other === undefined || address.includes('?'), 'description twice', `${other} and ${address}`)
  if (!address.includes('?')) descriptions.set(description, address)
}

/** Triggers the emails of joining, of a forgotten password and of a changed password. */
async function checkEmails(world: World, faults: Faults): Promise<Found> {
  const visitor = new Visitor(world)
  const person = await visitor.join(newPerson())
  await new Visitor(world).register(person)
  await new Visitor(world).forgotPassword(person.email)
  const link = await world.mailbox.link(person.email, '/reset-password')
  const newPassword = 'quilted-thimble-93'
  await visitor.post('/api/email/reset-password', { ...Object.fromEntries(link.searchParams), newPassword })
  await visitor.logIn(person.email, newPassword)
  await visitor.call('DELETE', '/api/account', { password: newPassword })
  const subscriber = 'reader@example.com'
  const recaptchaToken = await botToken(world, 'newsletter_subscribe')
  // Returns 404 while there is no newsletter; later its content is checked too.
  await visitor.post('/api/newsletter/subscribe', { email: subscriber, source: 'homepage', recaptchaToken })
  await world.quiet()
  const emails = oneOfEach(await world.mailbox.all())
  const references: Reference[] = []
  for (const { subject, html, text } of emails) {
    const from = `email "${subject}"`
    const { findings, document } = checkHtml(html, { isEmail: true })
    for (const finding of findings) faults.add(`email: ${kindOf(finding)}`, `${from}: ${finding}`)
    faults.expect(text.trim().length > 40, 'email without text', from)
    keepReferences(document, { from, world, references, faults })
  }
  faults.expect(emails.length >= 6, 'emails missing', emails.map(({ subject }) => subject).join(' | '))
  return { count: emails.length, references }
}

function oneOfEach(emails: ReceivedEmail[]): ReceivedEmail[] {
  return emails.filter(({ subject }, at) => emails.findIndex((other) => other.subject === subject) === at)
}

interface Keeping {
  from: string
  world: World
  references: Reference[]
  faults: Faults
}

function keepReferences(document: Document, { from, world, references, faults }: Keeping): void {
  const path = from.startsWith('/') ? from : '/'
  const { found, broken } = referencesIn(document, from, world.siteUrl + path)
  references.push(...found)
  for (const address of broken) faults.add('no address', `${address} on ${from}`)
}

function kindOf(finding: string): string {
  return finding.split(':')[0]?.split(' at ')[0]?.slice(0, 40) ?? finding
}
