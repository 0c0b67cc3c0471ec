interface FigureProps {
  label: string
  /** A number is written with its thousands separated; money comes as text. */
  value: number | string
}

/** One of the figures in a `dl.console-figures`. */
export function Figure({ label, value }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{typeof value === 'number' ? value.toLocaleString('en-US') : value}</dd>
    </div>
  )
}
