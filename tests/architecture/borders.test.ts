import { expect, test } from 'vitest'
import { crossings, mutualPairs } from './borders.ts'
import { listFiles, readImports } from './modules.ts'

const imports = listFiles(/^(?:src|standins)\/.*\.tsx?$/).flatMap((file) => readImports(file))

test('no module crosses a border', () => {
  expect(imports.length).toBeGreaterThan(5_000)
  const found = imports.flatMap((one) => crossings(one).map((sentence) => `${one.from} imports ${one.to}: ${sentence}`))
  expect(found).toEqual([])
})

test('no two features import each other', () => {
  expect(mutualPairs(imports)).toEqual([])
  const [from, to] = ['src/server/features/contact/contact.service.ts', 'src/server/features/audit/audit.service.ts']
  const planted = [
    { from, to, isType: false },
    { from: to, to: from, isType: false },
  ]
  expect(mutualPairs(planted)).toEqual(['audit <> contact'])
})

const CONTACT = 'src/server/features/contact'

/** A file, a line that does not belong in it, and the beginning of the sentence that says so. */
test.each([
  ['src/contract/public/contact.ts', "import '#server/app.ts'", 'The contract imports nothing but itself'],
  ['src/contract/public/contact.ts', "import type { A } from '#web/app/routes.ts'", 'The contract imports nothing'],
  ['src/web/public/home/home.tsx', "import { app } from '#server/app.ts'", 'The browser takes only types'],
  ['src/web/app/frame.tsx', "const app = await import('#server/app.ts')", 'The browser takes only types'],
  [
    'src/web/api/call.ts',
    "import { endpoints } from '#contract/all-endpoints.ts'",
    'The browser imports the endpoints',
  ],
  ['src/web/public/home/home.tsx', "import '#standins/standins.ts'", 'Pages do not import stand-ins'],
  ['src/web/app/frame.tsx', "import '#tests/support/test-app.ts'", 'Pages do not import stand-ins'],
  ['src/web/ui/field.tsx', "import '../public/contact/contact-form.tsx'", 'ui/ holds components without a subject'],
  ['src/web/ui/field.tsx', "import '#web/app/paths.ts'", 'ui/ holds components'],
  ['src/web/ui/field.tsx', "import { contact } from '#contract/public/contact.ts'", 'ui/ holds components'],
  ['src/web/api/call.ts', "import '#web/session/session.ts'", 'api/ sends calls'],
  ['src/web/session/session.ts', "import '#web/console/console.tsx'", 'Pages use forms/, session/ and shared/'],
  ['src/web/public/home/home.tsx', "import '#web/console/console.tsx'", 'public/, account/ and console/'],
  ['src/web/account/account.tsx', "import '#web/public/home/home.tsx'", 'public/, account/ and console/'],
  ['src/web/console/console.tsx', "import '#web/account/account.tsx'", 'public/, account/ and console/'],
  ['src/web/public/contact/contact.rules.ts', "import { call } from '#web/api/call.ts'", 'Rules are pure'],
  ['src/web/public/contact/contact.rules.ts', "import { useState } from 'react'", 'Rules are pure'],
  ['src/server/app.ts', "import '#web/app/routes.ts'", 'The server imports the contract and itself'],
  ['src/server/http/serve.ts', "import '#tests/support/test-app.ts'", 'The server imports the contract'],
  ['src/server/emails/email.ts', "import { a } from '#server/features/auth/auth.service.ts'", 'Features use db/'],
  [`${CONTACT}/contact.service.ts`, "import { a } from '#server/composition/features.ts'", 'A feature does not import'],
  [`${CONTACT}/contact.rules.ts`, "import { save } from './contact.repository.ts'", 'Rules are pure'],
  [`${CONTACT}/contact.rules.ts`, "import { readFile } from 'node:fs/promises'", 'Rules are pure'],
  [`${CONTACT}/contact.rules.ts`, "import { sql } from 'kysely'", 'Rules are pure'],
  [
    `${CONTACT}/contact.repository.ts`,
    "import { a } from './contact.service.ts'",
    'Repositories, queries and commands',
  ],
  [`${CONTACT}/contact.queries.ts`, "import { serve } from '#server/http/serve.ts'", 'Repositories, queries'],
  [`${CONTACT}/contact.queries.ts`, "import { a } from './contact.commands.ts'", 'Queries only read'],
  [`${CONTACT}/contact.service.ts`, "import { a } from './contact.routes.ts'", 'A service does not depend on HTTP'],
  [`${CONTACT}/contact.routes.ts`, "import { a } from './contact.repository.ts'", 'Routes call a service'],
  [`${CONTACT}/contact.routes.ts`, "import { a } from '#server/db/open-database.ts'", 'Routes call a service'],
  [
    `${CONTACT}/contact.service.ts`,
    "export { a } from '../audit/audit.repository.ts'",
    'A feature imports another only',
  ],
  [`${CONTACT}/contact.service.ts`, "import { a } from '../audit/audit.routes.ts'", 'A feature imports another only'],
  ['standins/standins.ts', "import '#server/app.ts'", 'Stand-ins import nothing from src'],
])('%s may not say %s', (file, line, sentence) => {
  const found = readImports(file, line).flatMap(crossings)
  expect(found).toContainEqual(expect.stringContaining(sentence))
})

test.each([
  ['src/web/public/home/home.tsx', "import type { PageServices } from '#server/pages/page-services.ts'"],
  ['src/web/ui/price.tsx', "import { formatMoney } from '#contract/money.ts'"],
  [`${CONTACT}/contact.routes.ts`, "import { createContact } from './contact.service.ts'"],
  [`${CONTACT}/contact.service.ts`, "import { findAccount } from '../accounts/account.queries.ts'"],
  [`${CONTACT}/contact.service.ts`, "import type { Row } from '../audit/audit.repository.ts'"],
  [`${CONTACT}/contact.rules.ts`, "import { isSpam } from './spam.rules.ts'"],
  [`${CONTACT}/contact.http.test.ts`, "import { createTestApp } from '#tests/support/test-app.ts'"],
  ['src/server/composition/features.ts', "import { contactRoutes } from '../features/contact/contact.routes.ts'"],
])('%s may say %s', (file, line) => {
  expect(readImports(file, line).flatMap(crossings)).toEqual([])
})
