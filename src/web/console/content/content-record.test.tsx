import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import { aField } from '#tests/support/web/content-field.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage, user } from '#tests/support/web/page-test-helpers.tsx'
import ContentRecordPage from './content-record.tsx'

const api = useFakeApi()
const GET = 'GET /api/console/content/events/gala'
const PUT = 'PUT /api/console/content/events/gala'

const record: ContentRecord = {
  kind: { kind: 'events', label: 'Events', one: 'event', lead: '', section: 'News', isSingle: false, canAdd: true },
  fields: [
    aField('line', 'title', 'Title'),
    aField('eventDate', 'date', 'Date'),
    aField('markdown', 'body', 'More about it'),
    aField('group', 'hosts', 'Hosts', { fields: [aField('line', 'name', 'Name')] }),
  ],
  id: 'gala',
  title: 'Gala',
  value: { title: 'Gala', date: 'December 12, 2026', body: 'Come.', hosts: [{ name: 'Asha' }, { name: 'Ila' }] },
  state: 'published',
  version: '1-a',
  path: '/events/gala',
  publishAt: null,
  held: null,
  revisions: [],
  canDelete: true,
}

/** The page as the console's frame shows it. */
function Gala() {
  return <ContentRecordPage kind="events" id="gala" />
}

const MORE = 'More actions for Gala'
async function choose(person: ReturnType<typeof renderPage>['person'], menu: string | RegExp, item: string) {
  await person.click(screen.getByRole('button', { name: menu }))
  await person.click(await screen.findByRole('menuitem', { name: item }))
}

async function openRecord() {
  localStorage.setItem('token', tokenFor(3_600))
  localStorage.setItem('user', JSON.stringify(user))
  api.current.on('POST /api/console/preview', { body: { html: '<p>Come <em>early</em>.</p>' } })
  const { person } = renderPage(Gala, { at: '/console/content/events/gala' })
  await screen.findByLabelText('Title')
  return person
}

test('a date is read at once in words, the page is shown as it will be, and things of a list are moved', async () => {
  api.current.on(GET, { body: record }).on(PUT, { body: { ...record, version: '2-b', state: 'changed' } })
  const person = await openRecord()
  screen.getByText('Read as Saturday, December 12, 2026.')
  await person.clear(screen.getByLabelText('Date'))
  await person.type(screen.getByLabelText('Date'), 'some day soon')
  screen.getByText(/would be listed as past/)
  expect((await screen.findByText('early')).tagName).toBe('EM')

  await choose(person, 'Actions for Ila', 'Move up')
  await choose(person, MORE, 'Save draft')
  await screen.findByText('Draft saved. Visitors see no change.')
  // The draft may have saved itself meanwhile.
  expect(api.current.requestsTo(PUT).at(-1)?.body).toMatchObject({
    action: 'draft',
    value: { ...record.value, date: 'some day soon', hosts: [{ name: 'Ila' }, { name: 'Asha' }] },
  })
  expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
})

test('what was typed outlives a lost network and a closed tab', async () => {
  api.current.on(GET, { body: record }).on(PUT, 'no network')
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' at last')
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/your input is kept/)
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala at last')
  cleanup()
  const later = await openRecord()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala')
  await later.click(screen.getByRole('button', { name: 'Restore draft' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala at last')
})

test('after an edit conflict the newer version is shown, and is overwritten only on request', async () => {
  const revision = { number: 2, action: 'published', at: '2026-11-21T12:00:00.000Z', by: 'Ila Trivedi' } as const
  const differences = [{ field: 'Title', lines: [{ change: 'added' as const, text: 'Their gala' }] }]
  const theirs = { ...record, version: '2-b', revisions: [{ ...revision, differences }] }
  api.current
    .on(GET, { body: record }, { body: theirs })
    .on(PUT, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'), { body: theirs })
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' of mine')
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  const banner = (await screen.findByText(/saved a newer version$/)).parentElement as HTMLElement
  within(banner).getByText(/Ila Trivedi/)
  within(banner).getByText('Their gala')
  await person.click(within(banner).getByRole('button', { name: 'Keep my version' }))
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(api.current.requestsTo(PUT)[1]?.body).toMatchObject({ version: '2-b', value: { title: 'Gala of mine' } })
})

test('publishing a text with a gap of the starter texts says so', async () => {
  api.current.on(GET, { body: record }).on(PUT, { body: { ...record, version: '2-b' } })
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' at [[…]')
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. “[…]” is still in it.')
})

test('a conflict without unsaved input also asks, and keeps no draft', async () => {
  const theirs = { ...record, version: '2-b', value: { ...record.value, title: 'Their gala' } }
  api.current
    .on(GET, { body: record }, { body: theirs })
    .on(PUT, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const person = await openRecord()
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText(/saved a newer version$/)
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala')
  expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Use theirs' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Their gala')
  expect(screen.queryByText(/saved a newer version$/)).toBeNull()
})

