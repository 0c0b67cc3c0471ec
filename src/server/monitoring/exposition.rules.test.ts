import { expect, test } from 'vitest'
import { histogramSamples, writeExposition, type Metric } from './exposition.rules.ts'

test('each metric has its help and type before its samples, and the text ends with a newline', () => {
  const metrics: Metric[] = [
    {
      name: 'a_total',
      help: 'How many.',
      type: 'counter',
      samples: [{ value: 3 }, { labels: { kind: 'x' }, value: 0 }],
    },
    { name: 'b', help: 'None yet.', type: 'gauge', samples: [] },
  ]
  expect(writeExposition(metrics)).toBe(
    '# HELP a_total How many.\n# TYPE a_total counter\na_total 3\na_total{kind="x"} 0\n# HELP b None yet.\n# TYPE b gauge\n',
  )
})

test.each([
  ['a backslash', 'C:\\data', 'C:\\\\data'],
  ['a quotation mark', 'say "hi"', 'say \\"hi\\"'],
  ['a line break', 'one\ntwo', 'one\\ntwo'],
  ['an escape of its own', '\\n', '\\\\n'],
  ['characters of any kind', 'Ātlanta ☂', 'Ātlanta ☂'],
])('%s in a label value', (_name, given, written) => {
  const text = writeExposition([{ name: 'm', help: '', type: 'gauge', samples: [{ labels: { l: given }, value: 1 }] }])
  expect(text.split('\n')[2]).toBe(`m{l="${written}"} 1`)
})

test('help text keeps its quotation marks and loses its line breaks', () => {
  const text = writeExposition([{ name: 'm', help: 'a "b"\nc\\d', type: 'gauge', samples: [] }])
  expect(text.split('\n')[0]).toBe('# HELP m a "b"\\nc\\\\d')
})

test.each([
  [0, '0'],
  [1.5, '1.5'],
  [1e21, '1e+21'],
  [Infinity, '+Inf'],
  [-Infinity, '-Inf'],
  [NaN, 'NaN'],
])('the number %d is written %s', (value, written) => {
  expect(writeExposition([{ name: 'm', help: '', type: 'gauge', samples: [{ value }] }])).toContain(`\nm ${written}\n`)
})

test.each(['with space', '1st', 'dash-ed', ''])('"%s" is refused as a name', (name) => {
  expect(() => writeExposition([{ name, help: '', type: 'gauge', samples: [] }])).toThrow('is not a valid metric name')
  const samples = [{ labels: { [name]: 'x' }, value: 1 }]
  expect(() => writeExposition([{ name: 'm', help: '', type: 'gauge', samples }])).toThrow('is not a valid label name')
})

test('buckets of a histogram are cumulative and include their bound; the last one equals the count', () => {
  const samples = histogramSamples([0.1, 1], [5, 0, 2], 7.25, { kind: 'page' })
  expect(
    writeExposition([{ name: 'h', help: 'H', type: 'histogram', samples }])
      .split('\n')
      .slice(2, -1),
  ).toEqual([
    'h_bucket{kind="page",le="0.1"} 5',
    'h_bucket{kind="page",le="1"} 5',
    'h_bucket{kind="page",le="+Inf"} 7',
    'h_sum{kind="page"} 7.25',
    'h_count{kind="page"} 7',
  ])
})
