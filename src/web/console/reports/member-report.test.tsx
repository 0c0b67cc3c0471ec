import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { downloadFile } from '#web/shared/download-file.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

vi.mock('#web/shared/download-file.ts', () => ({ downloadFile: vi.fn<() => void>() }))

const api = useConsoleApi()
const report = {
  members: { levels: [{ key: 'annual', name: 'Annual' }], months: [{ month: '2026-11', counts: [6] }] },
  changes: [
    { month: '2026-10', joined: 1, returned: 0, lost: 2, due: 0, renewed: 0 },
    { month: '2026-11', joined: 3, returned: 1, lost: 0, due: 4, renewed: 3 },
  ],
  lapsing: {
    month: '2026-12',
    members: [
      {
        id: 'm1',
        firstName: 'Gopi',
        lastName: 'Dasari',
        email: 'gopi@example.org',
        level: 'Annual',
        endsAt: '2026-12-25T05:00:00.000Z',
      },
    ],
  },
}

test('shows the months newest first, and who lapses; saves both files', async () => {
  api.current
    .on('GET /api/console/reports/members', { body: report })
    .on('GET /api/console/reports/members.csv', { text: 'Month' })
    .on('GET /api/console/reports/members.pdf', { text: '%PDF' })
  const person = openConsole('/console/reports')
  const changes = await screen.findByRole('table', { name: /^Joined, lost and renewed/ })
  expect(
    within(changes)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Nov 2026', 'Oct 2026'])
  within(changes).getByRole('row', { name: 'Nov 2026 3 1 0 4 3 75%' })
  within(changes).getByRole('row', { name: 'Oct 2026 1 0 2 0 0 –' })
  expect(screen.getByRole('link', { name: 'Dasari, Gopi' }).getAttribute('href')).toBe('/console/members/m1')
  for (const format of ['CSV', 'PDF']) await person.click(screen.getByRole('button', { name: `Export ${format}` }))
  expect(vi.mocked(downloadFile).mock.calls.map(([, name]) => name)).toEqual([
    'members-report.csv',
    'members-report.pdf',
  ])
  await screen.findByText(/contains personal data/)
})

test('says when no one lapses', async () => {
  api.current.on('GET /api/console/reports/members', {
    body: { ...report, lapsing: { month: '2026-12', members: [] } },
  })
  openConsole('/console/reports')
  await screen.findByText('No membership ends next month without an automatic renewal.')
})