test('server errors are shown under their fields, and deleting asks for confirmation', async () => {
  api.current
    .on(GET, { body: record })
    .on(PUT, errorResponse(400, 'INVALID_INPUT', 'Please', { 'hosts.1.name': 'Please fill in “Name”' }))
    .on('DELETE /api/console/content/events/gala', { body: { ...record, state: 'deleted', canDelete: false } })
  const person = await openRecord()
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  const name = (await screen.findAllByLabelText<HTMLInputElement>('Name')).find((one) => one.value === 'Ila')
  expect(name?.getAttribute('aria-invalid')).toBe('true')
  await choose(person, MORE, 'Delete')
  await screen.findByText(/disappears from the site immediately/)
  expect(api.current.requestsTo('DELETE /api/console/content/events/gala')).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText(/You can restore it from its history\.$/)
  expect(api.current.requestsTo('DELETE /api/console/content/events/gala')[0]?.query).toEqual({ version: '1-a' })
})

test('what is typed while it is published stays, with its kept copy, and goes on top of what was published', async () => {
  let answer: (answer: object) => void = () => {}
  api.current.on(GET, { body: record }).on(PUT, new Promise<object>((resolve) => (answer = resolve)))
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' one')
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await person.type(screen.getByLabelText('Title'), ' two')
  answer({ body: { ...record, version: '2-b', value: { ...record.value, title: 'Gala one' } } })
  await screen.findByText('Changes you made during the save are not saved yet.')
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala one two')
  expect(localStorage.getItem('console-draft:content:events/gala')).toContain('Gala one two')

  const last = { ...record, version: '3-c', value: { ...record.value, title: 'Gala one two' } }
  api.current.on(PUT, { body: last })
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(api.current.requestsTo(PUT)[1]?.body).toMatchObject({ version: '2-b', value: { title: 'Gala one two' } })
  expect(screen.queryByText(/not saved yet/)).toBeNull()
})

test('what is typed while a new record is made is kept for its page', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  let answer: (answer: object) => void = () => {}
  const address = '/api/console/content/events/new'
  const empty = { ...record, id: null, state: null, version: '', value: {}, canDelete: false }
  api.current
    .on('POST /api/console/preview', { body: { html: '' } })
    .on(`GET ${address}`, { body: empty })
    .on(`PUT ${address}`, new Promise<object>((resolve) => (answer = resolve)))
  const { person } = renderPage(() => <ContentRecordPage kind="events" id="new" />, {
    at: '/console/content/events/new',
  })
  await person.type(await screen.findByLabelText('Title'), 'Gala')
  await choose(person, /^More actions/, 'Save draft')
  await person.type(screen.getByLabelText('Title'), ' two')
  answer({ body: { ...record, value: { title: 'Gala' } } })
  await screen.findByText('At /console/content/events/gala')
  const kept = Object.entries(localStorage).filter(([key]) => key.startsWith('console-draft'))
  expect(kept.map(([key, text]) => [key, JSON.parse(String(text))])).toEqual([
    ['console-draft:content:events/gala', { version: '1-a', value: { title: 'Gala two' } }],
  ])
})

