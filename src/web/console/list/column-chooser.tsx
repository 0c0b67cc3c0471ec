import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'
import type { ListState } from './use-list.ts'

interface ColumnChooserProps {
  columns: readonly { key: string; label: string }[]
  list: Pick<ListState, 'shownColumns' | 'setColumns'>
}

/** Chooses the visible columns; they are in the address, and stored for the next visit. */
export function ColumnChooser({ columns, list }: ColumnChooserProps) {
  return (
    <Popover className="chip-box">
      <PopoverButton className="button line small">
        <Icon d={ICONS.columns} />
        Columns
      </PopoverButton>
      <PopoverPanel className="chip-panel end" focus>
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
      </PopoverPanel>
    </Popover>
  )
}
