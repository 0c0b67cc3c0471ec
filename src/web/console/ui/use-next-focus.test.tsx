import { act, cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useNextFocus } from './use-next-focus.ts'

afterEach(cleanup)

/** Rows that go away when pressed; the focus then goes to the first of those left. */
function Rows() {
  const [rows, setRows] = useState(['First', 'Second'])
  const moveFocus = useNextFocus(rows)
  return rows.map((row) => (
    <button
      key={row}
      type="button"
      onClick={() => {
        moveFocus(() => screen.queryByRole('button'))
        setRows(rows.filter((other) => other !== row))
      }}
    >
      {row}
    </button>
  ))
}

function press(name: string) {
  const button = screen.getByRole('button', { name })
  button.focus()
  act(() => button.click())
}

const page = (withRows: boolean) => (
  <main id="main" tabIndex={-1}>
    {withRows && <Rows />}
  </main>
)

const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

test('the focus goes to what was found, else to the main landmark', async () => {
  render(page(true))
  press('First')
  await twoFrames()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Second' }))
  press('Second')
  await twoFrames()
  expect(document.activeElement?.id).toBe('main')
})

test('a list that goes away within the frame leaves the focus to what comes next', async () => {
  const { rerender } = render(page(true))
  press('First')
  rerender(page(false))
  await twoFrames()
  expect(document.activeElement).toBe(document.body)
})
