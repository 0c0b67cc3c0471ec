import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ListedMember } from '#contract/console/member-list.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import MembersPage from './member-list.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/members'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const listed: ListedMember = {
  id: 'm1',
  firstName: 'Meera',
  lastName: 'Rao',
  email: 'meera@example.com',
  username: 'meera.r',
  state: 'PAST_DUE',
  level: 'annual_member',
  joinedAt: '2019-03-02T12:00:00.000Z',
  endsAt: '2027-03-02T12:00:00.000Z',
  credentials: 'waiting',
}
const levels = [{ key: 'annual_member', name: 'Annual Member' }]
const answer = (
  members: ListedMember[],
  total = members.length,
  suggestions: { id: string; firstName: string; lastName: string }[] = [],
) => ({ body: { members, total, suggestions, levels, mayExport: true } })

describe('the list of members', () => {
  beforeEach(() => api.current.on('GET /api/console/member-views', { body: { views: [] } }))

  test('applies the filters of the URL, reloads for each filter, and saves a named view', async () => {
    api.current.on(LIST, answer([listed], 120))
    const { person } = renderPage(MembersPage, { at: '/console/members?status=PAST_DUE&ending=45&page=2' })
    const row = (await screen.findByRole('rowheader', { name: 'Rao, Meera' })).closest('tr') as HTMLElement
    within(row).getByText('Payment failed')
    within(row).getByText('March 2, 2027')
    screen.getByText('51 to 100 of 120')
    expect(api.current.requestsTo(LIST)[0]?.query).toEqual({ status: 'PAST_DUE', ending: '45', page: '2' })

    await person.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'Annual Member')
    await waitFor(() =>
      expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({
        status: 'PAST_DUE',
        ending: '45',
        level: 'annual_member',
        page: '1',
      }),
    )
    await person.type(screen.getByLabelText(/^Search by name/), 'rao')
    await waitFor(() =>
      expect(api.current.requestsTo(LIST).at(-1)?.query).toMatchObject({ q: 'rao', level: 'annual_member' }),
    )
    await person.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() =>
      expect(api.current.requestsTo(LIST).at(-1)?.query).toMatchObject({ order: 'name', descending: 'yes' }),
    )

    const query = 'status=PAST_DUE&ending=45&level=annual_member&q=rao&order=name&descending=yes'
    api.current.on('POST /api/console/member-views', {
      status: 201,
      body: { views: [{ id: 'v', name: 'Rao', query }] },
    })
    await person.click(screen.getByRole('button', { name: 'Save view' }))
    await person.type(await screen.findByLabelText('View name'), 'Rao')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('link', { name: 'Rao' })
    expect(api.current.requestsTo('POST /api/console/member-views')[0]?.body).toEqual({ name: 'Rao', query })
  })

  test('says when no members match, and when the list cannot be loaded', async () => {
    api.current.on(LIST, 'no network', answer([]), answer([listed]))
    const { person } = renderPage(MembersPage, { at: '/console/members?q=zz' })
    await screen.findByText(/We couldn’t reach the site/)
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No members match these filters.')
    await person.click(screen.getByRole('button', { name: 'Clear filters' }))
    await screen.findByRole('rowheader', { name: 'Rao, Meera' })
    expect(screen.getByLabelText<HTMLInputElement>(/^Search by name/).value).toBe('')
  })

  test('suggests similar names when no members match', async () => {
    api.current.on(LIST, answer([], 0, [{ id: 'm1', firstName: 'Meera', lastName: 'Raghuvanshi' }]))
    renderPage(MembersPage, { at: '/console/members?q=raghuvamshi' })
    await screen.findByText(/Did you mean/)
    expect(screen.getByRole('link', { name: 'Raghuvanshi, Meera' }).getAttribute('href')).toBe('/console/members/m1')
  })

  test('says in its search field what the list shows, also after a view was opened', async () => {
    const views = [{ id: 'v', name: 'Iyer', query: 'q=iyer' }]
    api.current.on(LIST, answer([listed])).on('GET /api/console/member-views', { body: { views } })
    const { person } = renderPage(MembersPage, { at: '/console/members' })
    const field = await screen.findByLabelText<HTMLInputElement>(/^Search by name/)
    await person.type(field, 'rao')
    await waitFor(() => expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({ q: 'rao', page: '1' }))
    await person.click(screen.getByRole('link', { name: 'Iyer' }))
    await waitFor(() => expect(field.value).toBe('iyer'))
    await person.type(field, ' a')
    await waitFor(() => expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({ q: 'iyer a', page: '1' }))
    expect(field.value).toBe('iyer a')
  })
})
