import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

const network = vi.hoisted(() => ({ isThere: true }))
vi.mock('./dialog-window.tsx', async (original) => {
  if (!network.isThere) throw new Error('Failed to fetch')
  return original()
})

afterEach(cleanup)

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Sponsor
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Gold sponsorship">
        <p>Who sponsors?</p>
      </Dialog>
    </>
  )
}

test('a dialog that failed to load is loaded by the next click, or after a reload', async () => {
  network.isThere = false
  const person = userEvent.setup()
  render(<Page />)
  const button = await screen.findByRole('button', { name: 'Sponsor' })
  await person.click(button)
  const failure = await screen.findByRole('alert')
  expect(failure.textContent).toContain('This could not be loaded.')
  expect(screen.getByText('reload the page').getAttribute('href')).toBe('')

  await person.click(button)
  await screen.findByRole('alert')
  network.isThere = true
  await person.click(button)
  await screen.findByRole('dialog', { name: 'Gold sponsorship' })
  expect(screen.queryByText(/could not be loaded/)).toBeNull()
})

test.each([
  ['stays until it is done, since closing it would call nothing off', false, true],
  ['closes when closing calls it off', true, false],
])('while a button in it is busy, a dialog %s', async (_, closesWhileBusy, stays) => {
  const person = userEvent.setup()
  const onClose = vi.fn()
  const window = (busy: boolean) => (
    <Dialog open onClose={onClose} title="Call the event off?" closesWhileBusy={closesWhileBusy}>
      <Button busy={busy}>Call it off</Button>
    </Dialog>
  )
  const { rerender } = render(window(true))
  await person.click(await screen.findByRole('button', { name: 'Close' }))
  await person.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(stays ? 0 : 2)
  rerender(window(false))
  await person.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(stays ? 1 : 3)
})
