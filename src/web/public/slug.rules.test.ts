import { expect, test } from 'vitest'
import { slug } from './slug.rules.ts'

test('an answer has an id to link to', () => {
  expect(slug("I didn't get the email. What should I do?")).toBe('i-didn-t-get-the-email-what-should-i-do')
})
