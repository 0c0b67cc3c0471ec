import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import FaqsPage from './faqs.tsx'
import { plainHead, renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

const entry = (question: string, answer: string, group: string | null = null, isOpen = false) => ({
  question,
  answer: `<p>${answer}</p>`,
  group,
  isOpen,
})

test('questions open to their answers, and a search leaves the ones that fit', async () => {
  const entries = [entry('Who may join?', 'Physicians.'), entry('What are the dues?', '$100 a year.')]
  const { person } = renderPage(FaqsPage, { at: '/faqs', loaderData: { entries, head: plainHead } })
  screen.getByRole('heading', { level: 2, name: 'Questions and answers' })
  const shown = () => screen.getAllByRole('group').map((fold) => fold.textContent)
  expect(shown()).toEqual(['Who may join?Physicians.', 'What are the dues?$100 a year.'])
  expect(document.getElementById('what-are-the-dues')?.textContent).toBe('$100 a year.')
  const search = screen.getByRole('searchbox', { name: 'Search the questions' })
  await person.type(search, 'year')
  expect(shown()).toEqual(['What are the dues?$100 a year.'])
  await person.type(search, ' parking')
  screen.getByText(/^No question has these words/)
  expect(screen.getByRole('link', { name: 'Ask us' }).getAttribute('href')).toBe('/contact')
})

test('questions stand in their groups, and chosen ones are open', async () => {
  const entries = [
    entry('Who may join?', 'Physicians.', 'Joining and dues'),
    entry('What are the dues?', '$100.', 'Joining and dues', true),
    entry('When is the clinic open?', 'Saturdays.', 'Clinic'),
  ]
  const { person } = renderPage(FaqsPage, { at: '/faqs', loaderData: { entries, head: plainHead } })
  const dues = within(screen.getByRole('region', { name: 'Joining and dues' })).getAllByRole('group')
  expect(dues.map((fold) => fold.hasAttribute('open'))).toEqual([false, true])
  const links = within(screen.getByRole('navigation', { name: 'Groups of questions' })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#joining-and-dues', '#clinic'])
  expect(document.querySelector('#clinic')?.textContent).toBe('Clinic')
  await person.type(screen.getByRole('searchbox'), 'Saturday')
  expect(screen.queryByRole('heading', { level: 2, name: 'Joining and dues' })).toBeNull()
  screen.getByRole('heading', { level: 2, name: 'Clinic' })
})
