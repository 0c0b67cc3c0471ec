import { percentile } from '#tests/trust/load.ts'
import { askWorker } from '../programs.ts'
import type { BenchRow } from '../row.ts'
import { median, number } from '../statistics.ts'

export const row: BenchRow = {
  name: 'rendering',
  title: 'Rendering a page',
  async run({ site, count }) {
    const { environment } = await site()
    const { first, times } = await askWorker<{ first: number; times: Record<string, number[]> }>('render-pages', {
      ...environment,
      BENCH_ROUNDS: String(count(100, 30)),
    })
    const medians = Object.values(times).map(median)
    return {
      findings: [
        {
          what: 'Rendering a page, all pages',
          goal: { is: 'under', value: 5 },
          unit: 'ms',
          digits: 2,
          rounds: medians,
        },
        {
          what: 'Rendering the slowest page',
          goal: { is: 'under', value: 5 },
          unit: 'ms',
          digits: 2,
          rounds: [Math.max(...medians)],
        },
      ],
      tables: [
        {
          title: 'Each page, ms',
          lines: [
            ['Page', 'Median', 'Fastest', '95 of 100 within'],
            ...Object.entries(times).map(([path, values]) => [
              path === '/*' ? 'page not found' : path,
              number(median(values), 2),
              number(Math.min(...values), 2),
              number(percentile(values, 0.95), 2),
            ]),
          ],
        },
      ],
      notes: [
        `Rendered, compressed with gzip, tagged and given its headers, as the first visitor waits for it after a change of content; Brotli follows on another thread. The very first page of a new process took ${number(first, 0)} ms.`,
      ],
    }
  },
}
