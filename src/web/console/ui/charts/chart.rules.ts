/** The size of a chart's drawing; it is stretched to its place. */
export const PLOT = { width: 300, height: 120 } as const

/** The smallest round number (1, 2, 2.5 or 5 times a power of ten) that is at least `value`; at least 1. */
export function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= value) ?? 10
  return step * power
}

const x = (index: number, length: number) => (length < 2 ? 0 : (index / (length - 1)) * PLOT.width)
const y = (value: number, top: number) => PLOT.height - (value / top) * PLOT.height
const point = (px: number, py: number) => `${px.toFixed(1)} ${py.toFixed(1)}`

/** The path of a line through the values. @param length how many values fill the width */
export function linePath(values: readonly number[], top: number, length = values.length): string {
  return values
    .map((value, index) => `${index ? 'L' : 'M'}${point(x(index, length), y(Math.max(0, value), top))}`)
    .join('')
}

/** One path for each series, stacked from the bottom. `rows` has the values of all series at each point. */
export function stackedPaths(rows: readonly (readonly number[])[], top: number): string[] {
  const sumTo = (row: readonly number[], series: number) => row.slice(0, series).reduce((sum, value) => sum + value, 0)
  const series = rows[0]?.length ?? 0
  return Array.from({ length: series }, (_, one) => {
    const above = rows.map((row, index) => point(x(index, rows.length), y(sumTo(row, one + 1), top)))
    const below = rows.map((row, index) => point(x(index, rows.length), y(sumTo(row, one), top))).reverse()
    return `M${[...above, ...below].join('L')}Z`
  })
}
