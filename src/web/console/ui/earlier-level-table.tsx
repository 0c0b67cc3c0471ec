import type { LevelMatch } from '#contract/console/people/earlier-levels.ts'

const LEFT_OUT = 'left out'

/** Which level each name or price of an earlier system is. */
export function EarlierLevelTable<Row extends LevelMatch & { key: string }>({
  caption,
  rows,
  nameHeading,
  nameOf,
  columns,
  choiceLabel,
  levels,
  isDisabled = false,
  onChoose,
}: {
  caption: string
  rows: readonly Row[]
  nameHeading: string
  nameOf(row: Row): string
  /** What else is known about each row. */
  columns: readonly { heading: string; textOf(row: Row): string }[]
  /** The name of the list of levels of a row. */
  choiceLabel(row: Row): string
  levels: readonly { key: string; label: string }[]
  isDisabled?: boolean
  /** @param levelKey null to leave it out */
  onChoose(row: Row, levelKey: string | null): void
}) {
  return (
    <table className="data-table unfolded import-mapping">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{nameHeading}</th>
          {columns.map(({ heading }) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
          <th scope="col">Level here</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{nameOf(row)}</th>
            {columns.map(({ heading, textOf }) => (
              <td key={heading} data-label={heading}>
                {textOf(row)}
              </td>
            ))}
            <td>
              <select
                className="input"
                aria-label={choiceLabel(row)}
                disabled={isDisabled}
                value={row.choice === 'left-out' ? LEFT_OUT : (row.levelKey ?? '')}
                onChange={({ target }) => onChoose(row, target.value === LEFT_OUT ? null : target.value)}
              >
                {row.choice === 'none' && (
                  <option value="" disabled>
                    Choose
                  </option>
                )}
                {levels.map(({ key, label }) => (
                  <option key={key} value={key}>
                    {label}
                  </option>
                ))}
                <option value={LEFT_OUT}>Leave out</option>
              </select>
              {row.choice === 'suggested' && <p className="small soft">Suggested</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
