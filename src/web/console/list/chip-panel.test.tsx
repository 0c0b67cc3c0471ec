import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { FilterChip } from './chip-panel.tsx'

afterEach(cleanup)

function StatusChip() {
  const [chosen, setChosen] = useState<string | null>('Active')
  return (
    <FilterChip label="Status" chosen={chosen} onRemove={() => setChosen(null)}>
      {(close) => (
        <button type="button" onClick={close}>
          Apply
        </button>
      )}
    </FilterChip>
  )
}

test('a chip opens at the first press, with the focus in its panel, and Escape returns to it', async () => {
  render(<StatusChip />)
  const chip = () => screen.getByRole('button', { name: 'Status: Active' })
  const panel = () => screen.queryByRole('button', { name: 'Apply' })
  expect(chip().getAttribute('aria-expanded')).toBe('false')
  for (const open of [() => userEvent.click(chip()), () => (chip().focus(), userEvent.keyboard('{Enter}'))]) {
    await open()
    expect(chip().getAttribute('aria-expanded')).toBe('true')
    expect(document.activeElement).toBe(panel())
    await userEvent.keyboard('{Escape}')
    expect(panel()).toBeNull()
    expect(document.activeElement).toBe(chip())
  }
  await userEvent.click(chip())
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }))
  expect(panel()).toBeNull()
})

test('a filter that is removed leaves the focus on its chip', async () => {
  render(<StatusChip />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Status' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Status' })))
})
