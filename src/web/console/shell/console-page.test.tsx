import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ConsolePage } from './console-page.tsx'

afterEach(cleanup)

const Loading = () => <ConsolePage title="Content">It comes.</ConsolePage>
const Loaded = () => <ConsolePage title="Gala">It is here.</ConsolePage>
const inMain = (page: React.ReactNode) => (
  <main id="main" tabIndex={-1}>
    {page}
  </main>
)
const heading = () => screen.getByRole('heading', { level: 1 })

test('a replaced page hands its focus to the new page, and moves no other focus', () => {
  const { rerender } = render(inMain(null))
  screen.getByRole('main').focus()
  rerender(inMain(<Loading />))
  expect(document.activeElement).toBe(heading())
  rerender(inMain(<Loaded />))
  expect(document.activeElement).toBe(heading())

  heading().blur()
  rerender(inMain(<Loading />))
  expect(document.activeElement).toBe(document.body)
})
