import { TableScroll } from '../table-scroll.tsx'
import type { ReactNode } from 'react'
import { linePath, PLOT, roundUp, stackedPaths } from './chart.rules.ts'

/** The same figures as a table, for officers who cannot see the drawing or want the figures. */
export interface ChartTable {
  caption: string
  headings: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

interface PlotProps {
  /** The value at the top, and its text for the axis. */
  top: number
  format?(value: number): string
  /** The ends of the horizontal axis, and what lies between. */
  axis: readonly string[]
  table: ChartTable
  children: ReactNode
}

const plain = (value: number) => value.toLocaleString('en-US')

function Plot({ top, format = plain, axis, table, children }: PlotProps) {
  return (
    <figure className="chart">
      <div className="plot" aria-hidden="true">
        <div className="plot-y">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        {children}
        <div className="plot-x">
          {axis.map((text, index) => (
            <span key={index}>{text}</span>
          ))}
        </div>
      </div>
      <details className="chart-table">
        <summary>Show as table</summary>
        <TableScroll label={table.caption}>
          <table className="data-table unfolded">
            <caption className="visually-hidden">{table.caption}</caption>
            <thead>
              <tr>
                {table.headings.map((heading, index) => (
                  <th key={heading} scope="col" className={index > 0 ? 'number' : undefined}>
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row[0]}>
                  {row.map((cell, index) =>
                    index === 0 ? (
                      <th key={index} scope="row">
                        {cell}
                      </th>
                    ) : (
                      <td key={index} className="number">
                        {typeof cell === 'number' ? plain(cell) : cell}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      </details>
    </figure>
  )
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" focusable="false">
      <path
        className="plot-lines"
        d={`M0 0H${PLOT.width}M0 ${PLOT.height / 2}H${PLOT.width}M0 ${PLOT.height}H${PLOT.width}`}
      />
      {children}
    </svg>
  )
}

type Titled = Pick<PlotProps, 'axis' | 'table' | 'format'>

/** Values of several series over time, stacked; five colors tell them apart. */
export function StackedAreaChart({ rows, ...plot }: Titled & { rows: readonly (readonly number[])[] }) {
  const top = roundUp(Math.max(0, ...rows.map((row) => row.reduce((sum, value) => sum + value, 0))))
  return (
    <Plot top={top} {...plot}>
      <Drawing>
        {stackedPaths(rows, top).map((path, index) => (
          // The series have no other identity than their place.
          <path key={index} className={`area area-${(index % 5) + 1}`} d={path} />
        ))}
      </Drawing>
    </Plot>
  )
}

/** Counts beside each other; the highest are marked. */
export function BarChart({ bars, ...plot }: Titled & { bars: readonly { label: string; value: number }[] }) {
  const top = roundUp(Math.max(0, ...bars.map(({ value }) => value)))
  const highest = Math.max(...bars.map(({ value }) => value))
  return (
    <Plot top={top} {...plot}>
      <div className="bars">
        {bars.map(({ label, value }) => (
          <span key={label} className={value === highest && value > 0 ? 'highest' : undefined}>
            {value}
            <i style={{ height: `${(value / top) * 86}%` }} />
          </span>
        ))}
      </div>
    </Plot>
  )
}

/** A running sum against the one of an earlier time. */
export function LineChart({ now, before, ...plot }: Titled & { now: readonly number[]; before: readonly number[] }) {
  const top = roundUp(Math.max(0, ...now, ...before))
  const length = Math.max(now.length, before.length)
  return (
    <Plot top={top} {...plot}>
      <Drawing>
        <path className="line-before" d={linePath(before, top, length)} />
        <path className="line-now" d={linePath(now, top, length)} />
      </Drawing>
    </Plot>
  )
}

/** What the colors of a chart mean, with the figures of today. */
export function ChartKey({ entries }: { entries: readonly { label: string; value: string; color: string }[] }) {
  return (
    <ul className="chart-key">
      {entries.map(({ label, value, color }) => (
        <li key={label}>
          <i className={color} aria-hidden="true" />
          {label} <b>{value}</b>
        </li>
      ))}
    </ul>
  )
}
