import { expect, test } from 'vitest'
import type { CampaignContent } from './use-campaign-draft.ts'
import { checkCampaign, ok, stop } from './campaign-checks.rules.ts'

const content: CampaignContent = {
  name: 'Spring',
  subject: 'News of spring',
  snippet: 'What is new.',
  blocks: [{ kind: 'text', markdown: 'The clinic opens.' }],
}
const known = {
  choices: {
    events: [
      { id: 'gala', title: 'December 19: Gala' },
      { id: 'old', title: 'May 1: Picnic (past)' },
    ],
    news: [],
  },
}
const problems = (given: Partial<CampaignContent>, reaches = ok('Someone gets it')) =>
  checkCampaign({ ...content, ...given }, known, reaches)
    .filter(({ level }) => level !== 'ok')
    .map(({ level, text }) => `${level}: ${text}`)

test('a complete newsletter has no problems', () => {
  expect(problems({})).toEqual([])
  expect(problems({ blocks: [...content.blocks, { kind: 'event', id: 'gala' }] })).toEqual([])
})

test.each<[Partial<CampaignContent>, string[]]>([
  [{ subject: ' ' }, ['stop: The subject is missing']],
  [{ subject: 'x'.repeat(70) }, ['warn: The subject has 70 characters; phones show about 60']],
  [{ snippet: 'Spring' }, ['warn: The preview text only repeats the title']],
  [{ blocks: [{ kind: 'text', markdown: 'Dear friends,' }] }, ['stop: It has no text yet']],
  [{ blocks: [...content.blocks, { kind: 'button', label: 'Go', url: '' }] }, ['stop: 1 block is empty']],
  [{ blocks: [...content.blocks, { kind: 'event', id: 'old' }] }, ['warn: It shows an event that is past or canceled']],
  [{ blocks: [...content.blocks, { kind: 'picture', src: '/a.jpg', alt: '' }] }, ['stop: An image has no alt text']],
])('%j', (given, expected) => {
  expect(problems(given)).toEqual(expected)
})

test('it cannot be sent when it reaches no one', () => {
  expect(problems({}, stop('No one is subscribed'))).toEqual(['stop: No one is subscribed'])
})
