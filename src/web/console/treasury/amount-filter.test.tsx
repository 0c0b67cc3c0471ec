import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { AmountFilter } from './amount-filter.tsx'

test('an amount that can not be read, or a least above the most, is said and filters nothing', async () => {
  const change = vi.fn()
  const list = { filters: {}, change }
  const { person } = renderPage(() => <AmountFilter list={list} />, { at: '/console/payments' })
  await person.click(screen.getByRole('button', { name: 'Amount' }))
  const least = await screen.findByLabelText<HTMLInputElement>('At least, in dollars')
  const apply = () => person.click(screen.getByRole('button', { name: 'Apply' }))
  for (const typed of ['abc', '-5', '12.345']) {
    await person.clear(least)
    await person.type(least, typed)
    await apply()
    screen.getByText('Please enter an amount, such as 25 or 1,250.50')
    expect([document.activeElement, least.value]).toEqual([least, typed])
  }
  const most = screen.getByLabelText<HTMLInputElement>('At most, in dollars')
  await person.clear(least)
  await person.type(least, '500')
  await person.type(most, '100')
  await apply()
  screen.getByText('Please enter at least $500')
  expect(document.activeElement).toBe(most)
  expect(change).not.toHaveBeenCalled()
  await person.clear(most)
  await person.type(most, '$1,000')
  await apply()
  expect(change).toHaveBeenCalledExactlyOnceWith({ least: '50000', most: '100000' })
})
