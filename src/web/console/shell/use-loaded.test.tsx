import { act, cleanup, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { changeTemplate, listTemplates } from '#contract/console/messages.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { WhenLoaded } from './console-page.tsx'
import { saveAsOfficer } from './save-as-officer.ts'
import { useLoaded } from './use-loaded.ts'

const LIST = 'GET /api/console/message-templates'
const CHANGE = 'PUT /api/console/message-templates/t1'
const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const listOf = (...names: string[]) => ({
  body: { templates: names.map((name) => ({ id: name, name, text: '', version: 1 })) },
})

function Names({ isPolled = false }) {
  const found = useLoaded(listTemplates, {}, ({ templates }) => isPolled && templates.length < 2 && 2_000)
  return (
    <>
      <WhenLoaded loaded={found} what="the templates">
        {({ templates }) => <p>{templates.map(({ name }) => name).join(', ')}</p>}
      </WhenLoaded>
      <button type="button" onClick={found.reload}>
        Reload
      </button>
      <button type="button" onClick={() => found.setValue(listOf('From a save').body)}>
        Save
      </button>
    </>
  )
}

const open = (Page: () => ReactNode = () => <Names />) => renderPage(Page, { at: '/console/templates' })

test('parts of a page that show the same data share one request, and a later visit has its own', async () => {
  api.current.on(LIST, listOf('One'))
  const Both = () => (
    <>
      <Names />
      <Names />
    </>
  )
  open(Both)
  await waitFor(() => expect(screen.getAllByText('One')).toHaveLength(2))
  expect(api.current.requestsTo(LIST)).toHaveLength(1)
  cleanup()
  api.current.on(LIST, listOf('Two'))
  open()
  expect(screen.queryByText('One')).toBeNull()
  await screen.findByText('Two')
  expect(api.current.requestsTo(LIST)).toHaveLength(2)
})

test('neither the focus nor the network loads it again', async () => {
  api.current.on(LIST, listOf('One'))
  open()
  await screen.findByText('One')
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
  })
  expect(api.current.requestsTo(LIST)).toHaveLength(1)
})

test('a failure is not retried by itself, and stays until the next response', async () => {
  api.current.on(LIST, 'no network')
  const { person } = open()
  const alert = await screen.findByRole('alert')
  expect(api.current.requestsTo(LIST)).toHaveLength(1)
  const { promise, resolve: answer } = Promise.withResolvers<ReturnType<typeof listOf>>()
  api.current.on(LIST, promise)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(api.current.requestsTo(LIST)).toHaveLength(2))
  expect(alert.isConnected).toBe(true)
  answer(listOf('One'))
  await screen.findByText('One')
  expect(alert.isConnected).toBe(false)
})

test('the response of a save wins over a request under way', async () => {
  const { promise: late, resolve: answer } = Promise.withResolvers<ReturnType<typeof listOf>>()
  api.current.on(LIST, listOf('One'), late)
  const { person } = open()
  await screen.findByText('One')
  await person.click(screen.getByRole('button', { name: 'Reload' }))
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await act(async () => answer(listOf('Two')))
  await screen.findByText('From a save')
  expect(screen.queryByText('Two')).toBeNull()
})

test('an edit conflict loads the page’s data again', async () => {
  api.current.on(LIST, listOf('One'))
  open()
  await screen.findByText('One')
  api.current
    .on(LIST, listOf('Theirs'))
    .on(CHANGE, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const body = { name: 'Mine', text: '', version: 1 }
  await expect(saveAsOfficer(changeTemplate, { params: { id: 't1' }, body })).rejects.toMatchObject({
    code: 'CHANGED_MEANWHILE',
  })
  await screen.findByText('Theirs')
})

test('polls while the value asks for it, also after a failure', async () => {
  api.current.on(LIST, listOf('One'), 'no network', listOf('One', 'Two'))
  open(() => <Names isPolled />)
  await screen.findByText('One')
  await screen.findByText('One, Two', {}, { timeout: 8_000 })
  const requests = api.current.requestsTo(LIST).length
  expect(requests).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(api.current.requestsTo(LIST)).toHaveLength(requests)
}, 15_000)
