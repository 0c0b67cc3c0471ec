import { cleanup, render, screen } from '@testing-library/react'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { FrameContents } from '#server/pages/page-services.ts'
import { Footer } from './footer.tsx'

const contents = {
  association: {
    name: 'The Association',
    address: { street: '', suite: '', city: '', region: '', postalCode: '' },
    socialLinks: [],
  },
  today: '2026-11-21',
} as unknown as FrameContents

afterEach(cleanup)

test.each([
  ['/events', true],
  ['/news', true],
  ['/', false],
  ['/events/gala', false],
  ['/about', false],
])('the footer of %s stands on cream: %s', (path, isCream) => {
  const Stub = createRoutesStub([{ path: '*', Component: () => <Footer contents={contents} /> }])
  render(<Stub initialEntries={[path]} />)
  expect(screen.getByRole('contentinfo').classList.contains('cream')).toBe(isCream)
  screen.getByRole('link', { name: 'News' })
})
