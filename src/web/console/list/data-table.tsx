import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import type { DropdownProps } from '#web/ui/overlays/dropdown.tsx'
import { Link } from '#web/ui/link.tsx'
import { areShortcutsOn, isTyping } from '../frame/use-shortcuts.ts'
import { RowMenu } from '../ui/row-menu.tsx'
import type { ListState } from './use-list.ts'
import type { Selection } from './use-selection.ts'

export interface Column<Row> {
  key: string
  label: string
  cell(row: Row): ReactNode
  /** Whether the list can be sorted by it; the key is the value of `sort` in the address. */
  isSortable?: boolean
  /** Amounts and counts are aligned to the right. */
  isNumber?: boolean
  /** 1 is always shown, 2 with 44 rem of room, 3 with 66 rem. By default 1. */
  priority?: 1 | 2 | 3
  /** Stays beside the name when rows fold on a phone: a status or an amount. */
  staysFolded?: boolean
}

interface DataTableProps<Row> {
  /** Names the table for screen readers, such as 'Members, sorted by name'. */
  caption: string
  rows: readonly Row[]
  rowId(row: Row): string
  /** The first column: what the row is, and the page it opens. */
  name: { label: string; sort?: string; text(row: Row): string; to?(row: Row): string; cell?(row: Row): ReactNode }
  columns: readonly Column<Row>[]
  list: Pick<ListState, 'shownColumns' | 'sort' | 'isDescending' | 'sortBy'>
  selection?: Selection | undefined
  /** One line with the facts that matter, below the name when rows fold. */
  summary?(row: Row): string
  actions?(row: Row): DropdownProps['items']
}

/** A list as a dense table with a sticky head; on a phone each row folds into two lines. Keys: j, k, x, Enter. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, rowId, name, columns, list, selection, summary, actions } = props
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, selection, rows.map(rowId))
  const shown = columns.filter(({ key }) => list.shownColumns.includes(key))
  const heading = { list }

  return (
    <table className="data-table" ref={table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <th className="select" scope="col">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={selection.isPageSelected}
                onChange={selection.togglePage}
              />
            </th>
          )}
          <Heading {...heading} label={name.label} sort={name.sort} />
          {shown.map(({ key, label, isSortable, isNumber, priority }) => (
            <Heading
              key={key}
              {...heading}
              label={label}
              sort={isSortable ? key : undefined}
              className={classOf({ isNumber, priority })}
            />
          ))}
          {actions && (
            <th className="acts">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = rowId(row)
          const text = name.text(row)
          return (
            <tr key={id} data-id={id} data-selected={selection?.has(id) || undefined}>
              {selection && (
                <td className="select">
                  <input
                    type="checkbox"
                    aria-label={`Select ${text}`}
                    checked={selection.has(id)}
                    onChange={({ nativeEvent }) =>
                      selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                  />
                </td>
              )}
              <th scope="row" className="name">
                {name.cell ? name.cell(row) : name.to ? <Link to={name.to(row)}>{text}</Link> : text}
                {summary && <span className="folded">{summary(row)}</span>}
              </th>
              {shown.map(({ key, cell, isNumber, priority, staysFolded }) => (
                <td key={key} className={classOf({ isNumber, priority, staysFolded })}>
                  {cell(row)}
                </td>
              ))}
              {actions && (
                <td className="acts">
                  <RowMenu name={`Actions for ${text}`} items={actions(row)} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Heading({
  label,
  sort,
  className,
  list,
}: {
  label: string
  sort?: string | undefined
  className?: string | undefined
  list: Pick<ListState, 'sort' | 'isDescending' | 'sortBy'>
}) {
  if (sort === undefined)
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  const isSorted = list.sort === sort
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (list.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="sort" onClick={() => list.sortBy(sort)}>
        {label}
      </button>
    </th>
  )
}

function classOf(look: {
  isNumber?: boolean | undefined
  priority?: 1 | 2 | 3 | undefined
  staysFolded?: boolean | undefined
}): string | undefined {
  const { isNumber, priority = 1, staysFolded } = look
  const classes = [isNumber && 'number', priority > 1 && `priority-${priority}`, staysFolded && 'stays'].filter(Boolean)
  return classes.join(' ') || undefined
}

/** Moves the focus over the rows' names with j and k, and selects with x. */
function useRowKeys(
  table: React.RefObject<HTMLTableElement | null>,
  selection: Selection | undefined,
  ids: readonly string[],
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event) || !areShortcutsOn() || document.querySelector('[role=dialog]')) return
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    if (event.key === 'j' || event.key === 'k') {
      const next = rows[event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)]
      next?.querySelector<HTMLElement>('th.name a, th.name button')?.focus()
      event.preventDefault()
    }
    const id = ids[at]
    if (event.key.toLowerCase() === 'x' && selection && id !== undefined) {
      selection.toggle(id, event.shiftKey)
      event.preventDefault()
    }
    if (event.key === 'Escape' && selection && selection.count > 0) selection.clear()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
