import { launchBrowser } from '#tests/support/browser/browser.ts'
import { interact, type Interaction } from '../interactions.ts'
import type { BenchRow } from '../row.ts'
import { median, number } from '../statistics.ts'

export const row: BenchRow = {
  name: 'interactions',
  title: 'How soon a touch shows',
  async run({ site, count, afterwards }) {
    const { url } = await site()
    const browser = await launchBrowser()
    afterwards(() => browser.close())
    const rounds: Interaction[][] = []
    for (let round = 0; round < count(3, 1); round++) rounds.push(await interact(browser, url))
    const steps = (rounds[0] ?? []).map(({ what }, at) => ({ what, times: rounds.map((round) => round[at]?.ms ?? 0) }))
    return {
      findings: [
        {
          what: 'Slowest touch to its paint (INP), processor 4 times slower',
          goal: { is: 'at most', value: 100 },
          unit: 'ms',
          digits: 0,
          rounds: rounds.map((round) => Math.max(...round.map(({ ms }) => ms))),
        },
      ],
      tables: [
        {
          title: 'Each step, ms',
          lines: [
            ['Step', 'Median', 'Slowest'],
            ...steps.map(({ what, times }) => [what, number(median(times), 0), number(Math.max(...times), 0)]),
          ],
        },
      ],
      notes: [
        'A scripted visitor on a phone in Chromium; the browser counts in steps of 8 ms and tells 0 for what took under 16.',
      ],
    }
  },
}
