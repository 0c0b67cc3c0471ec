import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SHIPPED_BRAND } from '#contract/brand/brand.ts'
import { checkPrimary } from '#contract/brand/color-checks.ts'
import type { ContentRecord } from '#contract/console/content.ts'
import { aField } from '#tests/support/web/content-field.ts'
import { officerWith, openConsole, GET_OFFICER, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const GET = 'GET /api/console/content/brand/all'
const PUT = 'PUT /api/console/content/brand/all'

const options = (...values: string[]) => values.map((value) => ({ value, label: value }))

const record: ContentRecord = {
  kind: { kind: 'brand', label: 'Brand', one: 'brand', lead: '', section: 'Settings', isSingle: true, canAdd: false },
  fields: [
    aField('color', 'primary', 'Primary color'),
    aField('color', 'accent', 'Accent color'),
    aField('choice', 'typefaces', 'Typefaces', { options: options('eczar-anek', 'anek') }),
    aField('choice', 'prints', 'Prints', { options: options('shipped', 'none') }),
  ],
  id: 'all',
  title: 'Brand',
  value: { ...SHIPPED_BRAND },
  state: 'published',
  version: '1-a',
  path: '/',
  publishAt: null,
  held: null,
  revisions: [],
  canDelete: false,
}

test('a color that cannot be read shows its contrast and the nearest one that can, which one press takes', async () => {
  api.current.on(GET, { body: record }).on(PUT, { body: { ...record, version: '2-b' } })
  const person = openConsole('/console/brand')
  const primary = await screen.findByLabelText<HTMLInputElement>('Primary color')
  expect(screen.getByText('9.1 : 1, passes AA')).toBeTruthy()
  await person.clear(primary)
  await person.type(primary, '#1a73e8')
  screen.getByText('3.6 : 1, too low')
  const { nearest } = checkPrimary('#1a73e8')
  await person.click(screen.getByRole('button', { name: `Use ${nearest}` }))
  expect(primary.value).toBe(nearest)
  expect(screen.queryByText('3.6 : 1, too low')).toBeNull()
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(api.current.requestsTo(PUT).at(-1)?.body).toMatchObject({ action: 'publish', value: { primary: nearest } })
})

test('the preview shows both themes and an email in the colors that are typed', async () => {
  api.current.on(GET, { body: record })
  const person = openConsole('/console/brand')
  const accent = await screen.findByLabelText<HTMLInputElement>('Accent color')
  const email = screen.getByText('Email and receipt').parentElement as HTMLElement
  const button = within(email).getByText('See the receipt')
  expect(button.style.background).toBe('rgb(225, 131, 27)')
  await person.clear(accent)
  await person.type(accent, '#1d4ed8')
  expect([button.style.background, button.style.color]).toEqual(['rgb(29, 78, 216)', 'rgb(255, 253, 248)'])
  screen.getByText('Website, light')
  screen.getByText('Website, dark')
})

test('the page belongs to officers who change content, and is no section of Association', async () => {
  api.current.on(GET_OFFICER, { body: officerWith(['treasurer']) })
  openConsole('/console/brand')
  await screen.findByRole('navigation', { name: 'Console' })
  expect(screen.queryByRole('link', { name: 'Brand' })).toBeNull()
  expect(api.current.requestsTo(GET)).toEqual([])
})
