import { expect, test } from 'vitest'
import { Problem } from '#server/lib/problem.ts'
import { emailTopicKind } from './email-topics.kinds.ts'

const topic = (key: string, more: object = {}) => ({ key, name: key, about: 'What it is.', ...more })
const publish = (topics: object[], before: object[] | null) =>
  emailTopicKind.onPublish?.({ topics }, before && { topics: before })

test('a topic that is removed stays as a retired one', () => {
  expect(publish([topic('a')], [topic('a'), topic('b')])).toEqual({
    topics: [topic('a'), topic('b', { isRetired: true })],
  })
})

test.each([
  ['becomes an advertisement', [topic('a', { isOffer: true })], [topic('a')]],
  ['ceases to be one', [topic('a')], [topic('a', { isOffer: true })]],
])('a published topic never %s', (_what, topics, before) => {
  expect(() => publish(topics, before)).toThrow(Problem)
  expect(publish(topics, null)).toEqual({ topics })
})

test.each(['notice', 'news', 'events', 'offers'])('no topic takes the key %s', (key) => {
  expect(emailTopicKind.schema.safeParse({ topics: [topic(key)] }).success).toBe(false)
})
