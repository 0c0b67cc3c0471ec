import { launchBrowser } from '#tests/support/browser/browser.ts'
import { serveBarePage } from '../bare-page.ts'
import { getBrotli } from '../raw-response.ts'
import { weighPage, type PageWeight } from '../page-weight.ts'
import type { BenchRow } from '../row.ts'
import { RESET_LINK, sitePages } from '../site-pages.ts'
import { number } from '../statistics.ts'

interface Weighed {
  name: string
  hasForm: boolean
  weight: PageWeight
  over: number
}

export const row: BenchRow = {
  name: 'weight',
  title: 'What a page weighs before the first touch',
  async run({ site, temporaryFolder, afterwards }) {
    const { url, standinsUrl } = await site()
    const bare = await serveBarePage(temporaryFolder())
    afterwards(() => bare.close())
    const browser = await launchBrowser()
    afterwards(() => browser.close())

    const bareBytes = (await weighPage(browser, bare.url)).bytes.script
    const weighed: Weighed[] = []
    const pages = [...sitePages, { path: RESET_LINK, hasForm: true }]
    for (const { path, hasForm } of pages) {
      await getBrotli(url + path)
      const weight = await weighPage(browser, url + path)
      weighed.push({
        name: path.split('?token')[0] + (path === RESET_LINK ? ' from an email' : ''),
        hasForm,
        weight,
        over: over(weight),
      })
    }
    const opened = await weighPage(browser, `${url}/become-a-member`, async (page) => {
      await page
        .getByRole('button', { name: /^Select / })
        .first()
        .tap()
      await page.getByLabel('Username').waitFor()
    })
    weighed.push({ name: '/become-a-member, level chosen', hasForm: true, weight: opened, over: over(opened) })

    function over({ bytes }: PageWeight): number {
      return (bytes.script - bareBytes) / 1_000
    }

    const strangers = [...new Set(weighed.flatMap(({ weight }) => weight.elsewhere))]
    const unexpected = strangers.filter(
      (address) => !address.startsWith(`${standinsUrl}/recaptcha/`) && address !== `${standinsUrl}/map`,
    )
    const home = weighed.filter(({ name }) => name === '/').map(({ over }) => over)
    const forms = weighed.filter(({ hasForm }) => hasForm)
    return {
      findings: [
        finding('JavaScript of the home page over a bare page', 15, home),
        finding('JavaScript of the heaviest page with a form over a bare page', 25, [
          Math.max(...forms.map(({ over }) => over)),
        ]),
        {
          what: 'Third parties asked before a touch, besides bot check and map',
          goal: { is: 'at most', value: 0 },
          unit: '',
          digits: 0,
          rounds: [unexpected.length],
        },
      ],
      tables: [{ title: 'Each page, kB as they travel', lines: tableOf(weighed, bareBytes) }],
      notes: [
        `A bare page is an application of one sentence with the same versions and build settings: ${number(bareBytes / 1_000, 1)} kB of JavaScript. 1 kB is 1,000 bytes; scripts within the HTML count as HTML. Loaded in Chromium as a phone, until nothing more was fetched.`,
        strangers.length > 0
          ? `Asked elsewhere: ${strangers.map((address) => `\`${new URL(address).pathname}\``).join(', ')} of the stand-ins.`
          : 'No other origin was asked.',
      ],
    }
  },
}

function finding(
  what: string,
  kilobytes: number,
  rounds: number[],
): {
  what: string
  goal: { is: 'at most'; value: number }
  unit: string
  digits: number
  rounds: number[]
} {
  return { what, goal: { is: 'at most', value: kilobytes }, unit: 'kB', digits: 1, rounds }
}

function tableOf(weighed: readonly Weighed[], bareBytes: number): (string | number)[][] {
  const kilobytes = (bytes: number) => number(bytes / 1_000, 1)
  return [
    ['Page', 'JavaScript', 'over bare', 'CSS', 'Fonts', 'HTML', 'Images', 'Other', 'Requests'],
    ['bare page', kilobytes(bareBytes), '0.0', '', '', '', '', '', ''],
    ...weighed.map(({ name, over, weight: { bytes, requests } }) => [
      name,
      kilobytes(bytes.script),
      number(over, 1),
      kilobytes(bytes.stylesheet),
      kilobytes(bytes.font),
      kilobytes(bytes.document),
      kilobytes(bytes.image),
      kilobytes(bytes.other),
      requests,
    ]),
  ]
}
