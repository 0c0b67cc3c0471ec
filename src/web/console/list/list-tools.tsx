import type { ReactNode } from 'react'
import { SearchField } from '../forms/search-field.tsx'
import type { ListState } from './use-list.ts'

interface ListToolsProps {
  list: Pick<ListState, 'query' | 'change'>
  /** What can be searched, such as 'Name, email or username'. */
  searchLabel: string
  /** Filter chips. */
  children?: ReactNode
  /** Opposite the filters: columns, save view. */
  end?: ReactNode
}

/** The row above a table: search, filters, and what changes the table itself. */
export function ListTools({ list, searchLabel, children, end }: ListToolsProps) {
  return (
    <div className="list-tools">
      <SearchField
        label={searchLabel}
        placeholder={searchLabel}
        initial={list.query}
        onSearch={(q) => q !== list.query && list.change({ q })}
      />
      {children}
      {end && <div className="list-tools-end">{end}</div>}
    </div>
  )
}
