import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import StillHerePage from './still-here.tsx'

const api = useFakeApi()
const ANSWER = 'POST /api/roll-call/answer'
const open = (at = '/still-here#token=t1') => renderPage(StillHerePage, { at })

test('opening the page sends nothing; one tap answers, without the token in the address', async () => {
  api.current.on(ANSWER, { body: { outcome: 'saved' } })
  const { person } = open()
  const button = await screen.findByRole('button', { name: 'I’m still here' })
  expect(api.current.requestsTo(ANSWER)).toEqual([])
  expect(window.location.hash).toBe('')
  await person.click(button)
  await screen.findByRole('heading', { name: 'Thank you, good to know' })
  expect(api.current.requestsTo(ANSWER)[0]?.body).toEqual({ token: 't1', answer: 'here' })
})

test.each([
  ['I’m here, but I moved', 'saved', 'Thank you. What is your new address?'],
  ['This person died', 'saved', 'We are sorry for your loss'],
  ['This is not me', 'closed', 'This question is over'],
  ['I’m here, but I moved', 'deceased', 'Please contact us'],
])('“%s”, %s', async (label, outcome, heading) => {
  api.current.on(ANSWER, { body: { outcome } })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: label }))
  await screen.findByRole('heading', { name: heading })
})

test('a broken link says so, and a page without a link asks to log in', async () => {
  api.current.on(ANSWER, errorResponse(410, 'STILL_HERE_LINK_INVALID', 'This link does not work.'))
  const { person, unmount } = open()
  await person.click(await screen.findByRole('button', { name: 'I’m still here' }))
  await screen.findByText('This link does not work.')
  unmount()
  sessionStorage.clear()
  open('/still-here')
  await screen.findByRole('link', { name: 'Log in' })
  expect(screen.queryByRole('button', { name: 'I’m still here' })).toBeNull()
})
