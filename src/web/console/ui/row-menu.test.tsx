import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { RowMenu } from './row-menu.tsx'

vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)
afterEach(cleanup)

test('a row has the items of its menu only while it is open', async () => {
  const items = [{ label: 'Payments', to: '/console/members/a1?tab=payments' }]
  const Page = createRoutesStub([
    { path: '/', Component: () => <RowMenu name="Actions for Amogh Rao" items={items} /> },
  ])
  render(<Page />)
  expect(document.querySelector('a')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Amogh Rao' }))
  const item = await screen.findByRole('menuitem', { name: 'Payments' })
  expect(item.getAttribute('href')).toBe('/console/members/a1?tab=payments')
  await userEvent.keyboard('{Escape}')
  expect(document.querySelector('a')).toBeNull()
})
