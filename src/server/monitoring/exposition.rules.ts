/** One sample of a metric: its labels and, for a histogram, the name suffix. */
export interface Sample {
  ending?: '_bucket' | '_sum' | '_count'
  /** Use few, fixed values: each combination is a permanent time series. Never an address, a name or an id. */
  labels?: Readonly<Record<string, string>>
  value: number
}

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  samples: readonly Sample[]
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/**
 * Serializes metrics in the Prometheus text format, version 0.0.4.
 * @throws Error on an invalid metric or label name
 */
export function writeExposition(metrics: readonly Metric[]): string {
  const lines: string[] = []
  for (const { name, help, type, samples } of metrics) {
    if (!METRIC_NAME.test(name)) throw new Error(`"${name}" is not a valid metric name`)
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`)
    for (const { ending = '', labels = {}, value } of samples) {
      lines.push(`${name}${ending}${writeLabels(labels)} ${writeNumber(value)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/**
 * Builds the samples of one histogram.
 * @param bounds ascending, inclusive upper bounds of the buckets
 * @param counts observations per bucket, not cumulative; one more entry than `bounds`, for everything above
 */
export function histogramSamples(
  bounds: readonly number[],
  counts: ArrayLike<number>,
  sum: number,
  labels: Readonly<Record<string, string>> = {},
): Sample[] {
  const samples: Sample[] = []
  let total = 0
  for (const [index, bound] of [...bounds, Infinity].entries()) {
    total += counts[index] ?? 0
    samples.push({ ending: '_bucket', labels: { ...labels, le: writeNumber(bound) }, value: total })
  }
  samples.push({ ending: '_sum', labels, value: sum }, { ending: '_count', labels, value: total })
  return samples
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    if (!LABEL_NAME.test(name)) throw new Error(`"${name}" is not a valid label name`)
    return `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
  })
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function writeNumber(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  return String(value)
}