test('a draft of an earlier visit does not overwrite newer changes without asking', async () => {
  api.current.on(GET, { body: record })
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' of mine')
  cleanup()
  const revision = { number: 2, action: 'published', at: '2026-11-21T12:00:00.000Z', by: 'Ila Trivedi' } as const
  const differences = [{ field: 'Title', lines: [{ change: 'added' as const, text: 'Their gala' }] }]
  const value = { ...record.value, title: 'Their gala' }
  const theirs = { ...record, value, version: '2-b', revisions: [{ ...revision, differences }] }
  api.current.on(GET, { body: theirs }).on(PUT, { body: theirs })
  const later = await openRecord()
  await later.click(screen.getByRole('button', { name: 'Restore draft' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala of mine')
  const banner = (await screen.findByText(/saved a newer version$/)).parentElement as HTMLElement
  within(banner).getByText(/Ila Trivedi/)
  api.current.on(PUT, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  await later.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Someone else changed this in the meantime.')
  expect(api.current.requestsTo(PUT)[0]?.body).toMatchObject({ version: '1-a' })

  api.current.on(PUT, { body: { ...theirs, version: '3-c' } })
  await later.click(screen.getByRole('button', { name: 'Keep my version' }))
  await later.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(api.current.requestsTo(PUT)[1]?.body).toMatchObject({ version: '2-b', value: { title: 'Gala of mine' } })
})

const versions: ContentRecord['revisions'] = [2, 1].map((number) => ({
  number,
  action: 'published',
  at: '2026-11-21T12:00:00.000Z',
  by: 'Ila Trivedi',
  differences: [],
}))

test('unsaved input is offered again after an earlier version was restored', async () => {
  const restored = { ...record, version: '3-c', value: { ...record.value, title: 'Gala of old' }, revisions: versions }
  api.current
    .on(GET, { body: { ...record, revisions: versions } })
    .on('POST /api/console/content/events/gala/restore', { body: restored })
  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' of mine')
  await person.click(screen.getByRole('button', { name: 'Restore version 1' }))
  await person.click(await screen.findByRole('button', { name: 'Restore' }))
  await screen.findByText('Restored.')
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala of old')
  cleanup()

  api.current.on(GET, { body: restored }).on(PUT, { body: { ...restored, version: '4-d' } })
  const later = await openRecord()
  await later.click(screen.getByRole('button', { name: 'Restore draft' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Gala of mine')
  expect(screen.queryByText(/saved a newer version$/)).toBeNull()
  await later.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(api.current.requestsTo(PUT)[0]?.body).toMatchObject({ version: '3-c', value: { title: 'Gala of mine' } })
})

test('what was typed at an earlier visit stays on offer when the record is deleted; nothing is offered where nothing was typed', async () => {
  const REMOVE = 'DELETE /api/console/content/events/gala'
  const deleted = { ...record, version: '2-b', state: 'deleted' as const, canDelete: false }
  api.current.on(GET, { body: record }).on(REMOVE, { body: deleted })
  const remove = async (person: Awaited<ReturnType<typeof openRecord>>) => {
    await choose(person, MORE, 'Delete')
    await person.click(await screen.findByRole('button', { name: 'Delete' }))
    await screen.findByText(/You can restore it from its history\.$/)
  }
  await remove(await openRecord())
  expect(screen.queryByRole('button', { name: 'Restore draft' })).toBeNull()
  cleanup()

  const person = await openRecord()
  await person.type(screen.getByLabelText('Title'), ' of mine')
  cleanup()
  await remove(await openRecord())
  screen.getByRole('button', { name: 'Restore draft' })
  expect(localStorage.getItem('console-draft:content:events/gala')).toContain('Gala of mine')
})

test('a thing of a list stays open while what was wrong with it is mended', async () => {
  api.current
    .on(GET, { body: record })
    .on(PUT, errorResponse(400, 'INVALID_INPUT', 'Please', { 'hosts.1.name': 'Please fill in “Name”' }))
  const person = await openRecord()
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  const entry = screen.getByText('Ila', { selector: 'summary' }).closest('details') as HTMLDetailsElement
  await expect.poll(() => entry.open).toBe(true)
  const name = within(entry).getByLabelText<HTMLInputElement>('Name')
  await person.type(name, ' T')
  expect([entry.open, name.value, name.getAttribute('aria-invalid')]).toEqual([true, 'Ila T', null])
  await person.click(entry.querySelector('summary') as HTMLElement)
  expect(entry.open).toBe(false)
})

test('a draft saves itself while it is typed, and typing goes on', async () => {
  const saved = { ...record, version: '2-b', state: 'changed', value: { ...record.value, title: 'Gala now' } }
  api.current.on(GET, { body: record }).on(PUT, { body: saved })
  const person = await openRecord()
  const title = screen.getByLabelText<HTMLInputElement>('Title')
  await person.type(title, ' now ')
  await screen.findByText(/^Draft saved \d/, undefined, { timeout: 5_000 })
  expect(api.current.requestsTo(PUT)[0]?.body).toMatchObject({
    action: 'draft',
    isAutomatic: true,
    version: '1-a',
    value: { title: 'Gala now ' },
  })
  // The server trims what was typed; the field and its focus stay.
  expect([title.isConnected, title.value, document.activeElement]).toEqual([true, 'Gala now ', title])
  await person.type(title, 'and then')
  api.current.on(PUT, { body: { ...saved, version: '3-c' } })
  await person.click(screen.getByRole('button', { name: /^Publish/ }))
  await screen.findByText('Published. The change is live.')
  expect(screen.queryByText(/^Draft saved/)).toBeNull()
  expect(api.current.requestsTo(PUT)[1]?.body).toMatchObject({ version: '2-b', value: { title: 'Gala now and then' } })
}, 15_000)

test('the toolbar formats the selected text, also by its shortcut', async () => {
  api.current.on(GET, { body: record })
  const person = await openRecord()
  const field = screen.getByLabelText<HTMLTextAreaElement>('More about it')
  field.focus()
  field.setSelectionRange(0, 4)
  await person.click(screen.getByRole('button', { name: 'Bold' }))
  expect(field.value).toBe('**Come**.')
  await person.keyboard('{Control>}i{/Control}')
  expect(field.value).toBe('***Come***.')
  await person.click(screen.getByRole('button', { name: 'Heading' }))
  expect(field.value).toBe('## ***Come***.')
})
