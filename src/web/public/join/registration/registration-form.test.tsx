import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { annual, renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'
import { RegistrationForm } from './registration-form.tsx'

const network = vi.hoisted(() => ({ isThere: true }))
vi.mock('./registration.rules.ts', async (original) => {
  if (!network.isThere) throw new Error('Failed to fetch')
  return original()
})

useFakeApi()

function Page() {
  return (
    <RegistrationForm
      level={annual}
      fields={[]}
      links={{ terms: '/terms', privacy: '/privacy' }}
      draft={{}}
      onDraft={() => {}}
      onRegistered={() => {}}
    />
  )
}

test('if loading the check failed, submitting retries it or reports the failure', async () => {
  stubBotCheck()
  network.isThere = false
  const { person } = renderPage(Page, { at: '/form' })
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Create account/ })
  expect(button().disabled).toBe(true)
  await person.type(screen.getByLabelText('Email'), 'meera')
  await vi.waitFor(() => expect(button().disabled).toBe(false))
  await person.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Unable to connect to the server. Please check your internet connection and try again.',
  )
  network.isThere = true
  await person.click(button())
  await screen.findByRole('link', { name: 'Please enter a valid email address' })
  expect(button().disabled).toBe(true)
})
