import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { ChipPanel } from './chip-panel.tsx'
import type { ListState } from './use-list.ts'

interface ColumnChooserProps {
  columns: readonly { key: string; label: string }[]
  list: Pick<ListState, 'shownColumns' | 'setColumns'>
}

/** Chooses the visible columns; they are in the address, and stored for the next visit. */
export function ColumnChooser({ columns, list }: ColumnChooserProps) {
  return (
    <ChipPanel
      end
      buttonClass="button line small"
      text={
        <>
          <Icon d={ICONS.columns} />
          Columns
        </>
      }
    >
      {() => (
        <fieldset>
          <legend className="visually-hidden">Columns</legend>
          {columns.map(({ key, label }) => (
            <label key={key} className="check">
              <input
                type="checkbox"
                checked={list.shownColumns.includes(key)}
                onChange={({ target }) =>
                  list.setColumns(
                    columns
                      .map((column) => column.key)
                      .filter((one) => (one === key ? target.checked : list.shownColumns.includes(one))),
                  )
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </ChipPanel>
  )
}
