import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { RowMenu } from './row-menu.tsx'

test('a row has the items of its menu only while it is open', async () => {
  const items = [{ label: 'Payments', to: '/console/members/a1?tab=payments' }]
  const { person } = renderPage(() => <RowMenu name="Actions for Amogh Rao" items={items} />, {
    at: '/console/members',
  })
  expect(document.querySelector('a')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Actions for Amogh Rao' }))
  const item = await screen.findByRole('menuitem', { name: 'Payments' })
  expect(item.getAttribute('href')).toBe('/console/members/a1?tab=payments')
  await person.keyboard('{Escape}')
  expect(document.querySelector('a')).toBeNull()
})
