import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { withParams, readFilters, readColumns } from './member-list-params.rules.ts'
import { MemberFilters } from './member-filters.tsx'

afterEach(cleanup)

/** As on the page of the list: what is chosen stands in the address. */
function List({ at }: { at: string }) {
  const [params, setParams] = useState(() => new URLSearchParams(at))
  return (
    <>
      <MemberFilters
        choice={readFilters(params)}
        columns={readColumns(params)}
        levels={[]}
        onChange={(change) => setParams(withParams(params, change))}
      />
      <button type="button" onClick={() => setParams(new URLSearchParams('joinedTo=2025-12-31'))}>
        Kept view
      </button>
      <output>{params.toString()}</output>
    </>
  )
}

const from = () => screen.getByLabelText<HTMLInputElement>('Joined from')
const address = () => screen.getByRole('status').textContent
const isOpen = () => document.querySelector('details')?.open

test('a date is typed digit by digit, and counts once its year is one', () => {
  render(<List at="" />)
  for (const value of ['0002-01-05', '0020-01-05', '0202-01-05']) {
    fireEvent.change(from(), { target: { value } })
    expect(from().value).toBe(value)
    expect(address()).toBe('')
  }
  fireEvent.change(from(), { target: { value: '2026-01-05' } })
  expect(address()).toBe('joinedFrom=2026-01-05')
})

test('the filters with dates stay open when one is cleared, and open for a view that has one', () => {
  render(<List at="joinedFrom=2026-01-05" />)
  expect(isOpen()).toBe(true)
  fireEvent.change(from(), { target: { value: '' } })
  expect(address()).toBe('')
  expect(isOpen()).toBe(true)
  cleanup()

  render(<List at="" />)
  expect(isOpen()).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Kept view' }))
  expect(screen.getByLabelText<HTMLInputElement>('Joined to').value).toBe('2025-12-31')
  expect(isOpen()).toBe(true)
})
