import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { useLocation } from 'react-router'
import { BulkBar } from './bulk-bar.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { DataTable, type Column } from './data-table.tsx'
import { FilterChips } from './filter-chips.tsx'
import { ListPager } from './list-pager.tsx'
import { useList } from './use-list.ts'
import { useSelection } from './use-selection.ts'

interface Person {
  id: string
  name: string
  town: string
  paid: number
}

const PEOPLE: Person[] = ['Ana', 'Ben', 'Chandra', 'Dev'].map((name, index) => ({
  id: `p${index}`,
  name,
  town: 'Macon',
  paid: index * 10,
}))

const COLUMNS: Column<Person>[] = [
  { key: 'town', label: 'Town', cell: ({ town }) => town },
  { key: 'paid', label: 'Paid', cell: ({ paid }) => `$${paid}`, isSortable: true, isNumber: true },
]

function People() {
  const list = useList({ name: 'people', filters: ['status'], columns: ['town', 'paid'] })
  const selection = useSelection(
    PEOPLE.map(({ id }) => id),
    80,
    list.view,
  )
  return (
    <>
      <FilterChips
        list={list}
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: [
              { value: 'ACTIVE', label: 'Active', count: 3 },
              { value: 'LAPSED', label: 'Lapsed' },
            ],
          },
        ]}
      />
      <ColumnChooser columns={COLUMNS} list={list} />
      <DataTable
        caption="People, sorted by name"
        rows={PEOPLE}
        rowId={({ id }) => id}
        name={{ label: 'Name', text: ({ name }) => name, to: ({ id }) => `/console/members/${id}` }}
        columns={COLUMNS}
        list={list}
        selection={selection}
      />
      <ListPager list={list} total={80} />
      <BulkBar selection={selection} total={80}>
        <button type="button">Email</button>
      </BulkBar>
      <output>{useLocation().search}</output>
    </>
  )
}

function open(at = '/console/people') {
  localStorage.clear()
  return renderPage(People, { at }).person
}

const seeAddress = (wanted: string) => waitFor(() => expect(document.querySelector('output')?.textContent).toBe(wanted))
const selected = () => document.querySelectorAll('tr[data-selected]').length

test('sorting, filtering, paging and the page size are in the address', async () => {
  const person = open('/console/people?page=2')
  await person.click(screen.getByRole('button', { name: 'Paid' }))
  await seeAddress('?sort=paid')
  expect(screen.getByRole('columnheader', { name: 'Paid' }).getAttribute('aria-sort')).toBe('ascending')
  await person.click(screen.getByRole('button', { name: 'Paid' }))
  await seeAddress('?sort=paid&descending=yes')
  await person.click(screen.getByRole('button', { name: 'Status' }))
  await person.click(screen.getByRole('checkbox', { name: /Active/ }))
  await person.click(screen.getByRole('checkbox', { name: 'Lapsed' }))
  await seeAddress('?sort=paid&descending=yes&status=ACTIVE%2CLAPSED')
  screen.getByText('Active, Lapsed')
  await person.click(screen.getByRole('button', { name: 'Remove filter Status' }))
  await seeAddress('?sort=paid&descending=yes')
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await seeAddress('?sort=paid&descending=yes&page=2')
  await person.selectOptions(screen.getByLabelText('Rows'), '50')
  await seeAddress('?sort=paid&descending=yes&size=50')
})

test('a column that is hidden stays hidden at the next visit', async () => {
  const person = open()
  await person.click(screen.getByRole('button', { name: 'Columns' }))
  await person.click(screen.getByRole('checkbox', { name: 'Town' }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Town' })).toBeNull())
  expect(localStorage.getItem('list-columns-people')).toBe('paid')
})

test('rows are selected one by one, as a range with Shift, by page, and all that match', async () => {
  const person = open()
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` })
  await person.click(box('Ana'))
  await person.keyboard('{Shift>}')
  await person.click(box('Chandra'))
  await person.keyboard('{/Shift}')
  expect(selected()).toBe(3)
  const bar = screen.getByRole('region', { name: 'Selected rows' })
  within(bar).getByText('3 selected')
  await person.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await person.click(within(bar).getByRole('button', { name: 'Select all 80' }))
  within(bar).getByText('80 selected')
  await person.click(within(bar).getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull()
})

test('j and k move over the rows, x selects, and neither works while typing or when turned off', async () => {
  const person = open()
  await person.keyboard('j')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ana' }))
  await person.keyboard('jjkx')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ben' }))
  expect(selected()).toBe(1)
  await person.keyboard('{Escape}')
  expect(selected()).toBe(0)
  localStorage.setItem('officer-shortcuts-off', 'yes')
  await person.keyboard('x')
  expect(selected()).toBe(0)
})

test('a changed filter ends the selection', async () => {
  const person = open()
  await person.click(screen.getByRole('checkbox', { name: 'Select Ana' }))
  await person.click(screen.getByRole('button', { name: 'Status' }))
  await person.click(screen.getByRole('checkbox', { name: 'Lapsed' }))
  await waitFor(() => expect(selected()).toBe(0))
})
