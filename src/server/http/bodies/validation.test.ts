import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { registrationBody, verifyEmail } from '#contract/public/auth.ts'
import { Problem } from '#server/lib/problem.ts'
import { readInput } from './validation.ts'

function catchProblem(schema: z.core.$ZodType | undefined, input: unknown): Problem {
  try {
    if (schema) readInput(schema, input)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('It was taken.')
}

test('every invalid field has its first message, in the order of the form, and the first is the overall message', () => {
  const problem = catchProblem(registrationBody, {})
  expect(Object.entries(problem.fields ?? {})).toEqual([
    ['email', 'Email is required'],
    ['username', 'Username is required'],
    ['firstName', 'First name is required'],
    ['lastName', 'Last name is required'],
    ['password', 'Password is required'],
    ['levelKey', 'Please choose a membership.'],
  ])
  expect(problem.message).toBe('Email is required')
  expect(problem.toBody()).toMatchObject({ code: 'INVALID_INPUT', message: 'Email is required' })
})

test('unknown fields are dropped, including those that would change an object’s prototype', () => {
  const input = JSON.parse(
    '{"name":"Ana","role":"officer","__proto__":{"isOfficer":true},"constructor":{"x":1}}',
  ) as unknown
  const read = readInput(z.object({ name: z.string() }), input)
  expect(read).toEqual({ name: 'Ana' })
  expect(Object.getPrototypeOf(read)).not.toHaveProperty('isOfficer')
  expect(({} as { isOfficer?: boolean }).isOfficer).toBeUndefined()
})

test.each([undefined, null, 'text', 42, true, []])('%j instead of an object is refused with a message', (input) => {
  const problem = catchProblem(registrationBody, input)
  expect(problem.code).toBe('INVALID_INPUT')
  expect(problem.message).not.toMatch(/invalid input|expected|zod/i)
})

test('of two shapes the errors are about the intended one', () => {
  expect(catchProblem(verifyEmail.body, { email: 'a@b.example', code: '' }).fields).toEqual({
    code: 'Please enter the 6-digit code from the email.',
  })
  expect(catchProblem(verifyEmail.body, { email: '', code: '' }).fields).toEqual({
    email: 'Email is required',
    code: 'Please enter the 6-digit code from the email.',
  })
  expect(catchProblem(verifyEmail.body, { email: null, code: '123456' }).fields).toEqual({ email: 'Email is required' })
  expect(catchProblem(verifyEmail.body, {}).fields).toHaveProperty('token')
  expect(catchProblem(verifyEmail.body, { token: '' }).fields).toEqual({
    token: 'This link is incomplete. Please open the link in the email again.',
  })
})

test('success: false and error are included only for endpoints that declare them', () => {
  const problem = new Problem('RESET_LINK_INVALID')
  const sentence = 'Invalid reset link. Please request a new password reset.'
  expect(problem.toBody(true)).toEqual({
    success: false,
    error: sentence,
    message: sentence,
    code: 'RESET_LINK_INVALID',
  })
  expect(problem.toBody()).toEqual({ message: sentence, code: 'RESET_LINK_INVALID' })
})
