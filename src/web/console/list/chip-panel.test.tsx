import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { FilterChip } from './chip-panel.tsx'

afterEach(cleanup)

test('a chip opens at the first press, with the focus in its panel, and Escape returns to it', async () => {
  const onRemove = vi.fn()
  render(
    <FilterChip label="Status" chosen="Active" onRemove={onRemove}>
      {(close) => (
        <button type="button" onClick={close}>
          Apply
        </button>
      )}
    </FilterChip>,
  )
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
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Status' }))
  expect(onRemove).toHaveBeenCalledOnce()
})
