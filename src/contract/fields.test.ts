import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  emailField,
  firstNameField,
  lastNameField,
  lineField,
  newPasswordField,
  passwordField,
  usernameField,
} from './fields.ts'

type Field = z.ZodMiniType<string>

/** The field's message for a value, or null and the parsed value. */
function ask(field: Field, value: unknown): string | null {
  const result = z.safeParse(field, value)
  return result.success ? null : (result.error.issues[0]?.message ?? '')
}

const USERNAME_CHARACTERS =
  'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number'

describe('the messages of the registration form, verbatim', () => {
  test.each<[string, Field, unknown, string | null]>([
    ['email left out', emailField, undefined, 'Email is required'],
    ['email empty', emailField, '', 'Email is required'],
    ['email blank', emailField, '   ', 'Email is required'],
    ['email a number', emailField, 42, 'Email is required'],
    ['email a list', emailField, ['a@b.example'], 'Email is required'],
    ['email null', emailField, null, 'Email is required'],
    ['email without @', emailField, 'ana', 'Please enter a valid email address'],
    [
      'email of 254',
      emailField,
      `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
      null,
    ],
    [
      'email of 255',
      emailField,
      `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}example.org`,
      'Please enter a valid email address',
    ],
    ['username left out', usernameField, undefined, 'Username is required'],
    ['username blank', usernameField, '  ', 'Username is required'],
    ['username of 2', usernameField, 'ab', 'Username must be at least 3 characters'],
    ['username of 2 and blanks', usernameField, ' ab ', 'Username must be at least 3 characters'],
    ['username of 3', usernameField, 'abc', null],
    ['username of 30', usernameField, 'a'.repeat(30), null],
    ['username of 31', usernameField, 'a'.repeat(31), 'Username must be less than 30 characters'],
    ['username that starts with a dot', usernameField, '.ana', USERNAME_CHARACTERS],
    ['username that starts with an @', usernameField, '@ana', USERNAME_CHARACTERS],
    ['username with a blank', usernameField, 'ana rao', USERNAME_CHARACTERS],
    ['username in Devanagari', usernameField, 'अनाघा', USERNAME_CHARACTERS],
    ['username with a look-alike', usernameField, 'аnagha', USERNAME_CHARACTERS],
    ['username with a line end', usernameField, 'ana\nrao', USERNAME_CHARACTERS],
    ['username with all it may have', usernameField, '1a_b-c.d@e', null],
    ['first name left out', firstNameField, undefined, 'First name is required'],
    ['first name blank', firstNameField, ' ', 'First name is required'],
    ['first name of 50', firstNameField, 'a'.repeat(50), null],
    ['first name of 51', firstNameField, 'a'.repeat(51), 'First name cannot exceed 50 characters'],
    ['first name with marks', firstNameField, 'José-Luis O’Brien Jr.', null],
    ['first name with a NUL', firstNameField, 'Ana\u0000', 'Please use letters, spaces and common punctuation only.'],
    [
      'first name with a line end',
      firstNameField,
      'Ana\r\nBcc: x',
      'Please use letters, spaces and common punctuation only.',
    ],
    [
      'first name turned round',
      firstNameField,
      'Ana\u202eoaR',
      'Please use letters, spaces and common punctuation only.',
    ],
    ['last name left out', lastNameField, undefined, 'Last name is required'],
    ['last name of 51', lastNameField, 'a'.repeat(51), 'Last name cannot exceed 50 characters'],
    ['password left out', passwordField, undefined, 'Password is required'],
    ['password empty', passwordField, '', 'Password is required'],
    ['password of 5', passwordField, 'a b c', 'Password must be at least 6 characters'],
    ['password of 6', passwordField, 'a b c!', null],
    ['password of blanks', passwordField, '      ', null],
    ['password of 128', passwordField, 'x'.repeat(128), null],
    ['password of 129', passwordField, 'x'.repeat(129), 'Password cannot exceed 128 characters'],
    ['new password left out', newPasswordField, undefined, 'New password is required'],
    ['new password of 5', newPasswordField, '12345', 'Password must be at least 6 characters long'],
  ])('%s', (_name, field, value, sentence) => {
    expect(ask(field, value)).toBe(sentence)
  })

  test('surrounding whitespace is trimmed, except in passwords', () => {
    expect(z.parse(emailField, ' ana@b.example ')).toBe('ana@b.example')
    expect(z.parse(usernameField, ' ana ')).toBe('ana')
    expect(z.parse(firstNameField, ' Ana ')).toBe('Ana')
    expect(z.parse(passwordField, ' monsoon ')).toBe(' monsoon ')
  })
})

describe('addresses', () => {
  test.each([
    'a@b.example',
    "o'brien+gpio@mail.example.co.in",
    '1@2.example',
    'a_b-c.d!e#f@sub.sub.example.org',
    'A@B.EXAMPLE',
  ])('%s is one', (email) => {
    expect(ask(emailField, email)).toBeNull()
  })

  test.each([
    'a@b',
    'a@@b.example',
    '@b.example',
    'a@',
    'a@.example',
    'a@b..example',
    'a@-b.example',
    'a@b-.example',
    'a b@c.example',
    'a@b.example\nBcc: x@y.example',
    'a@b.example,c@d.example',
    'a@b.example;c@d.example',
    '<a@b.example>',
    '"a b"@c.example',
    'a@[127.0.0.1]',
    'añа@b.example',
    'a@bücher.example',
    `${'a'.repeat(65)}@b.example`,
    'a@b.example\u0000',
  ])('%j is none', (email) => {
    expect(ask(emailField, email)).toBe('Please enter a valid email address')
  })
})

test('every field validates long text quickly', () => {
  const attacks = [
    'a'.repeat(100_000),
    `${'a.'.repeat(50_000)}@`,
    `a@${'a.'.repeat(50_000)}`,
    ' '.repeat(100_000),
    '@'.repeat(100_000),
  ]
  const fields = [emailField, usernameField, firstNameField, passwordField, lineField('x', 512)]
  const started = performance.now()
  for (const field of fields) for (const attack of attacks) ask(field, attack)
  expect(performance.now() - started).toBeLessThan(250)
})
